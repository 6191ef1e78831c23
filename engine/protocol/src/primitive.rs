//! One kind of operation by itself: what a kernel does when nothing but it runs.

use serde::{Deserialize, Serialize};

use crate::{Form, OperationCount};

/// Computes a primitive several times, each time on the next of several buffers, so that no
/// repetition finds its operands in the cache. Each repetition is synchronised before the clock is
/// read. Needs a loaded model: its settings say where and with how many threads is computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrimitiveRequest {
    /// What is computed.
    pub primitive: Primitive,
    /// Repetitions before the clock is looked at.
    pub untimed_repetitions: u32,
    /// Repetitions that are timed, each by itself; at least one.
    pub repetitions: u32,
    /// Buffers to rotate over; absent: two or more, and so many that together they are at least four
    /// times as large as the last-level cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffers: Option<u32>,
    /// The first repetition works on this one, counted modulo the number of buffers.
    pub first_buffer: u32,
}

/// What is computed in one repetition: one kind of operation, in one piece or in several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Primitive {
    /// Copies from one place to another.
    Copy {
        /// Bytes of each, even numbers.
        pieces: Vec<u64>,
    },
    /// Products of a matrix of weights with columns of f32.
    MatrixProduct {
        /// Type of the weights; they lie in memory as in a file.
        weight_type: Form,
        /// One product for each.
        matrices: Vec<MatrixShape>,
        /// Columns of f32.
        batch: u32,
    },
    /// Fused attention over keys and values in f16.
    Attention {
        /// So many, all of this shape.
        pieces: u32,
        /// The shape.
        shape: AttentionShape,
    },
}

/// A matrix of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixShape {
    /// Values of a result's column.
    pub rows: u64,
    /// Values of an operand's column.
    pub columns: u64,
}

/// The sizes of one attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttentionShape {
    /// Heads of queries.
    pub heads: u32,
    /// Heads of keys and values; divides `heads`.
    pub key_value_heads: u32,
    /// Values of a head.
    pub head_width: u32,
    /// Keys and values that each query attends to.
    pub cells: u32,
    /// Queries of a head.
    pub batch: u32,
}

/// A primitive, timed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrimitiveTimed {
    /// One for each timed repetition: monotonic, read after synchronisation.
    pub nanoseconds: Vec<u64>,
    /// Of one repetition, counted over what was computed: each operand is read once, each result
    /// written once.
    pub bytes_moved: u64,
    /// Multiplications and additions of one repetition, counted over what was computed.
    pub operations: u64,
    /// Operations of one repetition by kind and device: as many as there are pieces.
    pub evaluated: Vec<OperationCount>,
    /// Buffers that were rotated over.
    pub buffers: u32,
    /// Bytes of one of them.
    pub buffer_bytes: u64,
    /// The last-level cache, where it can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_bytes: Option<u64>,
}
