//! `runner machine`: whether this machine is quiet, what may be done about it, and what it can do at most.

use std::time::Duration;

use runner::Failure;
use runner::exec::{self, MachineQuiet};
use runner::machine::{Finding, Fit, Reading, Refused, Value};
use runner::project::cache_folder;
use serde_json::json;

use super::context::App;
use super::machine_bounds;
use super::outcome::Outcome;

/// What to ask of the machine.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Read each sensor over a window; exit 1 when one is unfit
    Quiet(Quiet),
    /// Measure memory bandwidth and arithmetic, which results are held against; stored by machine
    Bounds(machine_bounds::Arguments),
}

#[derive(Debug, clap::Args)]
struct Quiet {
    /// Length of the window
    #[arg(long, value_name = "SECONDS", default_value_t = 1.5, value_parser = window)]
    seconds: f64,
    /// First set what may be set: governor to `performance`, turbo off
    #[arg(long, conflicts_with = "restore")]
    apply: bool,
    /// Put back what `--apply` has changed, and read nothing
    #[arg(long)]
    restore: bool,
}

fn window(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.5..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a window has 0.5 to 600 seconds".to_owned()),
    }
}

/// Prints what was asked for: each sensor with its value, what is fit, and what would make it so; or
/// the bounds.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::Quiet(arguments) => quiet(app, arguments),
        Action::Bounds(arguments) => machine_bounds::run(app, arguments),
    }
}

fn quiet(app: &App, quiet: &Quiet) -> Result<Outcome, Failure> {
    if quiet.restore {
        return restore(app);
    }
    let applied = if quiet.apply { Some(exec::steady_machine(&cache_folder()?)?) } else { None };
    let seen = exec::machine_quiet(Duration::from_secs_f64(quiet.seconds));
    if app.global.json {
        let mut said = json!({
            "fit": seen.is_fit(), "machine": seen.machine, "sensors": seen.sensors,
            "standing": seen.standing(),
        });
        if let (Some(applied), Some(said)) = (&applied, said.as_object_mut()) {
            said.insert("applied".to_owned(), json!(applied));
        }
        app.terminal.json(&said)?;
    } else {
        let mut lines = Vec::new();
        if let Some(applied) = &applied {
            lines.extend(applied.changed.iter().map(|change| format!("changed     {change}")));
            lines.extend(applied.refused.iter().map(not_changed));
            if applied.changed.is_empty() && applied.refused.is_empty() {
                lines.push(match applied.already {
                    0 => "nothing to change: this machine shows no such setting".to_owned(),
                    _ => "nothing to change: all is as wanted".to_owned(),
                });
            }
        }
        lines.extend(seen.sensors.iter().map(described));
        lines.push(verdict(&seen));
        app.terminal.line(lines.join("\n"))?;
    }
    Ok(if seen.is_fit() == Some(false) { Outcome::Found } else { Outcome::Done })
}

fn restore(app: &App) -> Result<Outcome, Failure> {
    let restored = exec::restore_machine(&cache_folder()?)?;
    let whole = restored.refused.is_empty();
    if app.global.json {
        app.terminal.json(&json!(restored))?;
    } else {
        let mut lines: Vec<String> =
            restored.restored.iter().map(|value| format!("restored    {value}")).collect();
        lines.extend(restored.refused.iter().map(not_changed));
        if lines.is_empty() {
            lines.push("nothing to restore: nothing was changed by `--apply`".to_owned());
        }
        app.terminal.line(lines.join("\n"))?;
    }
    Ok(if whole { Outcome::Done } else { Outcome::Found })
}

fn not_changed(refused: &Refused) -> String {
    format!("not changed {}: {}", refused.path, refused.why)
}

fn verdict(seen: &MachineQuiet) -> String {
    let (unfit, unknown) = (seen.named(Fit::Unfit), seen.named(Fit::Unknown));
    let hidden = match unknown.as_slice() {
        [] => String::new(),
        names => format!("; unknown: {}", names.join(", ")),
    };
    match (seen.is_fit(), unfit.as_slice()) {
        (Some(true), _) => "quiet".to_owned(),
        (_, []) => format!("nothing is unfit{hidden}"),
        (_, names) => format!("not quiet: {}{hidden}", names.join(", ")),
    }
}

fn described(sensor: &Finding) -> String {
    let fit = match sensor.fit {
        Fit::Fit => "fit",
        Fit::Unfit => "unfit",
        Fit::Unknown => "unknown",
        Fit::Information => "-",
    };
    let value = match &sensor.value {
        Reading::Known(Value::Number(value)) if value.fract() == 0.0 => {
            format!("{value} {}", sensor.unit)
        }
        Reading::Known(Value::Number(value)) => format!("{value:.1} {}", sensor.unit),
        Reading::Known(Value::Words(words)) => words.clone(),
        Reading::Unknown(why) => why.clone(),
    };
    let wanted =
        sensor.wanted.as_ref().map_or_else(String::new, |wanted| format!(" (fit: {wanted})"));
    let advice = sensor.advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}"));
    format!("{:<22} {fit:<8} {}{wanted}{advice}", sensor.name, value.trim_end())
}
