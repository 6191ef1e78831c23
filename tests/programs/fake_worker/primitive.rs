//! Primitives that nobody computes: counted by the protocol's rules, timed by the script.

use engine_protocol::{OperationCount, Primitive, PrimitiveRequest, PrimitiveTimed, Reply};
use serde::Deserialize;

/// How primitives behave.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Primitives {
    pub bytes_per_second: u64,
    /// The rate when there is more than one piece.
    pub bytes_per_second_in_pieces: u64,
    /// Added to the pieces that are reported.
    pub pieces_off_by: i64,
    /// Added to the bytes that are reported, when more than one repetition is timed.
    pub bytes_off_by: i64,
    /// Added to the bytes that are reported where there is more than one piece.
    pub bytes_off_in_pieces: i64,
}

impl Default for Primitives {
    fn default() -> Primitives {
        Primitives {
            bytes_per_second: 1_000_000_000,
            bytes_per_second_in_pieces: 1_000_000_000,
            pieces_off_by: 0,
            bytes_off_by: 0,
            bytes_off_in_pieces: 0,
        }
    }
}

/// What one repetition is.
struct Work {
    operation: &'static str,
    pieces: u64,
    bytes: u64,
    operations: u64,
}

/// The answer. `time` makes a reading of the clock out of nanoseconds.
pub fn timed(
    request: &PrimitiveRequest,
    behaviour: &Primitives,
    time: &mut dyn FnMut(u64) -> u64,
) -> Reply {
    let work = work(&request.primitive);
    let rate = if work.pieces > 1 {
        behaviour.bytes_per_second_in_pieces
    } else {
        behaviour.bytes_per_second
    };
    let each = u128::from(work.bytes) * 1_000_000_000 / u128::from(rate.max(1));
    let each = u64::try_from(each).unwrap_or(u64::MAX);
    let nanoseconds: Vec<u64> = (0..request.repetitions).map(|_| time(each)).collect();
    let mut bytes = work.bytes;
    if request.repetitions > 1 {
        bytes = bytes.saturating_add_signed(behaviour.bytes_off_by);
    }
    if work.pieces > 1 {
        bytes = bytes.saturating_add_signed(behaviour.bytes_off_in_pieces);
    }
    Reply::Primitive(PrimitiveTimed {
        nanoseconds,
        bytes_moved: bytes,
        operations: work.operations,
        evaluated: vec![OperationCount {
            operation: work.operation.to_owned(),
            device: "CPU".to_owned(),
            count: work.pieces.saturating_add_signed(behaviour.pieces_off_by),
        }],
        buffers: request.buffers.unwrap_or(4),
        buffer_bytes: work.bytes,
        cache_bytes: None,
    })
}

fn work(primitive: &Primitive) -> Work {
    match primitive {
        Primitive::Copy { pieces } => Work {
            operation: "cpy",
            pieces: pieces.len() as u64,
            bytes: 2 * pieces.iter().sum::<u64>(),
            operations: 0,
        },
        // one byte a weight, and four a number of the operand and the result
        Primitive::MatrixProduct { matrices, batch, .. } => {
            let weights: u64 = matrices.iter().map(|one| one.rows * one.columns).sum();
            Work {
                operation: "mul_mat",
                pieces: matrices.len() as u64,
                bytes: weights,
                operations: 2 * weights * u64::from(*batch),
            }
        }
        Primitive::Attention { pieces, shape } => {
            let keys = u64::from(shape.key_value_heads)
                * u64::from(shape.head_width)
                * u64::from(shape.cells);
            let scores = u64::from(shape.heads)
                * u64::from(shape.head_width)
                * u64::from(shape.cells)
                * u64::from(shape.batch);
            Work {
                operation: "flash_attn_ext",
                pieces: u64::from(*pieces),
                bytes: u64::from(*pieces) * 4 * keys,
                operations: u64::from(*pieces) * 4 * scores,
            }
        }
    }
}
