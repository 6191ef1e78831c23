//! `runner check`: all faults of a manifest at once.

use std::path::PathBuf;

use runner::reading::{Unreadable, read_manifest};
use runner::{Failure, FailureKind};
use serde_json::{Value, json};

use super::context::App;
use super::outcome::Outcome;

/// Which manifests.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Manifests; without any, all in `experiments/`
    files: Vec<PathBuf>,
}

/// Checks each file and reports them all before it fails.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let files = if arguments.files.is_empty() {
        manifests_below(&project.root.join("experiments"))?
    } else {
        arguments.files.clone()
    };
    let mut faulty = 0_usize;
    let mut reports = Vec::new();
    for file in &files {
        let place = file.display().to_string();
        match read_manifest(file, &project) {
            Ok(read) => {
                let warnings = &read.reading.warnings;
                reports.push(json!({
                    "file": place, "faults": [], "warnings": warnings.to_json(),
                    "manifest_hash": runner::manifest::manifest_hash(&read.reading.plan).to_string(),
                }));
                if !app.global.json {
                    if !warnings.is_empty() {
                        app.terminal.note(warnings.render(app.manifest_color()))?;
                    }
                    app.terminal.line(format!("{place}: no faults"))?;
                }
            }
            Err(Unreadable::Content(diagnostics)) => {
                faulty += 1;
                reports.push(json!({ "file": place, "faults": diagnostics.to_json() }));
                if !app.global.json {
                    app.terminal.note(diagnostics.render(app.manifest_color()))?;
                }
            }
            Err(Unreadable::File(failure)) => return Err(failure),
        }
    }
    if app.global.json {
        app.terminal.json(&Value::Array(reports))?;
    }
    if faulty == 0 {
        return Ok(Outcome::Done);
    }
    let mut failure = Failure::new(
        FailureKind::Usage,
        format!("{faulty} of {} manifests cannot be used", files.len()),
    );
    // said above already, file by file
    failure.rendered = Some(String::new());
    Err(failure)
}

/// TOML files of the folder itself that are manifests, sorted: catalogues lie there too.
fn manifests_below(folder: &std::path::Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        Failure::usage(format!("no manifests can be found: {error}"))
            .at(folder.display())
            .hint("name a manifest, or run `runner new`")
    })?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter(|path| !path.file_stem().is_some_and(|stem| stem == "models" || stem == "builds"))
        .collect();
    files.sort();
    Ok(files)
}
