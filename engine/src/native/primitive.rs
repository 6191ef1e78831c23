//! One kind of operation by itself, over buffers in rotation.

use std::ptr::{self, NonNull};

use engine_protocol::{AttentionShape, Form, MatrixShape};
use engine_sys as sys;

use super::file::form_number;
use super::status::{check, or_failed};
use super::{Options, text};
use crate::EngineError;

/// Numbers that a planned primitive states about itself, of one repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrimitiveNumber {
    Pieces,
    BytesMoved,
    Operations,
}

/// Owner of a primitive with its backend, threads and buffers. The library must be running, which
/// the session's model sees to.
#[derive(Debug)]
pub(crate) struct PrimitiveHandle {
    handle: NonNull<sys::runner_shim_primitive>,
}

impl PrimitiveHandle {
    /// On the backend that a model with these options has, without a piece.
    pub(crate) fn new(options: &Options) -> Result<Self, EngineError> {
        let mut handle = ptr::null_mut();
        // SAFETY: the options are alive during the call, and are not kept.
        check(unsafe { sys::runner_shim_primitive_new(options.as_ptr(), &raw mut handle) })?;
        NonNull::new(handle)
            .map(|handle| Self { handle })
            .ok_or_else(|| EngineError::Compute("the engine gave no reason".to_owned()))
    }

    pub(crate) fn add_copy(&mut self, bytes: u64) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_primitive_copy(self.as_ptr(), bytes) })
    }

    pub(crate) fn add_product(
        &mut self,
        weights: Form,
        shape: MatrixShape,
        batch: u32,
    ) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe {
            sys::runner_shim_primitive_product(
                self.as_ptr(),
                form_number(weights),
                shape.rows,
                shape.columns,
                u64::from(batch),
            )
        })
    }

    pub(crate) fn add_attention(&mut self, shape: AttentionShape) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe {
            sys::runner_shim_primitive_attention(
                self.as_ptr(),
                u64::from(shape.heads),
                u64::from(shape.key_value_heads),
                u64::from(shape.head_width),
                u64::from(shape.cells),
                u64::from(shape.batch),
            )
        })
    }

    /// Bytes of one buffer.
    pub(crate) fn plan(&mut self) -> Result<u64, EngineError> {
        let mut bytes = 0;
        // SAFETY: the handle is alive; `bytes` is writable during the call.
        check(unsafe { sys::runner_shim_primitive_plan(self.as_ptr(), &raw mut bytes) })?;
        Ok(bytes)
    }

    pub(crate) fn allocate(&mut self, buffers: u32) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_primitive_allocate(self.as_ptr(), u64::from(buffers)) })
    }

    pub(crate) fn read(&self, number: PrimitiveNumber) -> Result<u64, EngineError> {
        let number = match number {
            PrimitiveNumber::Pieces => sys::RUNNER_SHIM_PRIMITIVE_PIECES,
            PrimitiveNumber::BytesMoved => sys::RUNNER_SHIM_PRIMITIVE_BYTES_MOVED,
            PrimitiveNumber::Operations => sys::RUNNER_SHIM_PRIMITIVE_OPERATIONS,
        };
        let mut value = 0;
        // SAFETY: the handle is alive; `value` is writable during the call.
        check(unsafe { sys::runner_shim_primitive_read(self.as_ptr(), number, &raw mut value) })?;
        Ok(value)
    }

    /// The engine's name of the operation.
    pub(crate) fn operation(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_primitive_operation(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    pub(crate) fn device(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_primitive_device(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    /// Hands all pieces on one buffer to the backend.
    pub(crate) fn run(&mut self, buffer: u32) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the shim checks the number.
        check(unsafe { sys::runner_shim_primitive_run(self.as_ptr(), u64::from(buffer)) })
    }

    pub(crate) fn synchronize(&mut self) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_primitive_synchronize(self.as_ptr()) })
    }

    /// Fails where the buffer does not hold what was to be computed.
    pub(crate) fn check(&mut self, buffer: u32) -> Result<(), EngineError> {
        // SAFETY: the handle is alive; the shim checks the number.
        check(unsafe { sys::runner_shim_primitive_check(self.as_ptr(), u64::from(buffer)) })
    }

    pub(crate) fn rest(&mut self) -> Result<(), EngineError> {
        // SAFETY: the handle is alive.
        check(unsafe { sys::runner_shim_primitive_rest(self.as_ptr()) })
    }

    fn as_ptr(&self) -> *mut sys::runner_shim_primitive {
        self.handle.as_ptr()
    }
}

impl Drop for PrimitiveHandle {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, alive, and freed only here.
        unsafe { sys::runner_shim_primitive_free(self.handle.as_ptr()) }
    }
}
