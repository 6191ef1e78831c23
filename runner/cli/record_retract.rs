//! `runner record retract`: strikes a record with its cause.

use runner::record::{self, RecordName, Strike};
use runner::{Failure, audit, exec};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::show::find;

/// Which record, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
    /// What was wrong
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    cause: String,
    /// Strike the figures of this arm only
    #[arg(long)]
    arm: Option<String>,
    /// … and of this condition only, such as `depth_tokens=512`
    #[arg(long, requires = "arm")]
    condition: Option<String>,
    /// The current record that holds instead
    #[arg(long, value_name = "ID/RUN", value_parser = replacement)]
    replacement: Option<RecordName>,
    /// Only list the places that quote it
    #[arg(long)]
    dry_run: bool,
}

fn replacement(text: &str) -> Result<RecordName, String> {
    RecordName::try_from(text.to_owned()).map_err(|bad| bad.to_string())
}

/// Strikes it, and lists the places that still quote it.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let strike = Strike {
        arm: arguments.arm.as_deref(),
        condition: arguments.condition.as_deref(),
        cause: &arguments.cause,
        replacement: arguments.replacement.as_ref(),
    };
    let name = format!("{}/{}", record.sealed.id, record.sealed.run);
    let entry = match arguments.dry_run {
        true => None,
        false => {
            let moment = exec::moment_of(&project);
            Some(record::retract(&project, &record, strike, &moment)?.entry.hash.to_string())
        }
    };
    let struck = |arm: &str, condition: &str| {
        arguments.arm.as_ref().is_none_or(|one| one == arm)
            && arguments.condition.as_ref().is_none_or(|one| one == condition)
    };
    let places = audit::places_of(&project, &name, struck)?;
    if app.global.json {
        app.terminal.json(&json!({ "record": name, "entry": entry, "places": places }))?;
        return Ok(Outcome::Done);
    }
    if entry.is_some() {
        let what = match (&arguments.arm, &arguments.condition) {
            (None, _) => name.clone(),
            (Some(arm), None) => format!("`{arm}` of {name}"),
            (Some(arm), Some(condition)) => format!("`{arm}` at {condition} of {name}"),
        };
        app.terminal.note(format!("{what} is struck: {}", arguments.cause))?;
    }
    app.terminal.line(audit::places_text(&places))?;
    if entry.is_some() {
        app.terminal.note(
            "next: `runner report`, mend the places (`runner audit` is red until then), and commit",
        )?;
    }
    Ok(Outcome::Done)
}
