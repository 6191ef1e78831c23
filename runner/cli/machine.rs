//! `runner machine`: whether this machine is quiet.

use std::time::Duration;

use runner::Failure;
use runner::exec;
use runner::machine::{Fit, SensorReading};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// What to ask of the machine.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Read each sensor over some seconds; exit 1 when one is unfit
    Quiet {
        /// Length of the window
        #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = window)]
        seconds: f64,
    },
}

fn window(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.5..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a window has 0.5 to 600 seconds".to_owned()),
    }
}

/// Prints each sensor with its value, its limit, and what would make it fit.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let Action::Quiet { seconds } = arguments.action;
    let quiet = exec::machine_quiet(Duration::from_secs_f64(seconds));
    let unfit = quiet.sensors.iter().any(|sensor| sensor.fit == Fit::Unfit);
    if app.global.json {
        app.terminal.json(&json!({
            "fit": !unfit, "machine": quiet.machine, "sensors": quiet.sensors,
            "standing": quiet.standing,
        }))?;
    } else {
        let mut lines: Vec<String> = quiet.sensors.iter().map(described).collect();
        lines.extend(quiet.standing.iter().map(|advice| format!("note        {advice}")));
        lines.push(if unfit { "not quiet".to_owned() } else { "quiet".to_owned() });
        app.terminal.line(lines.join("\n"))?;
    }
    Ok(if unfit { Outcome::Found } else { Outcome::Done })
}

fn described(sensor: &SensorReading) -> String {
    let fit = match sensor.fit {
        Fit::Fit => "fit",
        Fit::Unfit => "unfit",
        Fit::Unknown => "unknown",
    };
    let value = sensor.value.known().map_or_else(
        || "unknown".to_owned(),
        |value| format!("{value:.1} {} (at most {})", sensor.unit, sensor.limit),
    );
    let advice = sensor.advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}"));
    format!("{:<11} {fit:<8} {value}{advice}", sensor.name)
}
