//! `runner show`: one record's table, or two side by side.

use runner::Failure;
use runner::manifest::{ExperimentId, ImportName};
use runner::project::Project;
use runner::record::{self, Counterparts, Life, Record, RunFolder, RunState};
use runner::report::{self, Detail, Style};

use super::context::App;
use super::outcome::Outcome;
use super::terminal::Color;
use super::{history, show_two};

/// Which record.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `ID` for an experiment's first run, `ID/RUN`, or `imported/NAME`
    record: String,
    /// Another, to set beside it
    #[arg(conflicts_with = "all")]
    beside: Option<String>,
    /// Show every pair, estimator and look, and where the noise comes from
    #[arg(long)]
    all: bool,
}

/// Prints the table.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project_with_results()?;
    if let Some(other) = &arguments.beside {
        return show_two::run(app, &project, (&arguments.record, other));
    }
    if let Some(name) = import_name(&arguments.record)? {
        let import = record::read_import(&project, &name)?;
        if app.global.json {
            app.terminal.json(&report::import_json(&import))?;
        } else {
            app.terminal.line(report::import_table(&import, app.terminal.width, style(app)))?;
        }
        return Ok(Outcome::Done);
    }
    if let Some(outcome) = history::show(app, &project, &arguments.record)? {
        return Ok(outcome);
    }
    let detail = if arguments.all { Detail::All } else { Detail::Short };
    let record = find(&project, &arguments.record)?;
    if arguments.record.contains('/') {
        print(app, &record, detail)?;
        return Ok(Outcome::Done);
    }
    let all = record::finished_records(&project, &record.sealed.id)?;
    if app.global.json {
        let mut json = around(&project, &record)?;
        if let Some(object) = json.as_object_mut() {
            object.insert("by_machine".to_owned(), report::by_machine_json(&all));
        }
        app.terminal.json(&json)?;
        return Ok(Outcome::Done);
    }
    print(app, &record, detail)?;
    by_machine(app, &all)?;
    Ok(Outcome::Done)
}

/// Prints a record's table with what stands around it, or its JSON, which always holds everything.
pub fn print(app: &App, record: &Record, detail: Detail) -> Result<(), Failure> {
    let project = app.project()?;
    let beside = record::counterparts(&project, record)?;
    let life = record::life(&project, record)?;
    if app.global.json {
        return app.terminal.json(&json(record, &beside, &life));
    }
    let width = app.terminal.width;
    if let Some(banner) = report::life_banner(&life) {
        app.terminal.line(report::fitted_line(&format!("! {banner}"), app.terminal.line_width))?;
    }
    app.terminal.line(report::terminal_table(record, width, style(app), detail))?;
    let sections = [report::beside_text(record, &beside, width), report::life_text(&life, width)];
    for text in sections.into_iter().flatten() {
        app.terminal.line(text)?;
    }
    Ok(())
}

/// What each machine gave, where there are several.
pub fn by_machine(app: &App, records: &[Record]) -> Result<(), Failure> {
    match report::by_machine_text(records, app.terminal.width, style(app)) {
        Some(text) => app.terminal.line(text),
        None => Ok(()),
    }
}

/// A record's JSON, with what stands around it in the project.
pub fn around(project: &Project, record: &Record) -> Result<serde_json::Value, Failure> {
    let beside = record::counterparts(project, record)?;
    Ok(json(record, &beside, &record::life(project, record)?))
}

/// A record's JSON, with what stands beside it in another regime, and around it.
pub fn json(record: &Record, beside: &Counterparts, life: &Life) -> serde_json::Value {
    let mut json = report::record_json(record);
    if let Some(object) = json.as_object_mut() {
        object.insert("slice_and_whole".to_owned(), report::beside_json(record, beside));
        object.insert("life".to_owned(), report::life_json(life));
    }
    json
}

/// Colours of tables.
pub fn style(app: &App) -> Style {
    match app.terminal.color {
        Color::Ansi => Style::Coloured,
        Color::Plain => Style::Plain,
    }
}

/// The import that a name means; `None` where it means a record.
pub fn import_name(text: &str) -> Result<Option<ImportName>, Failure> {
    let Some(name) = text.strip_prefix("imported/") else { return Ok(None) };
    ImportName::try_from(name.to_owned())
        .map(Some)
        .map_err(|bad| Failure::usage(bad.why).at(format!("import {name:?}")))
}

/// The record of a name: `ID` is an experiment's first one.
pub fn find(project: &Project, name: &str) -> Result<Record, Failure> {
    let (id, run) = match name.split_once('/') {
        Some((id, run)) => (id, Some(run)),
        None => (name, None),
    };
    let id = ExperimentId::try_from(id.to_owned()).map_err(|bad| {
        Failure::usage(bad.why)
            .at(format!("record {name:?}"))
            .hint("write ID or ID/RUN; `runner list` shows them")
    })?;
    let runs = record::runs_of(project, &id)?;
    let finished: Vec<&RunFolder> =
        runs.iter().filter(|folder| folder.state == RunState::Finished).collect();
    let found = match run {
        Some(run) => finished.iter().find(|folder| folder.run.as_str() == run),
        None => finished.first(),
    };
    if let Some(folder) = found {
        return record::read(project, &folder.id, &folder.run);
    }
    let names: Vec<String> = finished.iter().map(|folder| format!("{id}/{}", folder.run)).collect();
    let hint = if names.is_empty() {
        "`runner list` shows what there is".to_owned()
    } else {
        format!("there is {}", names.join(", "))
    };
    Err(Failure::failed("there is no such record").at(name).hint(hint))
}
