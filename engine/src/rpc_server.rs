//! A server that lends this machine's memory and processors to workers elsewhere.

use engine_protocol::RpcServer;

use crate::{Engine, EngineError};

impl Engine {
    /// Version of the protocol between workers and servers, `7.0.0`.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] in a build without the feature `rpc`.
    pub fn rpc_version(&self) -> Result<String, EngineError> {
        Ok(self.library().rpc_version()?.map(|number| number.to_string()).join("."))
    }

    /// Serves workers, one after the other, until the process ends. What the engine has to say of it
    /// goes to standard output.
    ///
    /// # Errors
    /// Whatever keeps it from serving; it does not return otherwise.
    pub fn rpc_serve(&self, at: &RpcServer, threads: u32) -> Result<(), EngineError> {
        self.library().rpc_serve(at, threads)
    }
}
