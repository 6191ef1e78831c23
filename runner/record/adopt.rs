//! A run whose record is kept elsewhere takes its ledger along: a record without the registration
//! that it followed proves nothing.

use std::path::PathBuf;

use super::ledger::{ledger_folder, read_ledger};
use super::registered::Registered;
use super::runs;
use super::store;
use crate::failure::Failure;
use crate::project::Project;

/// Entries that were copied for a run.
#[derive(Debug)]
pub struct AdoptedLedger {
    folder: PathBuf,
    copied: Vec<PathBuf>,
}

/// Copies the experiment's ledger out of the project's own results when the ledger of the results
/// in use lacks the registration. Does nothing otherwise.
///
/// # Errors
/// When an entry cannot be read or written.
pub fn adopt_ledger(project: &Project, registered: &Registered) -> Result<AdoptedLedger, Failure> {
    let id = &registered.plan().id;
    let folder = ledger_folder(project, id);
    let mut adopted = AdoptedLedger { folder: folder.clone(), copied: Vec::new() };
    let known = read_ledger(project, id)?;
    if known.iter().any(|entry| entry.hash == *registered.entry()) {
        return Ok(adopted);
    }
    let own = project.with_own_results();
    store::make_folder(&folder)?;
    for entry in read_ledger(&own, id)? {
        let name = format!("{}.toml", entry.hash);
        let target = folder.join(&name);
        if !target.exists() {
            let bytes = store::read_bytes(&ledger_folder(&own, id).join(&name))?;
            store::write_whole(&target, &bytes)?;
            adopted.copied.push(target);
        }
    }
    Ok(adopted)
}

impl AdoptedLedger {
    /// Takes the copies away again, for a run that was refused. They stay when a run needs them.
    pub fn give_up(&self, project: &Project, registered: &Registered) {
        let needed = runs::runs_of(project, &registered.plan().id);
        if !needed.is_ok_and(|runs| runs.is_empty()) {
            return;
        }
        for path in &self.copied {
            // What cannot be taken away does no harm: it is a copy of what is committed.
            let _ = std::fs::remove_file(path);
        }
        // Only empty folders go.
        let experiment = self.folder.parent();
        for folder in std::iter::once(self.folder.as_path()).chain(experiment) {
            let _ = std::fs::remove_dir(folder);
        }
    }
}
