//! `runner record spread`: the structure of a record's noise, and the sizes that it asks for.

use runner::Failure;
use runner::record;
use runner::report;
use runner::verdict::condition_spreads;

use super::context::App;
use super::outcome::Outcome;
use super::show::{find, style};

/// Which record.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, or `ID/RUN`
    record: String,
}

/// Prints spread by level, costs, and the best layouts, for each condition value.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let record = find(&project, &arguments.record)?;
    let rows = record::samples(&project, &record)?;
    let spreads = condition_spreads(&record.plan, &rows, record.sealed.facts.wall_nanoseconds);
    if app.global.json {
        app.terminal.json(&report::spread_json(&record, &spreads))?;
    } else {
        let table = report::spread_table(&record, &spreads, app.terminal.width, style(app));
        app.terminal.line(table)?;
    }
    Ok(Outcome::Done)
}
