//! The command line: three moments, and what goes with them.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
