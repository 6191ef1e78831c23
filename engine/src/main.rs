//! The worker on its own, for experiments that compare builds of the engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::worker::serve()
}
