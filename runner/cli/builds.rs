//! What is said while builds of the engine are made.

use runner::exec::BuildStep;

use super::context::App;

/// Says a step on standard error; nothing with `--json`.
pub fn say(app: &App, step: &BuildStep<'_>) {
    if !app.global.json {
        // a reader that has gone away is no reason to stop a build
        drop(app.terminal.note(text(step)));
    }
}

/// A step in words.
pub fn text(step: &BuildStep<'_>) -> String {
    match step {
        BuildStep::Waiting => "waiting: another build is going on".to_owned(),
        BuildStep::Begins { build, log } => {
            format!("building `{}` (minutes; log: {})", build.name, log.display())
        }
        BuildStep::Done { build, seconds } => format!("built `{}` in {seconds:.0} s", build.name),
    }
}
