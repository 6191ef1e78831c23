//! `runner record deviate`: another analysis of what was measured, beside the registered one.

use std::path::PathBuf;

use runner::record;
use runner::{Failure, exec, report};

use super::context::App;
use super::outcome::Outcome;
use super::show::find;

/// Which record, by which manifest, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
    /// A changed copy of its manifest, with the same id
    file: PathBuf,
    /// Why it is judged otherwise
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    reason: String,
}

/// Judges, writes it down, and prints the registered outcome first.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let read = app.read(&arguments.file, &project)?;
    let circumstances = exec::circumstances(&project, &arguments.file);
    let plan = &read.reading.plan;
    let new = record::deviate(&project, &record, plan, &arguments.reason, &circumstances)?;
    if app.global.json {
        app.terminal.json(&report::deviation_json(&record, &new.deviation))?;
    } else {
        app.terminal.line(report::deviation_text(&new.deviation, app.terminal.width))?;
        app.terminal.note("next: `runner report`, and commit the ledger entry")?;
    }
    Ok(Outcome::Done)
}
