//! `runner record amend`: another manifest in the place of a registered one, while nothing was seen.

use std::path::PathBuf;

use runner::record::{self, AmendReason};
use runner::{Failure, exec};
use serde_json::json;

use super::builds;
use super::context::App;
use super::outcome::Outcome;
use super::register::frozen_facts;

/// Which manifest, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The changed manifest; its id is that of the registered one
    file: PathBuf,
    /// Why it was changed
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    reason: String,
    /// What the change does to what the experiment can show
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    impact: String,
}

/// Freezes the changed manifest, and names what it took the place of.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let read = app.read(&arguments.file, &project)?;
    let plan = &read.reading.plan;
    record::check_amendable(&project, plan)?;
    let frozen = frozen_facts(plan, &project, &mut |step| builds::say(app, &step))?;
    let circumstances = exec::circumstances(&project, &arguments.file);
    let why = AmendReason { reason: &arguments.reason, impact: &arguments.impact };
    let new = record::amend(&project, plan, &frozen, why, &circumstances)?;
    if app.global.json {
        app.terminal.json(&json!({
            "id": plan.id,
            "manifest_hash": new.registered.manifest_hash().to_string(),
            "previous": new.previous.to_string(),
            "entry": new.registered.entry().to_string(),
            "changed": new.changed,
        }))?;
        return Ok(Outcome::Done);
    }
    app.terminal.note(format!("amended {}: {}", plan.id, new.registered.manifest_hash()))?;
    app.terminal.note(format!("  in the place of entry {}", new.previous.short()))?;
    for change in &new.changed {
        app.terminal.note(format!("  changed: {change}"))?;
    }
    app.terminal.note("next: commit it, then `runner exec` runs what was amended")?;
    Ok(Outcome::Done)
}
