//! The ledger of an experiment: append-only, several heads are legal.

use std::path::PathBuf;

use super::entry::{self, ENTRY_VERSION, Entry};
use super::hash::EntryHash;
use super::runs::{self, LEDGER_FOLDER};
use super::store;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// Where the entries of an experiment lie.
#[must_use]
pub fn ledger_folder(project: &Project, id: &ExperimentId) -> PathBuf {
    runs::experiment_folder(project, id).join(LEDGER_FOLDER)
}

/// All entries of an experiment, by time and then hash.
///
/// # Errors
/// When an entry's name is not the hash of its bytes, or it cannot be read.
pub fn read_ledger(project: &Project, id: &ExperimentId) -> Result<Vec<Entry>, Failure> {
    let folder = ledger_folder(project, id);
    let mut entries = Vec::new();
    for name in store::names_in(&folder)? {
        if !name.ends_with(".toml") {
            continue;
        }
        let path = folder.join(&name);
        entries.push(entry::parse(&name, &store::read_bytes(&path)?, &path)?);
    }
    entries.sort_by(|one, other| {
        (&one.circumstances.at, &one.hash).cmp(&(&other.circumstances.at, &other.hash))
    });
    Ok(entries)
}

/// Entries that no other names as its parent, sorted.
#[must_use]
pub fn heads(entries: &[Entry]) -> Vec<EntryHash> {
    let mut heads: Vec<EntryHash> = entries
        .iter()
        .filter(|entry| !entries.iter().any(|other| other.parents.contains(&entry.hash)))
        .map(|entry| entry.hash.clone())
        .collect();
    heads.sort();
    heads
}

/// An entry of a newer version is no reason to stop reading, and one to stop writing.
pub(super) fn refuse_newer(entries: &[Entry], id: &ExperimentId) -> Result<(), Failure> {
    match entries.iter().find(|entry| entry.format_version > ENTRY_VERSION) {
        None => Ok(()),
        Some(entry) => Err(Failure::refused(format!(
            "the ledger holds an entry of version {}, and this program writes version \
             {ENTRY_VERSION}",
            entry.format_version
        ))
        .at(format!("experiment {id}, entry {}", entry.hash.short()))
        .hint("use the newer release of runner")),
    }
}
