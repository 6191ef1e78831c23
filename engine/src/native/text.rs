//! Texts across the border: the shim writes into our buffer and says how long the whole is.

use core::ffi::c_char;

use engine_sys as sys;

/// Long enough for every text but a list of warnings, which costs a second call.
const USUAL_LENGTH: usize = 256;

/// Reads a text through `call(buffer, capacity, &mut length)`. Bytes that are no UTF-8 are replaced.
pub(super) fn read(
    mut call: impl FnMut(*mut c_char, usize, *mut usize) -> sys::runner_shim_status,
) -> Result<String, sys::runner_shim_status> {
    let mut bytes = vec![0_u8; USUAL_LENGTH];
    let mut length = 0;
    let mut status = call(bytes.as_mut_ptr().cast(), bytes.len(), &raw mut length);
    if status == sys::RUNNER_SHIM_TOO_SMALL {
        bytes.resize(length, 0);
        status = call(bytes.as_mut_ptr().cast(), bytes.len(), &raw mut length);
    }
    if status != sys::RUNNER_SHIM_OK {
        return Err(status);
    }
    bytes.truncate(length);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
