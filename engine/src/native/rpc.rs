//! A server for other machines, and the protocol's version.

use engine_protocol::RpcServer;
use engine_sys as sys;

use super::Library;
use super::file::terminated;
use super::status::check;
use crate::EngineError;

impl Library {
    /// Major, minor and patch of the protocol that this build speaks with servers.
    pub(crate) fn rpc_version(&self) -> Result<[u8; 3], EngineError> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: the library is started; the numbers are writable during the call.
        check(unsafe {
            sys::runner_shim_rpc_version(&raw mut major, &raw mut minor, &raw mut patch)
        })?;
        Ok([major, minor, patch])
    }

    /// Serves this machine's devices; returns only when that cannot be, or ends.
    pub(crate) fn rpc_serve(&self, at: &RpcServer, threads: u32) -> Result<(), EngineError> {
        let endpoint = terminated(at.as_str())?;
        // SAFETY: the library is started; the text is zero-terminated and alive during the call.
        check(unsafe { sys::runner_shim_rpc_serve(endpoint.as_ptr(), threads) })
    }
}
