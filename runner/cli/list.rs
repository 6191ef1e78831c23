//! `runner list`: experiments and records, those without a record too.

use runner::{Failure, record, report};

use super::context::App;
use super::outcome::Outcome;

/// None.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Prints all that results/ holds.
pub fn run(app: &App, _arguments: &Arguments) -> Result<Outcome, Failure> {
    let listing = record::list(&app.project()?)?;
    if app.global.json {
        app.terminal.json(&report::listing_json(&listing))?;
    } else {
        app.terminal.line(report::terminal_listing(
            &listing,
            app.terminal.width,
            super::show::style(app),
        ))?;
    }
    Ok(Outcome::Done)
}
