//! `runner worker`, hidden: this program as a worker.

use runner::Failure;

use super::outcome::Outcome;

/// None: everything comes over the protocol.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves the protocol until standard input closes.
#[cfg(feature = "native")]
pub fn run(_arguments: &Arguments) -> Result<Outcome, Failure> {
    engine::worker::serve().map_err(|error| Failure::failed(format!("worker: {error}")))?;
    Ok(Outcome::Done)
}

/// This build has no engine to serve.
#[cfg(not(feature = "native"))]
pub fn run(_arguments: &Arguments) -> Result<Outcome, Failure> {
    Err(Failure::refused("this build of runner has no engine")
        .hint("build it with the default features, or name a worker executable in the manifest"))
}
