//! `runner parity`: the engine held against a reference.

use std::collections::BTreeSet;
use std::path::PathBuf;

use runner::exec::{self, ParityAsk, ParityPart};
use runner::golden::find_goldens;
use runner::manifest::WorkerChoice;
use runner::{Failure, parity};

use super::context::App;
use super::outcome::Outcome;

/// Where the page is written.
const PAGE: &str = "docs/parity.md";

/// Which goldens, and what beside the required gates.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Names of goldens; all of them when none is named
    names: Vec<String>,
    /// Folder of goldens, instead of the project's `experiments/goldens/`
    #[arg(long, value_name = "DIR")]
    goldens: Option<PathBuf>,
    /// Hold every loaded tensor against the checkpoint too
    #[arg(long)]
    weights: bool,
    /// The checkpoint, where it does not lie beside the golden
    #[arg(long, value_name = "FILE", requires = "weights")]
    checkpoint: Option<PathBuf>,
    /// Hold quantised forms against their own weights in 32-bit floats too
    #[arg(long)]
    forms: bool,
    /// Try deliberately broken copies too: each must be rejected
    #[arg(long)]
    controls: bool,
    /// Decode one sequence alone and among others too
    #[arg(long)]
    slots: bool,
    /// Write docs/parity.md; for all goldens at once, with --forms --controls --slots
    #[arg(long, conflicts_with = "names", requires_all = ["forms", "controls", "slots"])]
    write: bool,
    /// Use this worker executable instead of the built-in engine
    #[arg(long, value_name = "FILE")]
    worker: Option<PathBuf>,
}

impl Arguments {
    fn parts(&self) -> BTreeSet<ParityPart> {
        let parts = [
            (self.weights, ParityPart::Weights),
            (self.forms, ParityPart::Forms),
            (self.controls, ParityPart::Controls),
            (self.slots, ParityPart::Slots),
        ];
        parts.into_iter().filter_map(|(asked, part)| asked.then_some(part)).collect()
    }
}

/// Runs the gates and prints the checklist; exit 1 when something does not pass.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let absolute = |path: &PathBuf| {
        std::path::absolute(path)
            .map_err(|error| Failure::usage(error.to_string()).at(path.display()))
    };
    let folder = match &arguments.goldens {
        Some(folder) => absolute(folder)?,
        None => project.root.join("experiments/goldens"),
    };
    let worker = match &arguments.worker {
        Some(path) => WorkerChoice::Executable(absolute(path)?.display().to_string()),
        None => WorkerChoice::Native,
    };
    let ask = ParityAsk {
        goldens: find_goldens(&folder, &arguments.names)?,
        parts: arguments.parts(),
        checkpoint: arguments.checkpoint.as_ref().map(absolute).transpose()?,
        worker,
    };
    let found = exec::parity(&ask, &project, &exec::executables(&project.root)?)?;
    if arguments.write {
        let page = project.root.join(PAGE);
        let cannot = |error: std::io::Error| {
            Failure::failed(format!("cannot be written: {error}")).at(page.display())
        };
        if let Some(folder) = page.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        std::fs::write(&page, parity::document(&found)).map_err(cannot)?;
    }
    if app.global.json {
        let mut value = serde_json::to_value(&found)
            .map_err(|error| Failure::failed(format!("no JSON could be made: {error}")))?;
        value["passes"] = found.passes().into();
        app.terminal.json(&value)?;
    } else {
        app.terminal.line(parity::checklist_text(&found))?;
    }
    Ok(if found.passes() { Outcome::Done } else { Outcome::Found })
}
