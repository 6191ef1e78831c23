//! Speculative decoding: where drafts come from, and what became of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where drafted tokens come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftSource {
    /// Nothing is drafted: plain decoding.
    Nothing,
    /// What followed the last tokens where they stood before in the same text. Ours, not the
    /// engine's.
    PromptLookup,
    /// A second, smaller model with the same vocabulary.
    DraftModel,
    /// The first layers of the same model.
    SelfSlice,
}

/// Which drafted tokens may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftAcceptance {
    /// Those that greedy decoding would have chosen.
    Greedy,
    /// None: every batch has full width and one token of it is kept. A control, which shows what
    /// batched evaluation does by itself.
    Nothing,
}

/// What became of drafts in a chunk, while the clock ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeculationCounts {
    /// Evaluations of the model.
    pub evaluations: u64,
    /// Tokens that the model evaluated, rejected ones included. Bounds hold for these.
    pub evaluated_tokens: u64,
    /// Tokens that the drafter's own model evaluated; 0 for prompt lookup.
    pub drafter_tokens: u64,
    /// Drafted tokens by their place in the draft, from the first.
    pub drafted_by_position: Vec<u64>,
    /// Of those, accepted.
    pub accepted_by_position: Vec<u64>,
    /// Evaluations by their width in tokens: `[0]` counts those of one token.
    pub evaluations_by_width: Vec<u64>,
}

impl SpeculationCounts {
    /// Adds the counts of another chunk.
    pub fn add(&mut self, other: &SpeculationCounts) {
        self.evaluations += other.evaluations;
        self.evaluated_tokens += other.evaluated_tokens;
        self.drafter_tokens += other.drafter_tokens;
        add_each(&mut self.drafted_by_position, &other.drafted_by_position);
        add_each(&mut self.accepted_by_position, &other.accepted_by_position);
        add_each(&mut self.evaluations_by_width, &other.evaluations_by_width);
    }

    /// Drafted tokens that were accepted.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted_by_position.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Drafted tokens.
    #[must_use]
    pub fn drafted(&self) -> u64 {
        self.drafted_by_position.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

fn add_each(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}
