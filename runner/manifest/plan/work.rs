//! What is worked on, and the condition that varies it.

use serde::{Deserialize, Serialize};

/// What is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Name of an embedded set (`prose-48`, `code-48`, `filler-48`), or the path of a set file.
    pub inputs: String,
    /// BLAKE3 of the set, filled in by `check` from the text files it may read.
    pub inputs_blake3: String,
    /// The measurement class.
    pub class: MeasurementClass,
    /// What is timed.
    pub work: TimedWork,
    /// Filler in the KV cache before each block's prompt.
    pub depth_tokens: u32,
}

/// What a workload must be calibrated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the glossary defines the classes")]
pub enum MeasurementClass {
    DenseThroughput,
    Routing,
    Speculation,
    Divergence,
    LongContext,
}

/// The timed work of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimedWork {
    /// Prompt first, then single tokens; alternates in chunks.
    Decode {
        /// Tokens of the item that are put in front; untimed.
        prompt_tokens: u32,
        /// Timed tokens of a block and arm; a multiple of `chunk_tokens`.
        decode_tokens: u32,
        /// Timed tokens of a chunk.
        chunk_tokens: u32,
    },
    /// A whole prefill, paired whole, after an untimed one of the same shape.
    Prefill {
        /// Timed tokens.
        prefill_tokens: u32,
    },
}

/// A setting at each of whose values every arm is repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Which.
    pub setting: ConditionSetting,
    /// At least one, all different.
    pub values: Vec<u32>,
}

/// What a condition may vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "keys of the workload table")]
pub enum ConditionSetting {
    DepthTokens,
    PromptTokens,
    PrefillTokens,
    ChunkTokens,
}
