//! Another form of a model: the same tensors in other types, by the engine's own quantiser.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TensorTypeBytes;

/// Asks for a form of a model file. No model needs to be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequantiseRequest {
    /// A GGUF file; a quantised one is dequantised first.
    pub source_path: String,
    /// Where the new file is written.
    pub target_path: String,
    /// Which form.
    pub form: Form,
    /// Threads of the quantiser.
    pub threads: u32,
}

/// A new model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requantised {
    /// Length of the file.
    pub bytes: u64,
    /// Tensor types of the new file, most bytes first.
    pub tensor_types: Vec<TensorTypeBytes>,
}

/// The types that a model's matrices can be stored in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "names of ggml's tensor types, without mixtures")]
pub enum Form {
    F32,
    F16,
    Bf16,
    Q8_0,
    Q6K,
    Q5K,
    Q5_1,
    Q5_0,
    Q4K,
    Q4_1,
    Q4_0,
    Iq4Nl,
}
