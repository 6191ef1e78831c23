//! Hidden states after each block.

use super::gate::{Bar, Counts, Gate, GateKind, LEAST_COSINE};
use super::rows::{Words, fault_in};
use crate::golden::{Golden, GoldenPrompt};
use crate::stats::compare_values;

const WORDS: Words =
    Words { here: "the reference's state", there: "the engine's state", index: "value" };

/// The engine's name of what leaves a block.
const AFTER_BLOCK: &str = "l_out-";

/// States as they come in.
#[derive(Debug, Clone, Default)]
pub struct HiddenComparison {
    compared: u64,
    prompts: Vec<String>,
    least: Option<(f64, String)>,
    fault: Option<String>,
}

impl HiddenComparison {
    /// Nothing compared yet.
    #[must_use]
    pub fn new() -> HiddenComparison {
        HiddenComparison::default()
    }

    /// The engine's names of the states, block by block.
    #[must_use]
    pub fn tensors(golden: &Golden) -> Vec<String> {
        (0..golden.facts.blocks).map(|block| format!("{AFTER_BLOCK}{block}")).collect()
    }

    /// Compares the state after a block, counted from 0, at a position.
    pub fn add(&mut self, prompt: &GoldenPrompt, block: usize, position: u32, state: &[f32]) {
        let place = format!("prompt `{}`, position {position}, block {block}", prompt.name);
        let known = prompt.hidden.iter().find(|known| known.position == position);
        // the first of a golden's states comes before all blocks
        let Some(reference) = known.and_then(|known| known.after.get(block + 1)) else { return };
        let cosine = match compare_values(reference, state) {
            Ok(found) => found.cosine,
            Err(fault) => {
                self.fault.get_or_insert(fault_in(fault, WORDS, &place));
                return;
            }
        };
        self.compared += 1;
        if self.prompts.last() != Some(&prompt.name) {
            self.prompts.push(prompt.name.clone());
        }
        if self.least.as_ref().is_none_or(|(least, _)| cosine < *least) {
            self.least = Some((cosine, place));
        }
    }

    /// The gate.
    #[must_use]
    pub fn gate(&self, golden: &Golden) -> Gate {
        let positions: u64 = golden.prompts.iter().map(|prompt| prompt.hidden.len() as u64).sum();
        let counts = Counts {
            compared: self.compared,
            required: positions * golden.facts.blocks as u64,
            prompts: self.prompts.len() as u64,
        };
        let found = match &self.least {
            Some((least, place)) => format!("least cosine {least:.7} in {place}"),
            None => "no state was compared".to_owned(),
        };
        let detail = match &self.fault {
            Some(fault) => format!("{fault}; {found}"),
            None => found,
        };
        let kept = self.fault.is_none()
            && self.least.as_ref().is_some_and(|(least, _)| *least >= LEAST_COSINE);
        let bar = if kept { Bar::Kept } else { Bar::Broken };
        Gate::judged(GateKind::Hidden, bar, counts, self.least.as_ref().map(|l| l.0), detail)
    }
}
