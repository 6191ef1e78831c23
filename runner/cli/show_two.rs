//! `runner show A B`: two records, or a record and an import, side by side.

use runner::project::Project;
use runner::record::{self, FigureState, OneSide, Record};
use runner::{Failure, report};

use super::context::App;
use super::outcome::Outcome;
use super::show::{find, import_name, style};

/// Prints both.
pub fn run(app: &App, project: &Project, (one, other): (&str, &str)) -> Result<Outcome, Failure> {
    if import_name(one)?.is_none() && import_name(other)?.is_none() {
        return two_records(app, project, (one, other));
    }
    let sides = (sides(project, one)?, sides(project, other)?);
    let found = record::parallels(&sides.0, &sides.1);
    if app.global.json {
        app.terminal.json(&report::parallels_json((one, other), &found))?;
    } else {
        let (width, style) = (app.terminal.width, style(app));
        app.terminal.line(report::parallels_text((one, other), &found, width, style))?;
    }
    Ok(Outcome::Done)
}

fn two_records(
    app: &App,
    project: &Project,
    (one, other): (&str, &str),
) -> Result<Outcome, Failure> {
    let (first, second) = (find(project, one)?, find(project, other)?);
    if app.global.json {
        app.terminal.json(&report::two_records_json(&first, &second))?;
        return Ok(Outcome::Done);
    }
    let states = (state(project, &first)?, state(project, &second)?);
    let (first, second) = ((&first, &states.0), (&second, &states.1));
    let (width, style) = (app.terminal.width, style(app));
    app.terminal.line(report::two_records_text(first, second, width, style))?;
    Ok(Outcome::Done)
}

fn state(project: &Project, record: &Record) -> Result<FigureState, Failure> {
    let entries = record::read_ledger(project, &record.sealed.id)?;
    Ok(record::record_state(&entries, &record.sealed.run))
}

fn sides(project: &Project, name: &str) -> Result<Vec<OneSide>, Failure> {
    if let Some(import) = import_name(name)? {
        return Ok(record::sides_of_import(&record::read_import(project, &import)?));
    }
    let record = find(project, name)?;
    let rows = record::samples(project, &record)?;
    Ok(record::sides_of_record(&record, &rows))
}
