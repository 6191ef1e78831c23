//! Primitives: one kind of operation, timed by itself over buffers larger than the cache.

use std::time::Instant;

use engine_protocol::{OperationCount, Primitive, PrimitiveRequest, PrimitiveTimed};

use super::Session;
use super::blocks::to_nanoseconds;
use super::options::{Purpose, context_options};
use crate::native::{Options, PrimitiveHandle, PrimitiveNumber};
use crate::{EngineError, cache};

/// Buffers together are so many times as large as the last-level cache: when one is used again,
/// three caches full of others have gone by.
const CACHES_FULL: u64 = 4;

/// Where the cache cannot be read, and on a device: none that is known to us is larger (AMD states
/// 256 MB of Infinity Cache for its MI300X).
const ASSUMED_CACHE_BYTES: u64 = 256 << 20;

/// Most bytes of all buffers together. More is surely a slip: it would take minutes to fill.
const MOST_BYTES: u64 = 4 << 30;

/// Most buffers: beyond it the graphs themselves take the room.
const MOST_BUFFERS: u64 = 1 << 16;

/// Name of the device whose cache the kernel describes.
const PROCESSOR: &str = "CPU";

/// A primitive whose buffers are allocated and filled.
#[derive(Debug)]
pub(super) struct Allocated {
    primitive: Primitive,
    asked_buffers: Option<u32>,
    handle: PrimitiveHandle,
    buffers: u32,
    buffer_bytes: u64,
    cache_bytes: Option<u64>,
}

impl Session {
    /// Times a primitive; see [`PrimitiveRequest`]. Its buffers are kept for the next request of the
    /// same.
    ///
    /// # Errors
    /// [`EngineError::Request`] where nothing would be computed, [`EngineError::Unsupported`] for what
    /// the backend cannot compute and for more memory than this program gives,
    /// [`EngineError::Context`] where there is no memory, [`EngineError::Compute`] when the engine
    /// fails or computes something else.
    pub fn primitive(&mut self, request: &PrimitiveRequest) -> Result<PrimitiveTimed, EngineError> {
        if request.repetitions == 0 {
            return Err(EngineError::Request("no repetition is asked for".to_owned()));
        }
        let kept = self.primitive.take().filter(|kept| {
            kept.primitive == request.primitive && kept.asked_buffers == request.buffers
        });
        let mut allocated = match kept {
            Some(kept) => kept,
            None => {
                let options = context_options(&self.asked, self.masked, Purpose::Timed)?;
                Allocated::new(request, &options)?
            }
        };
        let timed = allocated.time(request);
        self.primitive = Some(allocated);
        timed
    }
}

impl Allocated {
    fn new(request: &PrimitiveRequest, options: &Options) -> Result<Self, EngineError> {
        let mut handle = PrimitiveHandle::new(options)?;
        add_pieces(&mut handle, &request.primitive)?;
        let buffer_bytes = handle.plan()?;
        let on_processor = handle.device()? == PROCESSOR;
        let cache_bytes = on_processor.then(cache::last_level_bytes).flatten();
        let buffers = match request.buffers {
            Some(buffers) => u64::from(buffers),
            None => buffers_beyond(cache_bytes.unwrap_or(ASSUMED_CACHE_BYTES), buffer_bytes),
        };
        let all = buffer_bytes.checked_mul(buffers).filter(|bytes| *bytes <= MOST_BYTES);
        if all.is_none() || buffers > MOST_BUFFERS {
            return Err(EngineError::Unsupported(format!(
                "{buffers} buffers of {buffer_bytes} bytes are more than the {MOST_BUFFERS} buffers \
                 or {MOST_BYTES} bytes that a primitive gets"
            )));
        }
        let buffers = u32::try_from(buffers).unwrap_or(u32::MAX);
        if buffers == 0 {
            return Err(EngineError::Request("a primitive without a buffer".to_owned()));
        }
        handle.allocate(buffers)?;
        // What is wrong is found before it is timed.
        handle.run(0)?;
        handle.synchronize()?;
        handle.check(0)?;
        Ok(Self {
            primitive: request.primitive.clone(),
            asked_buffers: request.buffers,
            handle,
            buffers,
            buffer_bytes,
            cache_bytes,
        })
    }

    fn time(&mut self, request: &PrimitiveRequest) -> Result<PrimitiveTimed, EngineError> {
        let mut buffers =
            (0..self.buffers).cycle().skip((request.first_buffer % self.buffers) as usize);
        let mut next = || buffers.next().unwrap_or(0);
        for _ in 0..request.untimed_repetitions {
            self.handle.run(next())?;
            self.handle.synchronize()?;
        }
        let mut nanoseconds = Vec::with_capacity(request.repetitions as usize);
        for _ in 0..request.repetitions {
            let buffer = next();
            let start = Instant::now();
            self.handle.run(buffer)?;
            self.handle.synchronize()?;
            nanoseconds.push(to_nanoseconds(start.elapsed()));
        }
        self.handle.rest()?;
        Ok(PrimitiveTimed {
            nanoseconds,
            bytes_moved: self.handle.read(PrimitiveNumber::BytesMoved)?,
            operations: self.handle.read(PrimitiveNumber::Operations)?,
            evaluated: vec![OperationCount {
                operation: self.handle.operation()?,
                device: self.handle.device()?,
                count: self.handle.read(PrimitiveNumber::Pieces)?,
            }],
            buffers: self.buffers,
            buffer_bytes: self.buffer_bytes,
            cache_bytes: self.cache_bytes,
        })
    }
}

fn add_pieces(handle: &mut PrimitiveHandle, primitive: &Primitive) -> Result<(), EngineError> {
    match primitive {
        Primitive::Copy { pieces } => pieces.iter().try_for_each(|bytes| handle.add_copy(*bytes)),
        Primitive::MatrixProduct { weight_type, matrices, batch } => {
            matrices.iter().try_for_each(|shape| handle.add_product(*weight_type, *shape, *batch))
        }
        Primitive::Attention { pieces, shape } => {
            (0..*pieces).try_for_each(|_| handle.add_attention(*shape))
        }
    }
}

/// Two or more, so that the same operands never come twice in a row.
fn buffers_beyond(cache_bytes: u64, buffer_bytes: u64) -> u64 {
    cache_bytes.saturating_mul(CACHES_FULL).div_ceil(buffer_bytes.max(1)).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_four_caches_and_two_at_least() {
        assert_eq!(buffers_beyond(32 << 20, 1 << 20), 128);
        assert_eq!(buffers_beyond(32 << 20, (1 << 20) + 1), 128);
        assert_eq!(buffers_beyond(1 << 10, 1 << 30), 2);
        assert_eq!(buffers_beyond(u64::MAX, 0), u64::MAX);
    }
}
