//! What `runner` asks of a worker.

use serde::{Deserialize, Serialize};

use crate::{
    ObserveRequest, PrimitiveRequest, RequantiseRequest, Settings, SlotsRequest, Token,
    WeightsRequest,
};

/// One line on the worker's standard input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Counted up from 1; the answer carries the same number.
    pub id: u64,
    /// What to do.
    pub command: Command,
}

/// The commands of protocol version 1. Every command that computes answers only after the
/// backend has been synchronised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Always first. Answered by [`crate::Reply::Greeting`].
    Hello {
        /// The version that the caller speaks.
        protocol_version: u32,
    },
    /// Loads a model and makes a context. Answered by `Loaded`.
    Load(LoadRequest),
    /// Text to tokens, with the model's usual beginning-of-text token. Answered by `Tokens`.
    Tokenize {
        /// UTF-8 text.
        text: String,
    },
    /// Puts a prompt into the KV cache, untimed for the primary metric. Answered by `Begun`.
    Begin(Beginning),
    /// One chunk of decoding from where the sequence stands. Answered by `Decoded`.
    Decode(DecodeRequest),
    /// One prefill at a depth; the sequence is trimmed back to that depth before and after.
    /// Answered by `Prefilled`.
    Prefill(PrefillRequest),
    /// Teacher-forced logits of every position, written to a file. Answered by `Logits`.
    Logits(LogitsRequest),
    /// Counts graph operations by kind and device in an untimed run. Answered by `Operations`.
    Operations(OperationsRequest),
    /// Writes the inner tensors of one evaluation to a file. Answered by `Observed`.
    Observe(ObserveRequest),
    /// Writes the loaded tensors to a file. Answered by `Weights`.
    Weights(WeightsRequest),
    /// Decodes several sequences side by side. Answered by `Slots`.
    Slots(SlotsRequest),
    /// Writes another form of a model file; needs no loaded model. Answered by `Requantised`.
    Requantise(RequantiseRequest),
    /// Times one kind of operation by itself. Answered by `Primitive`. A worker that was made before
    /// this message answers that the line is no request.
    Primitive(PrimitiveRequest),
    /// Ends the worker. Answered by `Ending`.
    Shutdown,
}

/// Which model, with which settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadRequest {
    /// Path of a GGUF file.
    pub model_path: String,
    /// What is not named here is left at the worker's documented default.
    pub settings: Settings,
    /// Path of the drafter's GGUF file, where the settings draft with a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_model_path: Option<String>,
}

/// The text that stands before the work of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    /// Filler to the registered depth. What of it is already at the start of the KV cache, up to
    /// the last whole micro-batch, is kept instead of computed again.
    pub depth: Vec<Token>,
    /// The prompt, evaluated after the depth. Its last token's logits choose the first token.
    pub prompt: Vec<Token>,
}

/// One chunk of single-token decoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecodeRequest {
    /// Tokens evaluated before the clock starts (the first after a switch is slow).
    pub untimed_tokens: u32,
    /// Tokens evaluated while the clock runs.
    pub timed_tokens: u32,
    /// Where the tokens come from.
    pub feed: Feed,
}

/// Where decoded tokens come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feed {
    /// Greedy: the arm's own argmax. End-of-text is ignored, the count is fixed.
    Free,
    /// These tokens, `untimed_tokens + timed_tokens` of them: every arm decodes the same text.
    Fed(Vec<Token>),
}

/// A prefill of a whole text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefillRequest {
    /// As in [`Beginning::depth`].
    pub depth: Vec<Token>,
    /// The tokens that are evaluated between the two readings of the clock.
    pub tokens: Vec<Token>,
}

/// Teacher-forced logits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogitsRequest {
    /// The text; its rows are those that an empty KV cache before it would give.
    pub tokens: Vec<Token>,
    /// First position whose logits are written; all later ones follow.
    pub from_position: u32,
    /// Only these of them are computed and written, ascending; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_positions: Vec<u32>,
    /// How the text is evaluated.
    #[serde(default, skip_serializing_if = "Evaluation::is_in_batches")]
    pub evaluation: Evaluation,
    /// A deliberate fault, for controls that must be seen to fail: from this index of the text on,
    /// the model's graph reads every position as one too high. Inside the text, 1 or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_before: Option<u32>,
    /// Where to write: rows of `vocabulary` little-endian f32, one a position.
    pub path: String,
}

impl LogitsRequest {
    /// All rows from a position on, evaluated in batches, without a fault.
    #[must_use]
    pub fn new(tokens: Vec<Token>, from_position: u32, path: String) -> LogitsRequest {
        LogitsRequest {
            tokens,
            from_position,
            only_positions: Vec::new(),
            evaluation: Evaluation::Batches,
            gap_before: None,
            path,
        }
    }
}

/// How a text is evaluated: other kernels may run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evaluation {
    /// In pieces of a micro-batch.
    #[default]
    Batches,
    /// What stands before `from_position` in batches, the rest token by token, as decoding does,
    /// whether its rows are written or not.
    SingleTokens,
}

impl Evaluation {
    fn is_in_batches(&self) -> bool {
        *self == Evaluation::Batches
    }
}

/// An untimed run that is observed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationsRequest {
    /// Evaluated in one prefill.
    pub prompt: Vec<Token>,
    /// Then as many greedy single-token steps.
    pub decode_tokens: u32,
}
