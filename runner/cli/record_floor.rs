//! `runner record floor`: the floors, and records held against them.

use runner::record::{self, FloorName, FloorOutcome};
use runner::{Failure, report};

use super::context::App;
use super::outcome::Outcome;
use super::show::find;

/// Which floor, and which record.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The floor; all are listed without it
    #[arg(value_parser = super::record_anchor::floor_name, requires = "record")]
    floor: Option<FloorName>,
    /// Hold this record against it: `ID` for an experiment's first run, or `ID/RUN`
    record: Option<String>,
    /// The record's arm; that of the floor without it
    #[arg(long, requires = "record")]
    arm: Option<String>,
    /// The record's condition; that of the floor without it
    #[arg(long, requires = "record")]
    condition: Option<String>,
}

/// Lists, or checks; a fall is exit 1.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let floors = record::floors(&project)?;
    let (Some(name), Some(of)) = (&arguments.floor, &arguments.record) else {
        if app.global.json {
            app.terminal.json(&report::floors_json(&floors))?;
        } else {
            app.terminal.line(report::floors_text(&floors, app.terminal.width))?;
        }
        return Ok(Outcome::Done);
    };
    let Some(floor) = floors.get(name) else {
        let names: Vec<String> = floors.keys().map(ToString::to_string).collect();
        return Err(Failure::usage("there is no such floor").at(format!("floor {name}")).hint(
            match names.is_empty() {
                true => "`runner record anchor` sets one".to_owned(),
                false => format!("there is {}", names.join(", ")),
            },
        ));
    };
    let record = find(&project, of)?;
    let arm = arguments.arm.as_deref().unwrap_or(&floor.anchor.arm);
    let condition = arguments.condition.as_deref().unwrap_or(&floor.anchor.condition);
    let check = record::floor_check(&project, floor, &record, arm, condition)?;
    let of = format!("{}/{}", record.sealed.id, record.sealed.run);
    if app.global.json {
        app.terminal.json(&report::floor_check_json(floor, &of, &check))?;
    } else {
        app.terminal.line(report::floor_check_text(floor, &of, &check, app.terminal.width))?;
    }
    Ok(match check.outcome {
        FloorOutcome::Fell => Outcome::Found,
        FloorOutcome::Holds | FloorOutcome::Open | FloorOutcome::CannotJudge { .. } => {
            Outcome::Done
        }
    })
}
