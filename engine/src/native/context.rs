//! A context: one KV cache with its thread pools.

use std::ptr::{self, NonNull};
use std::rc::Rc;

use engine_protocol::{BufferKind, Token};
use engine_sys as sys;

use super::status::{check, or_failed};
use super::{ModelHandle, Options, text};
use crate::EngineError;

/// Numbers that a context states about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextNumber {
    Tokens,
    SequenceTokens,
    BatchTokens,
    MicroBatchTokens,
    Threads,
    BatchThreads,
    FlashAttention,
    KeyType,
    ValueType,
    KvOffload,
    ParallelSequences,
}

/// One buffer, as allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BufferItem {
    pub(crate) buffer_type: String,
    pub(crate) device: String,
    pub(crate) kind: BufferKind,
    pub(crate) bytes: u64,
}

/// One kind of operation on one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OperationItem {
    pub(crate) operation: String,
    pub(crate) device: String,
    pub(crate) count: u64,
}

/// Tokens of one evaluation, each with its position, its sequence, and whether its row of logits is
/// kept.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    tokens: Vec<Token>,
    positions: Vec<i32>,
    sequences: Vec<i32>,
    outputs: Vec<u8>,
}

/// Whether a token's row of logits is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// It can be read afterwards.
    Kept,
    /// It is not even computed.
    None,
}

impl Batch {
    pub(crate) fn push(&mut self, token: Token, position: i32, sequence: i32, output: Output) {
        self.tokens.push(token);
        self.positions.push(position);
        self.sequences.push(sequence);
        self.outputs.push(u8::from(output == Output::Kept));
    }
}

/// Owner of a context; keeps the model.
#[derive(Debug)]
pub(crate) struct Context {
    handle: NonNull<sys::runner_shim_context>,
    _model: Rc<ModelHandle>,
}

impl Context {
    pub(crate) fn new(model: &Rc<ModelHandle>, options: &Options) -> Result<Self, EngineError> {
        let mut handle = ptr::null_mut();
        // SAFETY: model and options are alive during the call; the model outlives the context,
        // which owns a share of it.
        check(unsafe {
            sys::runner_shim_context_new(model.as_ptr(), options.as_ptr(), &raw mut handle)
        })?;
        NonNull::new(handle)
            .map(|handle| Self { handle, _model: Rc::clone(model) })
            .ok_or_else(|| EngineError::Context("the engine gave no reason".to_owned()))
    }

    pub(crate) fn read(&self, number: ContextNumber) -> Result<i64, EngineError> {
        let number = match number {
            ContextNumber::Tokens => sys::RUNNER_SHIM_CONTEXT_TOKENS,
            ContextNumber::SequenceTokens => sys::RUNNER_SHIM_CONTEXT_SEQUENCE_TOKENS,
            ContextNumber::BatchTokens => sys::RUNNER_SHIM_CONTEXT_BATCH_TOKENS,
            ContextNumber::MicroBatchTokens => sys::RUNNER_SHIM_CONTEXT_MICRO_BATCH_TOKENS,
            ContextNumber::Threads => sys::RUNNER_SHIM_CONTEXT_THREADS,
            ContextNumber::BatchThreads => sys::RUNNER_SHIM_CONTEXT_BATCH_THREADS,
            ContextNumber::FlashAttention => sys::RUNNER_SHIM_CONTEXT_FLASH_ATTENTION,
            ContextNumber::KeyType => sys::RUNNER_SHIM_CONTEXT_KEY_TYPE,
            ContextNumber::ValueType => sys::RUNNER_SHIM_CONTEXT_VALUE_TYPE,
            ContextNumber::KvOffload => sys::RUNNER_SHIM_CONTEXT_KV_OFFLOAD,
            ContextNumber::ParallelSequences => sys::RUNNER_SHIM_CONTEXT_PARALLEL_SEQUENCES,
        };
        let mut value = 0;
        // SAFETY: the handle is alive; `value` is writable during the call.
        check(unsafe { sys::runner_shim_context_read(self.as_ptr(), number, &raw mut value) })?;
        Ok(value)
    }

    /// Evaluates one batch at `position`, keeping logits from index `first_output` on.
    pub(crate) fn decode(
        &mut self,
        tokens: &[Token],
        position: i32,
        first_output: usize,
    ) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the tokens are valid for their length during the call, and
        // the engine copies what it needs of them.
        check(unsafe {
            sys::runner_shim_decode(
                self.as_ptr(),
                tokens.as_ptr(),
                tokens.len(),
                position,
                first_output,
            )
        })
    }

    /// Evaluates one batch with everything said of each token.
    pub(crate) fn evaluate(&mut self, batch: &Batch) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the four lists have one length (`Batch::push` is the only
        // way to fill them) and are valid for it during the call.
        check(unsafe {
            sys::runner_shim_evaluate(
                self.as_ptr(),
                batch.tokens.as_ptr(),
                batch.positions.as_ptr(),
                batch.sequences.as_ptr(),
                batch.outputs.as_ptr(),
                batch.tokens.len(),
            )
        })
    }

    pub(crate) fn synchronize(&mut self) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_synchronize(self.as_ptr()) })
    }

    /// Fills `row`, which must be as long as the vocabulary.
    pub(crate) fn logits(&mut self, index: usize, row: &mut [f32]) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the row is writable for its length, which the shim checks.
        check(unsafe { sys::runner_shim_logits(self.as_ptr(), index, row.as_mut_ptr(), row.len()) })
    }

    pub(crate) fn argmax(&mut self, index: usize) -> Result<Token, EngineError> {
        let mut token = 0;
        // SAFETY: the handle is alive; `token` is writable during the call.
        check(unsafe { sys::runner_shim_argmax(self.as_ptr(), index, &raw mut token) })?;
        Ok(token)
    }

    pub(crate) fn trim(&mut self, position: i32) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_trim(self.as_ptr(), position) })
    }

    pub(crate) fn clear(&mut self) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_clear(self.as_ptr()) })
    }

    /// Puts the engine's own threads to sleep until the next evaluation.
    pub(crate) fn rest(&mut self) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_rest(self.as_ptr()) })
    }

    /// Sizes of all buffers, as they are now.
    pub(crate) fn buffers(&mut self) -> Result<Vec<BufferItem>, EngineError> {
        let mut count = 0;
        // SAFETY: the handle is alive; `count` is writable during the call.
        check(unsafe { sys::runner_shim_buffers_read(self.as_ptr(), &raw mut count) })?;
        (0..count).map(|index| self.buffer(index)).collect()
    }

    fn buffer(&self, index: usize) -> Result<BufferItem, EngineError> {
        let (mut kind, mut bytes) = (sys::RUNNER_SHIM_BUFFER_WEIGHTS, 0);
        // SAFETY: the handle is alive; the numbers are writable, and the buffer is valid for
        // `capacity` bytes, during the call.
        let buffer_type = text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_buffer(
                self.as_ptr(),
                index,
                &raw mut kind,
                &raw mut bytes,
                buffer,
                capacity,
                length,
            )
        })
        .or_else(or_failed)?;
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        let device = text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_buffer_device(self.as_ptr(), index, buffer, capacity, length)
        })
        .or_else(or_failed)?;
        let kind = match kind {
            sys::RUNNER_SHIM_BUFFER_WEIGHTS => BufferKind::Weights,
            sys::RUNNER_SHIM_BUFFER_KV => BufferKind::Kv,
            sys::RUNNER_SHIM_BUFFER_COMPUTE => BufferKind::Compute,
            _ => BufferKind::Output,
        };
        Ok(BufferItem { buffer_type, device, kind, bytes })
    }

    /// Operations counted so far; none in a context that is not observed.
    pub(crate) fn operations(&self) -> Result<Vec<OperationItem>, EngineError> {
        // SAFETY: the handle is alive.
        let count = unsafe { sys::runner_shim_operation_count(self.as_ptr()) };
        (0..count)
            .map(|index| {
                let mut times = 0;
                // SAFETY: the handle is alive; `times` is writable, and the buffer is valid for
                // `capacity` bytes, during the call.
                let operation = text::read(|buffer, capacity, length| unsafe {
                    sys::runner_shim_operation(
                        self.as_ptr(),
                        index,
                        &raw mut times,
                        buffer,
                        capacity,
                        length,
                    )
                })
                .or_else(or_failed)?;
                // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
                let device = text::read(|buffer, capacity, length| unsafe {
                    sys::runner_shim_operation_device(
                        self.as_ptr(),
                        index,
                        buffer,
                        capacity,
                        length,
                    )
                })
                .or_else(or_failed)?;
                Ok(OperationItem { operation, device, count: times })
            })
            .collect()
    }

    pub(super) fn as_ptr(&self) -> *mut sys::runner_shim_context {
        self.handle.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, alive, and freed only here.
        unsafe { sys::runner_shim_context_free(self.handle.as_ptr()) }
    }
}
