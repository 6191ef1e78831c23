//! Status codes of the shim, as results.

use engine_sys as sys;

use super::text;
use crate::EngineError;

/// `Ok` for success, else the sort of failure with the shim's words.
pub(super) fn check(status: sys::runner_shim_status) -> Result<(), EngineError> {
    match status {
        sys::RUNNER_SHIM_OK => Ok(()),
        sys::RUNNER_SHIM_UNSUPPORTED => Err(EngineError::Unsupported(last_error())),
        sys::RUNNER_SHIM_INVALID => Err(EngineError::Request(last_error())),
        sys::RUNNER_SHIM_MODEL => Err(EngineError::Model(last_error())),
        sys::RUNNER_SHIM_CONTEXT => Err(EngineError::Context(last_error())),
        _ => Err(EngineError::Compute(last_error())),
    }
}

/// For `text::read`: a status that is not success, as an error.
pub(super) fn or_failed(status: sys::runner_shim_status) -> Result<String, EngineError> {
    check(status).map(|()| String::new())
}

fn last_error() -> String {
    // SAFETY: the buffer is valid for `capacity` bytes during the call.
    let read = text::read(|buffer, capacity, length| unsafe {
        sys::runner_shim_last_error(buffer, capacity, length)
    });
    read.unwrap_or_else(|_| "the engine gave no reason".to_owned())
}
