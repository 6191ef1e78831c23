//! `runner engine conform`: whether a program speaks the worker protocol.

use std::path::{Path, PathBuf};
use std::time::Duration;

use comfy_table::Table;
use runner::exec::{self, Check, CheckOutcome, Conformance, ConformanceAsk};
use runner::manifest::ModelChoice;
use runner::project::{Project, cache_folder};
use runner::{Failure, model, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Which program, with which model.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Model that the program loads; by default `builtin-tiny`, which is written where it is missing
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// How long an answer may take, in seconds; a program that takes longer is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Program and arguments, after `--`; started as they stand and by no shell
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

/// Checks, and prints what was asked and what came.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let (program, rest) = arguments
        .command
        .split_first()
        .ok_or_else(|| Failure::usage("no program is named").hint("name it after `--`"))?;
    let model = match &arguments.model {
        Some(file) => there(file)?,
        None => builtin(app)?,
    };
    let ask = ConformanceAsk {
        program: PathBuf::from(program),
        arguments: rest.to_vec(),
        model,
        limit: Duration::from_secs(arguments.limit),
    };
    let found = exec::conform(&ask, &mut |_| {})?;
    if app.global.json {
        app.terminal.json(&value(&ask, &found))?;
    } else {
        said(app, &ask, &found)?;
    }
    Ok(if found.count(CheckOutcome::Fail) == 0 { Outcome::Done } else { Outcome::Found })
}

fn there(file: &Path) -> Result<PathBuf, Failure> {
    let path = std::path::absolute(file)
        .map_err(|error| Failure::usage(error.to_string()).at(file.display()))?;
    if path.is_file() {
        return Ok(path);
    }
    Err(Failure::usage("the model's file is not there")
        .at(path.display())
        .hint("correct `--model`, or leave it out: `builtin-tiny` is written by this program"))
}

/// The model that comes with the program; no project is needed for it.
fn builtin(app: &App) -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::failed(format!("no working directory: {error}")))?;
    let project = match app.project() {
        Ok(project) => project,
        Err(_) => Project { results: here.join("results"), root: here, cache: cache_folder()? },
    };
    Ok(model::resolve(&ModelChoice::Named(model::TINY_NAME.to_owned()), &project)?.path)
}

fn value(ask: &ConformanceAsk, found: &Conformance) -> serde_json::Value {
    json!({
        "program": ask.program, "arguments": ask.arguments, "model": ask.model,
        "greeting": found.greeting, "loaded": found.loaded, "checks": found.checks,
        "passed": found.count(CheckOutcome::Pass), "failed": found.count(CheckOutcome::Fail),
        "not_offered": found.count(CheckOutcome::NotOffered),
        "not_made": found.count(CheckOutcome::NotMade),
    })
}

fn said(app: &App, ask: &ConformanceAsk, found: &Conformance) -> Result<(), Failure> {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["check", "", "asked", "what came"]);
    table.set_width(u16::try_from(app.terminal.width).unwrap_or(u16::MAX));
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    for check in &found.checks {
        table.add_row([check.name, word(check.outcome), check.asked, &check.came]);
    }
    app.terminal.line(table.to_string())?;
    for check in found.checks.iter().filter(|check| check.outcome == CheckOutcome::Fail) {
        app.terminal.line(failure(check, app.terminal.line_width))?;
    }
    let counts =
        [CheckOutcome::Pass, CheckOutcome::Fail, CheckOutcome::NotOffered, CheckOutcome::NotMade]
            .map(|outcome| format!("{} {}", found.count(outcome), in_sum(outcome)));
    app.terminal.line(format!("\n{}: {}", ask.program.display(), counts.join(", ")))
}

/// A failure and what to do about it, in lines of this width.
fn failure(check: &Check, width: usize) -> String {
    let what = report::fitted_line(&format!("{}: {}", check.name, check.came), width);
    let hint = check.hint.map(|hint| {
        let hint = report::fitted_line(&format!("hint: {hint}"), width.saturating_sub(2));
        hint.lines().map(|line| format!("\n  {line}")).collect::<String>()
    });
    format!("\n{what}{}", hint.unwrap_or_default())
}

fn word(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Pass => "pass",
        CheckOutcome::Fail => "FAIL",
        CheckOutcome::NotOffered => "not offered",
        CheckOutcome::NotMade => "not made",
    }
}

fn in_sum(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Pass => "passed",
        CheckOutcome::Fail => "failed",
        CheckOutcome::NotOffered => "not offered",
        CheckOutcome::NotMade => "not made",
    }
}
