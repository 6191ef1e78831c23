//! `runner worker`, hidden: this program as a worker.

use std::process::ExitCode;

/// None: everything comes over the protocol.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Serves the protocol until standard input closes; the worker has exit codes of its own.
#[cfg(feature = "native")]
pub fn run() -> ExitCode {
    engine::worker::serve()
}

/// This build has no engine to serve: the code of a refusal.
#[cfg(not(feature = "native"))]
pub fn run() -> ExitCode {
    ExitCode::from(runner::FailureKind::Refused.exit_code())
}
