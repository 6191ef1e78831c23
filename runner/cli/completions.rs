//! `runner completions`: for the shell.

use clap::CommandFactory;
use runner::Failure;

use super::context::App;
use super::dispatch::CommandLine;
use super::outcome::Outcome;

/// Which shell.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Shell to write completions for
    shell: clap_complete::Shell,
}

/// Prints the completion script.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "runner", &mut script);
    app.terminal.line(String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
