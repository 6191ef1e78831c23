//! `runner check`: all faults of a manifest at once.

use std::path::{Path, PathBuf};

use runner::manifest::{Diagnostics, Reading, manifest_hash};
use runner::project::Project;
use runner::reading::{Unreadable, read_manifest};
use runner::{Failure, design, manifest, workload};
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
    let mut reports = Vec::new();
    let mut outcome = Outcome::Done;
    for file in &files {
        let looked = Looked::at(file, &project);
        if matches!(looked, Looked::Faulty(_) | Looked::Unreadable(_)) {
            outcome = Outcome::Faulty;
        }
        if app.global.json {
            reports.push(looked.to_json(file));
        } else {
            looked.say(app, file)?;
        }
    }
    if app.global.json {
        app.terminal.json(&Value::Array(reports))?;
    }
    Ok(outcome)
}

/// What came out of one file.
enum Looked {
    /// It can be used.
    Sound { warnings: Diagnostics, hash: manifest::ManifestHash },
    /// Its content has faults.
    Faulty(Diagnostics),
    /// There is no such file, or it cannot be read.
    Unreadable(Failure),
}

impl Looked {
    fn at(file: &Path, project: &Project) -> Looked {
        match read_manifest(file, project) {
            Ok(mut read) => {
                warn_of_reach(&mut read.reading, project);
                Looked::Sound {
                    hash: manifest_hash(&read.reading.plan),
                    warnings: read.reading.warnings,
                }
            }
            Err(Unreadable::Content(faults)) => Looked::Faulty(faults),
            Err(Unreadable::File(failure)) => Looked::Unreadable(failure),
        }
    }

    /// The same keys whatever came out: `docs/manifest.md` names them.
    fn to_json(&self, file: &Path) -> Value {
        let (mut report, hash) = match self {
            Looked::Sound { warnings, hash } => (warnings.to_json(), Some(hash.to_string())),
            Looked::Faulty(faults) => (faults.to_json(), None),
            Looked::Unreadable(failure) => {
                let fault = json!({
                    "severity": "error", "code": "unreadable", "file": file, "line": null,
                    "column": null, "message": failure.what, "help": failure.hint, "places": [],
                });
                let report = json!({
                    "file": file, "errors": 1, "warnings": 0, "dropped": 0, "faults": [fault],
                });
                (report, None)
            }
        };
        report["manifest_hash"] = json!(hash);
        report
    }

    fn say(&self, app: &App, file: &Path) -> Result<(), Failure> {
        match self {
            Looked::Sound { warnings, .. } => {
                if !warnings.is_empty() {
                    app.terminal.note(warnings.render(app.manifest_color()))?;
                }
                app.terminal.line(format!("{}: no faults", file.display()))
            }
            Looked::Faulty(faults) => app.terminal.note(faults.render(app.manifest_color())),
            Looked::Unreadable(failure) => app.terminal.note(format!("error: {failure}")),
        }
    }
}

/// A design that `register` would refuse: said here already, since a manifest is still changed
/// without loss.
fn warn_of_reach(reading: &mut Reading, project: &Project) {
    let items = workload::load(&reading.plan.workload.inputs, project).map(|set| set.items.len());
    let reach = design::reach(&reading.plan, items.ok());
    if let Some(why) = &reach.not_simulated {
        return reading.warn_of_design(
            format!("no chances of this design can be given: {why}"),
            "`register` asks for a chance of 80 %: lower `rounds`, or take fewer arms or condition values at once",
        );
    }
    let short: Vec<String> = [&reach.without_effect, &reach.with_expected_effect]
        .into_iter()
        .filter(|reachable| !reachable.is_reached())
        .map(ToString::to_string)
        .collect();
    if !short.is_empty() && !reach.is_reached() {
        reading.warn_of_design(
            format!("this design is unlikely to show what it is made for: {}", short.join("; ")),
            "`register` asks for a chance of 80 %: raise `rounds` or `blocks_per_round`, or the margin; `runner plan` shows the chances",
        );
    }
}

/// TOML files of the folder itself that are manifests, sorted: catalogues lie there too.
fn manifests_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let none = |why: String| {
        Failure::usage(format!("no manifests can be found: {why}"))
            .at(folder.display())
            .hint("name a manifest, or run `runner new ID`")
    };
    let entries = std::fs::read_dir(folder).map_err(|error| none(error.to_string()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter(|path| !path.file_stem().is_some_and(|stem| stem == "models" || stem == "builds"))
        .collect();
    files.sort();
    // a check of nothing must not look like a pass
    if files.is_empty() {
        return Err(none("there are none".to_owned()));
    }
    Ok(files)
}
