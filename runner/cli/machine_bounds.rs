//! `runner machine bounds`: what this machine can do at most.

use std::time::Duration;

use runner::Failure;
use runner::{exec, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;
use super::terminal::Color;

/// How long to measure.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// About how long to measure
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = budget)]
    seconds: f64,
}

fn budget(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (1.0..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("measuring takes 1 to 60 seconds".to_owned()),
    }
}

/// Measures, stores and prints.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    if !app.global.json {
        app.terminal.note(format!("measuring for up to {} s …", arguments.seconds))?;
    }
    let measured = exec::machine_bounds(&project, Duration::from_secs_f64(arguments.seconds))?;
    let shown = measured.path.strip_prefix(&project.root).unwrap_or(&measured.path);
    if app.global.json {
        let (largest, unknown) = measured.bounds.largest();
        app.terminal.json(&json!({
            "bounds": measured.bounds, "largest": largest, "unknown": unknown,
            "stored": shown.display().to_string(),
        }))?;
        return Ok(Outcome::Done);
    }
    let style = match app.terminal.color {
        Color::Ansi => report::Style::Coloured,
        Color::Plain => report::Style::Plain,
    };
    let table = report::machine_bounds_table(&measured.bounds, app.terminal.width, style);
    app.terminal.line(format!("{table}stored: {}", shown.display()))?;
    Ok(Outcome::Done)
}
