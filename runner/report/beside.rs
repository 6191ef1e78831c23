//! A slice and its whole model beside each other: what the slice predicted, and what the whole gave.

use serde_json::{Value, json};

use super::escape::markdown_text;
use super::rows::{estimate, interval, name, reason_word};
use super::terminal::wrapped;
use crate::manifest::scope_differences;
use crate::record::{Counterpart, Counterparts, Record, verdict_word};
use crate::verdict::{Comparison, Effect, Verdict};

/// The heading over all of it.
const HEADING: &str = "Slice and whole model";

/// Lines for a Markdown page, under a heading; `None` where nothing stands beside the record.
#[must_use]
pub fn beside_markdown(record: &Record, counterparts: &Counterparts) -> Option<String> {
    let lines = beside_lines(record, counterparts);
    let lines: String = lines.iter().map(|line| format!("- {}\n", markdown_text(line))).collect();
    (!lines.is_empty()).then(|| format!("\n## {HEADING}\n\n{lines}"))
}

/// Lines for a terminal of this width, under a heading; `None` where nothing stands beside the
/// record.
#[must_use]
pub fn beside_text(record: &Record, counterparts: &Counterparts, width: usize) -> Option<String> {
    let lines = beside_lines(record, counterparts);
    let lines: Vec<String> =
        lines.iter().map(|line| wrapped(&format!("  {line}"), width, 4)).collect();
    (!lines.is_empty()).then(|| format!("{}:\n{}", HEADING.to_lowercase(), lines.join("\n")))
}

/// The same for programs; null where nothing stands beside the record.
#[must_use]
pub fn beside_json(record: &Record, counterparts: &Counterparts) -> Value {
    let pairs = match counterparts {
        Counterparts::None => return Value::Null,
        Counterparts::OfSlice { whole: Counterpart::Measured(whole), .. } => pairs(record, whole),
        Counterparts::OfSlice { .. } => Vec::new(),
        Counterparts::OfWhole { slices } => slices
            .iter()
            .filter_map(|(_, slice)| match slice {
                Counterpart::Measured(slice) => Some(pairs(slice, record)),
                Counterpart::NotMeasured | Counterpart::Unreadable { .. } => None,
            })
            .flatten()
            .collect(),
    };
    let pairs: Vec<Value> = pairs.iter().map(Pair::json).collect();
    json!({ "pairs": pairs, "lines": beside_lines(record, counterparts) })
}

/// The same as lines, not escaped; empty where nothing stands beside the record.
pub(super) fn beside_lines(record: &Record, counterparts: &Counterparts) -> Vec<String> {
    match counterparts {
        Counterparts::None => Vec::new(),
        Counterparts::OfSlice { predicts, whole } => match (whole, predicts) {
            (Counterpart::Measured(whole), _) => side_by_side(record, whole),
            (Counterpart::NotMeasured, Some(id)) => {
                vec![format!("{SAYS_NOTHING}: no record measures it (`{id}` has no finished run)")]
            }
            (Counterpart::NotMeasured, None) => vec![format!(
                "{SAYS_NOTHING}: no record measures it (`[regime] predicts` names no experiment)"
            )],
            (Counterpart::Unreadable { run, why }, _) => {
                let id = predicts.as_ref().map_or("", |id| id.as_str());
                vec![format!("{SAYS_NOTHING}: the record {id}/{run} cannot be read: {why}")]
            }
        },
        Counterparts::OfWhole { slices } => slices
            .iter()
            .flat_map(|(id, slice)| match slice {
                Counterpart::Measured(slice) => side_by_side(slice, record),
                Counterpart::NotMeasured => {
                    vec![format!("`{id}` is to predict this from a slice, and has no finished run")]
                }
                Counterpart::Unreadable { run, why } => {
                    vec![format!("the slice's record {id}/{run} cannot be read: {why}")]
                }
            })
            .collect(),
    }
}

const SAYS_NOTHING: &str = "says nothing of the whole model";

fn side_by_side(slice: &Record, whole: &Record) -> Vec<String> {
    let mut lines: Vec<String> = pairs(slice, whole).iter().map(Pair::line).collect();
    let differences: Vec<String> = scope_differences(&slice.plan, &whole.plan)
        .iter()
        .filter(|one| !one.is_extent())
        .map(|one| format!("{} ({} of the slice, {} of the whole)", one.what, one.here, one.there))
        .collect();
    if !differences.is_empty() {
        lines.push(format!("the two differ in more than layers: {}", differences.join("; ")));
    }
    let [one, other] = [slice, whole].map(|record| &record.provenance.stack_key);
    if one != other {
        let (one, other) = (one.short(), other.short());
        lines.push(format!("measured on two stacks: {one} the slice, {other} the whole"));
    }
    lines
}

/// A comparison of the slice, with the whole's of the same arm and condition.
struct Pair<'records> {
    slice: (&'records Record, &'records Comparison),
    whole: (&'records Record, Option<&'records Comparison>),
}

fn pairs<'records>(slice: &'records Record, whole: &'records Record) -> Vec<Pair<'records>> {
    let same = |own: &Comparison| {
        whole.sealed.analysis.comparisons.iter().find(|other| {
            (&other.arm, &other.condition, &other.metric) == (&own.arm, &own.condition, &own.metric)
        })
    };
    let own = slice.sealed.analysis.comparisons.iter();
    own.map(|own| Pair { slice: (slice, own), whole: (whole, same(own)) }).collect()
}

impl Pair<'_> {
    fn line(&self) -> String {
        let (slice, own) = self.slice;
        let (whole, other) = self.whole;
        let comparison = name(&own.arm, &own.condition);
        let part = &slice.provenance.regime.extent;
        let predicted = format!("the {part} predicted {} in {}", outcome(own), place(slice));
        let Some(other) = other else {
            let nothing = format!("{} has no such comparison", place(whole));
            return format!("{comparison}: {predicted}; {nothing}");
        };
        let gave = format!("the whole model gave {} in {}", outcome(other), place(whole));
        format!("{comparison}: {predicted}; {gave}; {}", self.apart())
    }

    /// How far the two are apart, in words.
    fn apart(&self) -> String {
        let Some((own, other)) = self.effects() else {
            return "nothing follows of how far they are apart".to_owned();
        };
        let factor = libm::exp(own.log_ratio - other.log_ratio);
        let intervals = match (own.lo, own.hi, other.lo, other.hi) {
            (Some(lo), Some(hi), Some(least), Some(most)) if hi < least || most < lo => {
                ", and their intervals do not meet"
            }
            (Some(_), Some(_), Some(_), Some(_)) => ", and their intervals overlap",
            _ => "",
        };
        format!("the slice's is {factor:.3} times the whole's{intervals}")
    }

    /// Both effects, where both comparisons were decided.
    fn effects(&self) -> Option<(&Effect, &Effect)> {
        let (own, other) = (self.slice.1, self.whole.1?);
        let decided = |comparison: &Comparison| {
            matches!(
                comparison.verdict,
                Verdict::Win | Verdict::Loss | Verdict::Level | Verdict::Parked
            )
        };
        if !decided(own) || !decided(other) {
            return None;
        }
        Some((own.effect.as_ref()?, other.effect.as_ref()?))
    }

    fn json(&self) -> Value {
        let side = |record: &Record, comparison: Option<&Comparison>| {
            let effect = comparison.and_then(|comparison| comparison.effect.as_ref());
            json!({
                "record": place(record),
                "extent": record.provenance.regime.extent,
                "verdict": comparison.map(|comparison| verdict_word(comparison.verdict)),
                "ratio_to_off": effect.map(|effect| libm::exp(effect.log_ratio)),
                "lo": effect.and_then(|effect| effect.lo).map(libm::exp),
                "hi": effect.and_then(|effect| effect.hi).map(libm::exp),
            })
        };
        let (slice, own) = self.slice;
        let (whole, other) = self.whole;
        let apart = self.effects().map(|(own, other)| libm::exp(own.log_ratio - other.log_ratio));
        json!({
            "arm": own.arm,
            "condition": own.condition,
            "metric": own.metric,
            "slice": side(slice, Some(own)),
            "whole": side(whole, other),
            "slice_over_whole": apart,
        })
    }
}

fn place(record: &Record) -> String {
    format!("{}/{}", record.sealed.id, record.sealed.run)
}

/// `1.233x (+23.3 %), 1.121x to 1.355x, 95 % (win: above_margin)`.
fn outcome(comparison: &Comparison) -> String {
    let reason = reason_word(comparison.reason.code);
    let verdict = format!("({}: {reason})", verdict_word(comparison.verdict));
    match &comparison.effect {
        Some(effect) => format!("{}, {} {verdict}", estimate(effect), interval(Some(effect))),
        None => format!("no figure {verdict}"),
    }
}
