//! Facts that a worker states about itself, its engine and its model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The engine that a worker was built with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineFacts {
    /// `ggml`, `fake`, …
    pub name: String,
    /// The engine's own version.
    pub version: String,
    /// Where the source came from.
    pub source: SourcePin,
    /// BLAKE3 over the sorted source tree, or of the libraries for prebuilt ones; hexadecimal.
    pub source_blake3: String,
    /// Compiler, with its version.
    pub compiler: String,
    /// Every flag of the compilation, by component (`ggml-base`, `ggml-cpu`, `llama`, `shim`).
    pub flags: BTreeMap<String, Vec<String>>,
    /// Instruction set extensions that were compiled in.
    pub instruction_set: Vec<String>,
    /// Backends that were compiled in.
    pub backends: Vec<String>,
    /// OpenMP, or the engine's own threads.
    pub threading: String,
    /// Settings that this build on this platform can honour, by manifest key.
    pub supported_settings: Vec<String>,
}

/// Where an engine's source came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourcePin {
    /// The committed pin, verified.
    Pinned {
        /// Package name.
        package: String,
        /// Exact version.
        version: String,
    },
    /// Some other tree or prebuilt libraries: every record says so.
    Unpinned {
        /// `source` or `libraries`.
        form: String,
        /// Commit of that tree, where git knows it.
        commit: Option<String>,
        /// Whether that tree had changes, where git knows it.
        dirty: Option<bool>,
        /// BLAKE3 of those changes, where whoever built it said so; hexadecimal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        difference: Option<String>,
    },
}

/// A model as the engine read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    /// `llama`, `qwen3`, …
    pub architecture: String,
    /// The engine's one-line description.
    pub description: String,
    /// Number of parameters.
    pub parameters: u64,
    /// Length of a row of logits.
    pub vocabulary: u32,
    /// Context length at training.
    pub trained_context_tokens: u32,
    /// Number of layers.
    pub layers: u32,
    /// Bytes of tensors.
    pub tensor_bytes: u64,
    /// Tensor types, most bytes first.
    pub tensor_types: Vec<TensorTypeBytes>,
}

/// How much of a model is of one tensor type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorTypeBytes {
    /// `q4_1`, `f32`, …
    pub tensor_type: String,
    /// Number of tensors.
    pub tensors: u32,
    /// Bytes in all.
    pub bytes: u64,
}

/// One allocation class on one device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferBytes {
    /// Buffer type by the engine's name (`CPU`, `CPU_REPACK`, `CUDA0`, …).
    pub device: String,
    /// What it holds.
    pub kind: BufferKind,
    /// Its size.
    pub bytes: u64,
}

/// What a buffer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferKind {
    /// The model's tensors.
    Weights,
    /// Keys and values.
    Kv,
    /// Scratch of the graph.
    Compute,
    /// Logits and embeddings handed out.
    Output,
}

/// How often an operation ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationCount {
    /// The engine's name of the operation, lower case (`mul_mat`, `flash_attn_ext`, …).
    pub operation: String,
    /// The device that ran it.
    pub device: String,
    /// How often.
    pub count: u64,
}
