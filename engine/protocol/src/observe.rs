//! Looking into the graph: the tensors between the tokens and the logits.

use serde::{Deserialize, Serialize};

use crate::Token;

/// One evaluation whose inner tensors are written to a file. The text is evaluated in one batch
/// from an empty KV cache, in a context of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserveRequest {
    /// The text, as long as a sequence can be: the micro-batch is made to hold it.
    pub tokens: Vec<Token>,
    /// Which nodes of the graph are written.
    pub tensors: Selection,
    /// Of which positions the values are written, ascending, at least one. A tensor that is not laid out by
    /// position (attention scores) is written whole.
    pub positions: Vec<u32>,
    /// Nodes whose values are replaced as soon as they are computed: what follows is computed
    /// from these.
    pub replace: Vec<Replacement>,
    /// Where to write: the values of all tensors one after the other, little-endian f32.
    pub path: String,
}

/// Which nodes of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All that have a name of their own and are floating point.
    All,
    /// These, by the engine's names (`attn_norm-0`, `l_out-3`).
    Named(Vec<String>),
}

/// Values that take a node's place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The engine's name of the node.
    pub tensor: String,
    /// Little-endian f32, as many as the node has values (all positions).
    pub path: String,
}

/// The tensors of one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// The file.
    pub path: String,
    /// In order of execution, as they lie in the file.
    pub tensors: Vec<ObservedTensor>,
    /// BLAKE3 of the file, hexadecimal.
    pub blake3: String,
}

/// One tensor of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedTensor {
    /// The engine's name; a name that is computed several times gets `#2`, `#3`, … from the second
    /// on.
    pub name: String,
    /// The engine's name of the operation, lower case.
    pub operation: String,
    /// The device that computed it.
    pub device: String,
    /// What `rows` of the file mean.
    pub layout: TensorLayout,
    /// Rows in the file.
    pub rows: u64,
    /// Values of a row.
    pub width: u64,
    /// First value in the file, counted in values.
    pub offset: u64,
}

/// How a tensor's values lie in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TensorLayout {
    /// A row for each position that was asked for; a row holds all values of that position.
    ByPosition,
    /// The engine's own order, whole: the positions asked for cannot be picked out.
    Whole,
}
