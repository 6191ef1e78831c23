//! What is worked on, and the condition that varies it.

use engine_protocol::Form;
use serde::{Deserialize, Serialize};

/// The inputs of a primitive: places at which the rotation over its buffers begins.
pub const BUFFERS: &str = "buffers";

/// What is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Name of an embedded set (`prose-48`, `code-48`, `filler-48`), or the path of a set file; for
    /// primitives `buffers`.
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

impl MeasurementClass {
    /// All of them.
    pub const ALL: [MeasurementClass; 5] = [
        MeasurementClass::DenseThroughput,
        MeasurementClass::Routing,
        MeasurementClass::Speculation,
        MeasurementClass::Divergence,
        MeasurementClass::LongContext,
    ];

    /// As manifests write it.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            MeasurementClass::DenseThroughput => "dense_throughput",
            MeasurementClass::Routing => "routing",
            MeasurementClass::Speculation => "speculation",
            MeasurementClass::Divergence => "divergence",
            MeasurementClass::LongContext => "long_context",
        }
    }
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
    /// One kind of operation by itself, in one piece or in the model's own; timed whole, after
    /// untimed repetitions.
    Primitive {
        /// Which, over all layers of the model.
        what: PrimitiveKind,
        /// Timed repetitions of a block and arm.
        repetitions: u32,
        /// Buffers to rotate over; absent: so many that together they are at least four times as
        /// large as the last-level cache.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        buffers: Option<u32>,
    },
}

/// A kind of operation. All arms do the same amount of it: what the whole model needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrimitiveKind {
    /// Copies of the keys and values of every layer, as many cells as the depth.
    Copy,
    /// Products with every matrix of the layers and of the output.
    MatrixProduct {
        /// Type of all weights.
        weight_type: Form,
        /// Columns that they are multiplied with.
        batch: u32,
    },
    /// Fused attention of every layer, over as many cells as the depth.
    Attention {
        /// Queries of a head.
        batch: u32,
    },
}

/// A kind of operation as `[workload]` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrimitiveName {
    /// The keys and values of all layers.
    Copy,
    /// All matrices of the layers and the output.
    MatrixProduct,
    /// The attention of all layers.
    Attention,
}

impl TimedWork {
    /// What the arms do, in a word: `decode`, `prefill`, `primitive`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TimedWork::Decode { .. } => "decode",
            TimedWork::Prefill { .. } => "prefill",
            TimedWork::Primitive { .. } => "primitive",
        }
    }

    /// Whether texts are worked on, and not buffers.
    #[must_use]
    pub fn reads_text(self) -> bool {
        match self {
            TimedWork::Decode { .. } | TimedWork::Prefill { .. } => true,
            TimedWork::Primitive { .. } => false,
        }
    }
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
