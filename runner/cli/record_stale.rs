//! `runner record stale`: marks records whose machine or engine has changed since.

use runner::record::{self, StaleScope, StaleStep};
use runner::{Failure, exec, report};

use super::context::App;
use super::outcome::Outcome;

/// Which records, and whether they are marked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Compare the records of other machines too, each with the newest record of its machine
    #[arg(long)]
    every_machine: bool,
    /// Only say what would be marked
    #[arg(long)]
    dry_run: bool,
}

/// Marks first, then lists what is to be measured again.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let scope = match arguments.every_machine {
        true => StaleScope::EveryMachine,
        false => StaleScope::ThisMachine,
    };
    let found = record::stale_checks(&project, &exec::stack_now(&project)?, scope)?;
    let mut marked = 0;
    if !arguments.dry_run {
        let moment = exec::moment_of(&project);
        for check in &found.checks {
            if record::mark_stale(&project, check, &moment)?.is_some() {
                marked += 1;
            }
        }
    }
    if app.global.json {
        app.terminal.json(&report::stale_json(&found))?;
        return Ok(Outcome::Done);
    }
    app.terminal.line(report::stale_text(&found, app.terminal.width))?;
    let would = found.checks.iter().filter(|check| check.step() != StaleStep::Nothing).count();
    if arguments.dry_run && would > 0 {
        app.terminal.note(format!("nothing was marked (--dry-run); {would} would be"))?;
    } else if marked > 0 {
        app.terminal.note("next: `runner report`, and commit the marks")?;
    }
    Ok(Outcome::Done)
}
