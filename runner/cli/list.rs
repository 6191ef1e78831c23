//! `runner list`: experiments and records, those without a record too.

use runner::{Failure, record, report};

use super::context::App;
use super::outcome::Outcome;

/// None.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Prints all that results/ holds.
pub fn run(app: &App, _arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let listing = record::list(&project)?;
    let imports = record::imports(&project)?;
    if app.global.json {
        let mut json = report::listing_json(&listing);
        if let Some(object) = json.as_object_mut() {
            object.insert("imported".to_owned(), report::imports_json(&imports));
        }
        app.terminal.json(&json)?;
    } else {
        let (width, style) = (app.terminal.width, super::show::style(app));
        let own = report::terminal_listing(&listing, width, style);
        app.terminal.line(own + &report::imports_listing(&imports, width, style))?;
    }
    Ok(Outcome::Done)
}
