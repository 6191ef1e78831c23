//! `runner report --github-summary`: verdicts for a job's summary page.

use std::io::Write;
use std::path::{Path, PathBuf};

use runner::project::Project;
use runner::{Failure, record, report};
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Where a job's step writes its summary.
const PLACE: &str = "GITHUB_STEP_SUMMARY";

/// Appends to the step's summary, or prints it.
pub fn run(app: &App, project: &Project, name: Option<&str>) -> Result<Outcome, Failure> {
    let mut summaries = record::list(project)?.summaries;
    if let Some(name) = name {
        let found = super::show::find(project, name)?.sealed;
        summaries.retain(|one| one.id == found.id && one.run.as_ref() == Some(&found.run));
    }
    let text = report::github_summary(&summaries);
    let place = std::env::var_os(PLACE).filter(|place| !place.is_empty()).map(PathBuf::from);
    match &place {
        Some(path) => append(path, &text)?,
        None if !app.global.json => app.terminal.line(&text)?,
        None => {}
    }
    if app.global.json {
        app.terminal.json(&json!({ "appended_to": place, "markdown": text }))?;
    } else if let Some(path) = &place {
        app.terminal.note(format!("appended to {}", path.display()))?;
    }
    Ok(Outcome::Done)
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    let written = options
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        Failure::failed(format!("it cannot be written: {error}"))
            .at(path.display())
            .hint(format!("{PLACE} must name a file that can be written"))
    })
}
