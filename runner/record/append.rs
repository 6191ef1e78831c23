//! Adds an entry to a ledger. Two programs that write at the same time wait for each other, so each
//! sees the other's entry before it decides.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::entry::{self, Entry, EntryBody};
use super::hash::EntryHash;
use super::ledger::{heads, ledger_folder, read_ledger, refuse_newer};
use super::registered::Circumstances;
use super::store;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// An entry that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Appended {
    /// The entry, as it is read back.
    pub entry: Entry,
    /// Its file.
    pub file: PathBuf,
}

/// Adds an entry, made from those that are there while no other writer can add one. Where `make`
/// gives nothing, nothing is written.
///
/// # Errors
/// When `make` refuses, the ledger cannot be read or written, or it holds entries of a newer version.
pub(super) fn append(
    project: &Project,
    id: &ExperimentId,
    circumstances: &Circumstances,
    make: impl FnOnce(&[Entry]) -> Result<Option<EntryBody>, Failure>,
) -> Result<Option<Appended>, Failure> {
    let folder = ledger_folder(project, id);
    // a folder that is only there for its lock would be an experiment without a registration
    let was_there = folder.is_dir();
    let lock = if was_there { Some(lock(&folder)?) } else { None };
    let entries = read_ledger(project, id)?;
    let Some(body) = make(&entries)? else { return Ok(None) };
    refuse_newer(&entries, id)?;
    store::make_folder(&folder)?;
    let (lock, entries, body) = match lock {
        Some(lock) => (lock, entries, body),
        None => {
            let lock = self::lock(&folder)?;
            let now = read_ledger(project, id)?;
            if !now.is_empty() {
                return Err(Failure::refused("another program has just written to this ledger")
                    .at(format!("experiment {id}"))
                    .hint("look at what it wrote (`runner list`), then try again"));
            }
            (lock, entries, body)
        }
    };
    let text = entry::written(id, heads(&entries), circumstances, &body)?;
    let hash = EntryHash::of(text.as_bytes());
    let name = format!("{hash}.toml");
    let file = folder.join(&name);
    store::write_whole(&file, text.as_bytes())?;
    let entry = entry::parse(&name, text.as_bytes(), &file)?;
    drop(lock);
    Ok(Some(Appended { entry, file }))
}

/// Held until it is dropped. A file system that knows no locks gives none: there the entries of two
/// writers become two heads, which is legal and which `record verify` looks at.
fn lock(folder: &Path) -> Result<Option<File>, Failure> {
    let file = File::open(folder).map_err(|error| store::cannot("opened", folder, &error))?;
    let locked = rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive);
    Ok(locked.is_ok().then_some(file))
}
