//! Model files that are not loaded: their tensor types, and other forms of them.

use std::ffi::CString;
use std::ptr::{self, NonNull};

use engine_protocol::{Form, TensorTypeBytes};
use engine_sys as sys;

use super::status::{check, or_failed};
use super::{Library, text};
use crate::EngineError;

impl Library {
    /// Writes `target` with every matrix of `source` in the form's type, where its rows allow it.
    /// After a failure the target is no model.
    pub(crate) fn requantise(
        &self,
        source: &str,
        target: &str,
        form: Form,
        threads: u32,
    ) -> Result<(), EngineError> {
        let (source, target) = (terminated(source)?, terminated(target)?);
        // SAFETY: the library is started; both paths are zero-terminated and alive during the call.
        check(unsafe {
            sys::runner_shim_requantise(
                source.as_ptr(),
                target.as_ptr(),
                form_number(form),
                threads,
            )
        })
    }

    /// Tensor types of a file, most bytes first.
    pub(crate) fn tensor_types(&self, path: &str) -> Result<Vec<TensorTypeBytes>, EngineError> {
        TypesHandle::read(path)?.items()
    }
}

/// The shim's number of a form.
pub(super) fn form_number(form: Form) -> sys::runner_shim_form {
    match form {
        Form::F32 => sys::RUNNER_SHIM_FORM_F32,
        Form::F16 => sys::RUNNER_SHIM_FORM_F16,
        Form::Bf16 => sys::RUNNER_SHIM_FORM_BF16,
        Form::Q8_0 => sys::RUNNER_SHIM_FORM_Q8_0,
        Form::Q6K => sys::RUNNER_SHIM_FORM_Q6_K,
        Form::Q5K => sys::RUNNER_SHIM_FORM_Q5_K,
        Form::Q5_1 => sys::RUNNER_SHIM_FORM_Q5_1,
        Form::Q5_0 => sys::RUNNER_SHIM_FORM_Q5_0,
        Form::Q4K => sys::RUNNER_SHIM_FORM_Q4_K,
        Form::Q4_1 => sys::RUNNER_SHIM_FORM_Q4_1,
        Form::Q4_0 => sys::RUNNER_SHIM_FORM_Q4_0,
        Form::Iq4Nl => sys::RUNNER_SHIM_FORM_IQ4_NL,
    }
}

pub(super) fn terminated(path: &str) -> Result<CString, EngineError> {
    CString::new(path).map_err(|_| EngineError::Model("the path contains a zero byte".to_owned()))
}

/// Owner of a list of tensor types.
struct TypesHandle {
    handle: NonNull<sys::runner_shim_types>,
}

impl TypesHandle {
    fn read(path: &str) -> Result<Self, EngineError> {
        let path = terminated(path)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the path is zero-terminated and alive during the call.
        check(unsafe { sys::runner_shim_types_read(path.as_ptr(), &raw mut handle) })?;
        NonNull::new(handle)
            .map(|handle| Self { handle })
            .ok_or_else(|| EngineError::Model("the engine gave no reason".to_owned()))
    }

    fn items(&self) -> Result<Vec<TensorTypeBytes>, EngineError> {
        // SAFETY: the handle is alive.
        let count = unsafe { sys::runner_shim_types_count(self.handle.as_ptr()) };
        (0..count)
            .map(|index| {
                let (mut tensors, mut bytes) = (0, 0);
                // SAFETY: the handle is alive; the numbers are writable, and the buffer is valid
                // for `capacity` bytes, during the call.
                let tensor_type = text::read(|buffer, capacity, length| unsafe {
                    sys::runner_shim_types_item(
                        self.handle.as_ptr(),
                        index,
                        &raw mut tensors,
                        &raw mut bytes,
                        buffer,
                        capacity,
                        length,
                    )
                })
                .or_else(or_failed)?;
                Ok(TensorTypeBytes { tensor_type, tensors, bytes })
            })
            .collect()
    }
}

impl Drop for TypesHandle {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, alive, and freed only here.
        unsafe { sys::runner_shim_types_free(self.handle.as_ptr()) }
    }
}
