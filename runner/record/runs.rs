//! The run folders of an experiment.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::hash::RunName;
use super::store;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// Name of the sealed file that makes a run a record.
pub const RECORD_FILE: &str = "record.toml";
/// Name of the file that a run grows in.
pub const JOURNAL_FILE: &str = "journal.jsonl";
/// Name of the folder of ledger entries.
pub const LEDGER_FOLDER: &str = "ledger";

/// A run's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    /// Whose run.
    pub id: ExperimentId,
    /// Its name.
    pub run: RunName,
    /// What it holds.
    pub state: RunState,
    /// Where it lies.
    pub path: PathBuf,
}

/// What a run's folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum RunState {
    /// `record.toml` is there.
    Finished,
    /// A journal with at least one block.
    UnfinishedWithBlocks,
    /// A journal without a block, or neither journal nor record.
    Unfinished,
}

/// The folder of an experiment.
#[must_use]
pub fn experiment_folder(project: &Project, id: &ExperimentId) -> PathBuf {
    project.results.join(id.as_str())
}

/// The folder of a run.
#[must_use]
pub fn run_folder(project: &Project, id: &ExperimentId, run: &RunName) -> PathBuf {
    experiment_folder(project, id).join(run.as_str())
}

/// All run folders of an experiment, oldest first.
///
/// # Errors
/// When a folder cannot be read.
pub fn runs_of(project: &Project, id: &ExperimentId) -> Result<Vec<RunFolder>, Failure> {
    let folder = experiment_folder(project, id);
    let mut runs = Vec::new();
    for name in store::names_in(&folder)? {
        let path = folder.join(&name);
        let Ok(run) = RunName::try_from(name) else { continue };
        if path.is_dir() {
            runs.push(RunFolder { id: id.clone(), run, state: state_of(&path)?, path });
        }
    }
    Ok(runs)
}

/// All experiments with a folder in results/, sorted.
///
/// # Errors
/// When the folder cannot be read.
pub fn experiments(project: &Project) -> Result<Vec<ExperimentId>, Failure> {
    let named = store::names_in(&project.results)?;
    let folders = named.into_iter().filter(|name| {
        let folder = project.results.join(name);
        folder.join(LEDGER_FOLDER).is_dir()
    });
    Ok(folders.filter_map(|name| ExperimentId::try_from(name).ok()).collect())
}

fn state_of(folder: &Path) -> Result<RunState, Failure> {
    if folder.join(RECORD_FILE).is_file() {
        return Ok(RunState::Finished);
    }
    let journal = folder.join(JOURNAL_FILE);
    if journal.is_file() && journal_has_block(&journal)? {
        return Ok(RunState::UnfinishedWithBlocks);
    }
    Ok(RunState::Unfinished)
}

/// A journal holds one JSON object a line; that of a finished block has the key `block`. A line
/// that a crash cut short is no JSON and does not count.
fn journal_has_block(path: &Path) -> Result<bool, Failure> {
    let file = std::fs::File::open(path).map_err(|error| store::cannot("read", path, &error))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .map_err(|error| store::cannot("read", path, &error))?;
        if read == 0 {
            return Ok(false);
        }
        let block = serde_json::from_slice::<serde_json::Value>(&line)
            .is_ok_and(|value| value.get("block").is_some());
        if block {
            return Ok(true);
        }
    }
}
