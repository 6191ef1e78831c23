//! Safe access to the engine behind the shim, and the worker that serves it.
//!
//! [`Engine`] starts the engine's library, [`Model`] is a loaded file, [`Session`] a sequence of
//! tokens with its KV cache. [`worker::serve`] speaks the protocol of `engine-protocol` over
//! standard input and output. [`support`] knows which settings a build on a platform would ignore,
//! and [`defaults`] what holds where nothing is asked.

mod cache;
pub mod defaults;
mod engine;
mod error;
mod facts;
mod model;
#[expect(
    unsafe_code,
    reason = "the shim is C: every call into it, and nothing else, stands in this module"
)]
mod native;
mod placement;
mod processors;
mod requantise;
mod rpc_probe;
mod rpc_server;
mod session;
pub mod support;
pub mod worker;

pub use engine::Engine;
pub use error::EngineError;
pub use facts::facts;
pub use model::Model;
pub use processors::{ProcessorMask, ProcessorMaskError};
pub use session::Session;
