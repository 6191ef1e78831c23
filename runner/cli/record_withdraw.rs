//! `runner record withdraw`: a registration that will not be run.

use runner::exec;
use runner::manifest::ExperimentId;
use runner::{Failure, record};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Which experiment, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The experiment
    id: String,
    /// Why it will not be run
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    reason: String,
}

/// Writes the entry; id, hash and reason stay.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let id = ExperimentId::try_from(arguments.id.clone()).map_err(|bad| {
        Failure::usage(bad.why)
            .at(format!("experiment {:?}", arguments.id))
            .hint("`runner list` shows the ids")
    })?;
    let appended = record::withdraw(&project, &id, &arguments.reason, &exec::moment_of(&project))?;
    if app.global.json {
        app.terminal.json(&json!({ "id": id, "entry": appended.entry.hash.to_string() }))?;
    } else {
        app.terminal.note(format!("{id} is withdrawn; its id is used up, and its reason stays"))?;
        app.terminal.note("next: `runner report`, and commit the ledger entry")?;
    }
    Ok(Outcome::Done)
}
