//! The model's tensors as the engine holds them.

use serde::{Deserialize, Serialize};

/// Asks for the loaded tensors, dequantised by the engine's own functions. One that a backend keeps
/// in an order of its own is read from a second copy of the file, loaded without that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsRequest {
    /// Names; empty for all.
    pub tensors: Vec<String>,
    /// Where to write: the values of all tensors one after the other, little-endian f32.
    pub path: String,
}

/// Tensors on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightsFile {
    /// The file.
    pub path: String,
    /// As they lie in the file.
    pub tensors: Vec<WeightTensor>,
    /// BLAKE3 of the file, hexadecimal.
    pub blake3: String,
}

/// One tensor of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightTensor {
    /// Its name in the model file.
    pub name: String,
    /// Its type as loaded: `q4_1`, `f32`, …
    pub tensor_type: String,
    /// Lengths of its dimensions, the fastest first, as the engine counts.
    pub shape: Vec<u64>,
    /// First value in the file, counted in values.
    pub offset: u64,
}
