//! A loaded model.

use std::ptr::{self, NonNull};
use std::rc::Rc;

use engine_protocol::{TensorTypeBytes, Token};
use engine_sys as sys;

use super::file::terminated;
use super::status::{check, or_failed};
use super::{Library, OptionKey, Options, text};
use crate::EngineError;

/// Numbers that a model states about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelNumber {
    Parameters,
    Vocabulary,
    TrainedContext,
    Layers,
    TensorBytes,
}

/// Owner of a model; keeps the library running.
#[derive(Debug)]
pub(crate) struct ModelHandle {
    handle: NonNull<sys::runner_shim_model>,
    library: Rc<Library>,
    path: String,
}

impl ModelHandle {
    pub(crate) fn load(
        library: &Rc<Library>,
        path: &str,
        options: &Options,
    ) -> Result<Self, EngineError> {
        let terminated = terminated(path)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the path is zero-terminated and, like the options, alive during the call.
        check(unsafe {
            sys::runner_shim_model_load(terminated.as_ptr(), options.as_ptr(), &raw mut handle)
        })?;
        NonNull::new(handle)
            .map(|handle| Self { handle, library: Rc::clone(library), path: path.to_owned() })
            .ok_or_else(|| EngineError::Model("the engine gave no reason".to_owned()))
    }

    /// A second copy of the file, with every tensor in memory as it lies in the file.
    pub(crate) fn copy_as_in_file(&self) -> Result<Self, EngineError> {
        let mut options = Options::new()?;
        options.set(OptionKey::Repack, 0)?;
        Self::load(&self.library, &self.path, &options)
    }

    pub(crate) fn warnings(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_model_warnings(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    pub(crate) fn architecture(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_model_architecture(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    pub(crate) fn description(&self) -> Result<String, EngineError> {
        // SAFETY: the handle is alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_model_description(self.as_ptr(), buffer, capacity, length)
        })
        .or_else(or_failed)
    }

    /// How the other model's vocabulary differs, in words; empty when it does not.
    pub(crate) fn vocabulary_difference(&self, other: &ModelHandle) -> Result<String, EngineError> {
        // SAFETY: both handles are alive; the buffer is valid for `capacity` bytes.
        text::read(|buffer, capacity, length| unsafe {
            sys::runner_shim_vocabulary_difference(
                self.as_ptr(),
                other.as_ptr(),
                buffer,
                capacity,
                length,
            )
        })
        .or_else(or_failed)
    }

    pub(crate) fn read(&self, number: ModelNumber) -> Result<u64, EngineError> {
        let number = match number {
            ModelNumber::Parameters => sys::RUNNER_SHIM_MODEL_PARAMETERS,
            ModelNumber::Vocabulary => sys::RUNNER_SHIM_MODEL_VOCABULARY,
            ModelNumber::TrainedContext => sys::RUNNER_SHIM_MODEL_TRAINED_CONTEXT,
            ModelNumber::Layers => sys::RUNNER_SHIM_MODEL_LAYERS,
            ModelNumber::TensorBytes => sys::RUNNER_SHIM_MODEL_TENSOR_BYTES,
        };
        let mut value = 0;
        // SAFETY: the handle is alive; `value` is writable during the call.
        check(unsafe { sys::runner_shim_model_read(self.as_ptr(), number, &raw mut value) })?;
        Ok(value)
    }

    /// Tensor types of the file, most bytes first.
    pub(crate) fn tensor_types(&self) -> Result<Vec<TensorTypeBytes>, EngineError> {
        // SAFETY: the handle is alive.
        let count = unsafe { sys::runner_shim_model_tensor_type_count(self.as_ptr()) };
        (0..count)
            .map(|index| {
                let (mut tensors, mut bytes) = (0, 0);
                // SAFETY: the handle is alive; the numbers are writable, and the buffer is valid
                // for `capacity` bytes, during the call.
                let tensor_type = text::read(|buffer, capacity, length| unsafe {
                    sys::runner_shim_model_tensor_type(
                        self.as_ptr(),
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

    pub(crate) fn tokenize(&self, text: &str) -> Result<Vec<Token>, EngineError> {
        // A token covers a byte or more, but for the added beginning and end of text.
        let mut tokens = vec![0; text.len() + 8];
        let mut count = 0;
        for _ in 0..2 {
            // SAFETY: the handle is alive; text and tokens are valid for their lengths.
            let status = unsafe {
                sys::runner_shim_tokenize(
                    self.as_ptr(),
                    text.as_ptr().cast(),
                    text.len(),
                    tokens.as_mut_ptr(),
                    tokens.len(),
                    &raw mut count,
                )
            };
            if status != sys::RUNNER_SHIM_TOO_SMALL {
                check(status)?;
                break;
            }
            tokens.resize(count, 0);
        }
        tokens.truncate(count);
        Ok(tokens)
    }

    pub(super) fn as_ptr(&self) -> *mut sys::runner_shim_model {
        self.handle.as_ptr()
    }
}

impl Drop for ModelHandle {
    fn drop(&mut self) {
        // SAFETY: contexts own a share of the model, so all of them are gone; freed only here.
        unsafe { sys::runner_shim_model_free(self.handle.as_ptr()) }
    }
}
