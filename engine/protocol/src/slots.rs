//! Several sequences in one batch, as a server's slots.

use serde::{Deserialize, Serialize};

use crate::Token;

/// Decodes several sequences side by side, in a context of its own: each step evaluates one token of
/// every sequence in one batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotsRequest {
    /// The prompts; sequence number i holds the i-th. Each is evaluated by itself first.
    pub prompts: Vec<Vec<Token>>,
    /// Greedy steps.
    pub decode_tokens: u32,
}

/// What became of a chunk of decoding in which several sequences stood side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotsDecoded {
    /// Sequences that each step had a token of.
    pub sequences: u32,
    /// Choices of further sequences that differ from the first's, which is the one that counts; while
    /// timed and before.
    pub other_choices: u64,
}

/// What one sequence chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotOutput {
    /// The token chosen after the prompt, and after each step.
    pub chosen: Vec<Token>,
    /// For each of those, how far the best logit stood above the second; 0 on a tie, where the token
    /// with the lowest id was chosen.
    pub margins: Vec<f32>,
}
