//! `runner record override`: a decision otherwise than the verdict, written down beside it.

use runner::Failure;
use runner::exec;
use runner::record::{self, Decided, verdict_word};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::show::find;

/// Which comparison, what was decided, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
    /// The treatment
    #[arg(long)]
    arm: String,
    /// The condition, such as `depth_tokens=512`
    #[arg(long, default_value = "")]
    condition: String,
    /// What was decided all the same
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    decision: String,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    reason: String,
}

/// Writes the entry. The verdict stays.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let decided = Decided {
        arm: &arguments.arm,
        condition: &arguments.condition,
        decision: &arguments.decision,
        reason: &arguments.reason,
    };
    let appended = record::overrule(&project, &record, decided, &exec::moment_of(&project))?;
    let verdict = record
        .sealed
        .analysis
        .comparisons
        .iter()
        .find(|one| one.arm == arguments.arm && one.condition == arguments.condition)
        .map_or("unknown", |one| verdict_word(one.verdict));
    if app.global.json {
        app.terminal.json(&json!({
            "entry": appended.entry.hash.to_string(), "verdict": verdict,
        }))?;
    } else {
        app.terminal.note(format!("written down; the verdict stays {verdict}"))?;
        app.terminal.note("next: `runner report`, and commit the ledger entry")?;
    }
    Ok(Outcome::Done)
}
