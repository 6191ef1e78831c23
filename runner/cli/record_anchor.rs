//! `runner record anchor`: a floor is set or moved, with a mechanism and a record.

use runner::record::{self, FloorName, FloorRequest};
use runner::{Failure, exec};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::show::find;

/// Which floor, to which distribution, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The floor's name
    #[arg(value_parser = floor_name)]
    floor: FloorName,
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
    /// The arm
    #[arg(long, default_value = "off")]
    arm: String,
    /// The condition, such as `depth_tokens=512`
    #[arg(long, default_value = "")]
    condition: String,
    /// What made the number what it is: a change, a version, a machine; never "it moved"
    #[arg(long, value_name = "TEXT", value_parser = super::sentence::parse)]
    mechanism: String,
}

pub(super) fn floor_name(text: &str) -> Result<FloorName, String> {
    FloorName::try_from(text.to_owned()).map_err(|bad| bad.to_string())
}

/// Writes the entry.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let request = FloorRequest {
        floor: &arguments.floor,
        arm: &arguments.arm,
        condition: &arguments.condition,
        mechanism: &arguments.mechanism,
    };
    let appended = record::anchor(&project, &record, request, &exec::moment_of(&project))?;
    if app.global.json {
        app.terminal.json(&json!({
            "floor": arguments.floor.to_string(), "entry": appended.entry.hash.to_string(),
        }))?;
    } else {
        let name = format!("{}/{}", record.sealed.id, record.sealed.run);
        app.terminal.note(format!("floor {} stands on {name}", arguments.floor))?;
        app.terminal.note("next: `runner report`, and commit the ledger entry")?;
    }
    Ok(Outcome::Done)
}
