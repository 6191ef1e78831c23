//! `runner list`: experiments and records, those without a record too.

use std::path::PathBuf;

use runner::{Failure, record, report};

use super::context::App;
use super::outcome::Outcome;

/// What is listed.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only what speaks of this manifest's question or arms, each with the scope in which it holds
    #[arg(long, value_name = "FILE")]
    like: Option<PathBuf>,
}

/// Prints all that results/ holds.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project_with_results()?;
    if let Some(file) = &arguments.like {
        let read = app.read(file, &project)?;
        let found = record::prior_art(&project, &read.reading.plan)?;
        if app.global.json {
            app.terminal.json(&report::prior_art_json(&found))?;
        } else {
            app.terminal.line(report::prior_art_text(&found, app.terminal.width))?;
        }
        return Ok(Outcome::Done);
    }
    let listing = record::list_with_cache(&project)?;
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
