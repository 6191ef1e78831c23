//! The gates over logits: cosine, argmax, greatest logits.

use std::collections::BTreeMap;

use super::gate::{Bar, Counts, Gate, GateKind, LEAST_COSINE, MOST_LOGIT_DIFFERENCE};
use super::rows::{Words, fault_in};
use crate::golden::{Golden, GoldenPrompt};
use crate::stats::{compare_logits, softmax};

const WORDS: Words =
    Words { here: "the reference's logit", there: "the engine's logit", index: "token" };
const ENGINE: Words = Words { here: "the engine's logit", ..WORDS };

/// Compares the engine's rows with a golden's as they come in; a few numbers a row are kept.
#[derive(Debug, Clone, Default)]
pub struct LogitsComparison {
    prompts: BTreeMap<String, Found>,
    fault: Option<String>,
    least: Option<(f64, String)>,
    farthest: Option<(f64, String)>,
    first_other_argmax: Option<String>,
}

/// What was found in one prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Found {
    pub(super) whole: u64,
    pub(super) argmax_compared: u64,
    pub(super) argmax_agreed: u64,
    pub(super) logits: u64,
    pub(super) least: Option<f64>,
}

impl LogitsComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> LogitsComparison {
        LogitsComparison::default()
    }

    /// Compares one of the engine's rows with what the golden knows of that position.
    pub fn add(&mut self, prompt: &GoldenPrompt, position: u32, row: &[f32]) {
        let place = format!("prompt `{}`, position {position}", prompt.name);
        let whole = prompt.rows.iter().find(|row| row.position == position);
        let top = prompt.tops.iter().find(|top| top.position == position);
        if whole.is_none() && top.is_none() {
            return;
        }
        let fault = |fault, words| fault_in(fault, words, &place);
        // the rows' cosine and the reference's most likely token where it gave a whole row; and
        // the engine's most likely token
        let compared = match whole {
            Some(reference) => compare_logits(&reference.logits, row)
                .map(|found| {
                    let tops = (found.here.top.token, found.there.top.token);
                    (Some((found.values.cosine, tops.0)), tops.1)
                })
                .map_err(|found| fault(found, WORDS)),
            None => softmax(row)
                .map(|found| (None, found.top.token))
                .map_err(|found| fault(found, ENGINE)),
        };
        let (reference, chosen) = match compared {
            Ok(compared) => compared,
            Err(fault) => {
                self.fault.get_or_insert(fault);
                return;
            }
        };
        let found = self.prompts.entry(prompt.name.clone()).or_default();
        if let Some((cosine, _)) = reference {
            found.whole += 1;
            found.least = Some(found.least.map_or(cosine, |least| least.min(cosine)));
            if self.least.as_ref().is_none_or(|(least, _)| cosine < *least) {
                self.least = Some((cosine, place.clone()));
            }
        }
        let wanted = reference
            .map(|(_, token)| token)
            .or_else(|| top.and_then(|top| usize::try_from(top.top.first()?.0).ok()));
        if let Some(wanted) = wanted {
            found.argmax_compared += 1;
            if wanted == chosen {
                found.argmax_agreed += 1;
            } else if self.first_other_argmax.is_none() {
                self.first_other_argmax =
                    Some(other_argmax(prompt, position, &place, (wanted, chosen), row));
            }
        }
        for (token, logit) in top.iter().flat_map(|top| &top.top) {
            let Some(engine) = usize::try_from(*token).ok().and_then(|token| row.get(token)) else {
                continue;
            };
            found.logits += 1;
            let difference = (f64::from(*engine) - logit).abs();
            if self.farthest.as_ref().is_none_or(|(most, _)| difference > *most) {
                self.farthest = Some((difference, format!("{place}, token {token}")));
            }
        }
    }

    /// What was found in a prompt.
    pub(super) fn of(&self, prompt: &str) -> Found {
        self.prompts.get(prompt).cloned().unwrap_or_default()
    }

    /// The least cosine of all rows.
    #[must_use]
    pub fn least_cosine(&self) -> Option<f64> {
        self.least.as_ref().map(|(least, _)| *least)
    }

    /// The three gates.
    #[must_use]
    pub fn gates(&self, golden: &Golden) -> [Gate; 3] {
        [self.cosine_gate(golden), self.argmax_gate(golden), self.top_gate(golden)]
    }

    fn cosine_gate(&self, golden: &Golden) -> Gate {
        let counts = self.counts(golden, |prompt| prompt.rows.len() as u64, |found| found.whole);
        let detail = match &self.least {
            Some((least, place)) => format!("least {least:.7} in {place}"),
            None => "no row was compared".to_owned(),
        };
        let kept = self.least.as_ref().is_some_and(|(least, _)| *least >= LEAST_COSINE);
        self.judged(GateKind::LogitCosine, kept, counts, self.least_cosine(), detail)
    }

    fn argmax_gate(&self, golden: &Golden) -> Gate {
        let counts = self.counts(
            golden,
            |prompt| prompt.logit_positions().len() as u64,
            |found| found.argmax_compared,
        );
        let agreed: u64 = self.prompts.values().map(|found| found.argmax_agreed).sum();
        let share = (counts.compared > 0).then(|| agreed as f64 / counts.compared as f64);
        let detail = match &self.first_other_argmax {
            Some(first) => format!("{agreed} of {} equal; first {first}", counts.compared),
            None => format!("{agreed} of {} equal", counts.compared),
        };
        let kept = self.first_other_argmax.is_none();
        self.judged(GateKind::Argmax, kept, counts, share, detail)
    }

    fn top_gate(&self, golden: &Golden) -> Gate {
        let top_logits =
            |prompt: &GoldenPrompt| prompt.tops.iter().map(|top| top.top.len() as u64).sum::<u64>();
        let counts = self.counts(golden, top_logits, |found| found.logits);
        let most = self.farthest.as_ref().map(|(most, _)| *most);
        let detail = match &self.farthest {
            Some((most, place)) => format!("largest difference {most:.2e} in {place}"),
            None => "no logit was compared".to_owned(),
        };
        let kept = most.is_some_and(|most| most <= MOST_LOGIT_DIFFERENCE);
        self.judged(GateKind::TopLogits, kept, counts, most, detail)
    }

    fn counts(
        &self,
        golden: &Golden,
        required: impl Fn(&GoldenPrompt) -> u64,
        compared: impl Fn(&Found) -> u64,
    ) -> Counts {
        Counts {
            compared: self.prompts.values().map(&compared).sum(),
            required: golden.prompts.iter().map(required).sum(),
            prompts: self.prompts.values().filter(|found| compared(found) > 0).count() as u64,
        }
    }

    fn judged(
        &self,
        gate: GateKind,
        kept: bool,
        counts: Counts,
        figure: Option<f64>,
        detail: String,
    ) -> Gate {
        match &self.fault {
            Some(fault) => {
                Gate::judged(gate, Bar::Broken, counts, figure, format!("{fault}; {detail}"))
            }
            None => {
                let bar = if kept { Bar::Kept } else { Bar::Broken };
                Gate::judged(gate, bar, counts, figure, detail)
            }
        }
    }
}

/// Where the most likely tokens differ, with both margins and the tie-breaker's word.
fn other_argmax(
    prompt: &GoldenPrompt,
    position: u32,
    place: &str,
    (wanted, chosen): (usize, usize),
    row: &[f32],
) -> String {
    let at = |token: usize| row.get(token).copied().unwrap_or(f32::NAN);
    let margin = at(chosen) - at(wanted);
    let float64 = prompt.float64.iter().find(|top| top.position == position);
    let tie = match float64.and_then(|top| top.top.first()) {
        Some((token, _)) => format!("; 64-bit arithmetic prefers token {token}"),
        None => String::new(),
    };
    format!(
        "{place}: the reference prefers token {wanted}, the engine token {chosen} by {margin:.2e}{tie}"
    )
}
