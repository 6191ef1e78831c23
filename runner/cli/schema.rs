//! `runner schema`: what editors complete from.

use runner::{Failure, manifest};

use super::context::App;
use super::outcome::Outcome;

/// None.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Prints the JSON schema of manifests.
pub fn run(app: &App, _arguments: &Arguments) -> Result<Outcome, Failure> {
    app.terminal.line(format!("{:#}", manifest::json_schema()))?;
    Ok(Outcome::Done)
}
