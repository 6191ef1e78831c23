//! Sets what may be set.

use std::path::Path;

use serde::Serialize;

use super::journal::{Journal, OldValue};
use super::wanted::{Wanted, wanted};
use super::write::{Refused, held, write};
use crate::machine::root::MachineRoot;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// Files that hold another value now, `/sys/…`, each with what it held and holds.
    pub changed: Vec<String>,
    /// Files that could not be changed.
    pub refused: Vec<Refused>,
    /// How many held the wanted value already.
    pub already: usize,
}

/// Writes old values into `journal`, then sets governor and turbo below `root`.
///
/// # Errors
/// When the journal cannot be read or written: nothing was changed then.
pub fn apply(root: &MachineRoot, journal_file: &Path) -> Result<Applied, String> {
    let mut journal = Journal::read(journal_file)?;
    let mut applied = Applied { changed: Vec::new(), refused: Vec::new(), already: 0 };
    let mut changes: Vec<(Wanted, String)> = Vec::new();
    for wanted in wanted(root) {
        match held(root, &wanted.path) {
            Ok(before) if before.trim() == wanted.value => applied.already += 1,
            Ok(before) => changes.push((wanted, before)),
            Err(refused) => applied.refused.push(refused),
        }
    }
    // of a file that an earlier call has changed, the first old value is the one to go back to
    let known: Vec<String> = journal.values.iter().map(|value| value.path.clone()).collect();
    let is_new = |path: &String| !known.contains(path);
    let new = changes
        .iter()
        .filter(|(wanted, _)| is_new(&wanted.path))
        .map(|(wanted, before)| OldValue { path: wanted.path.clone(), before: before.clone() });
    journal.values.extend(new);
    if !changes.is_empty() {
        journal.store(journal_file)?;
    }
    for (wanted, before) in changes {
        match write(root, &wanted.path, wanted.value) {
            Ok(()) => applied.changed.push(format!(
                "/{}: {} instead of {}",
                wanted.path,
                wanted.value,
                before.trim()
            )),
            Err(refused) => {
                let untouched = held(root, &wanted.path).is_ok_and(|now| now == before);
                if untouched && is_new(&wanted.path) {
                    journal.values.retain(|value| value.path != wanted.path);
                }
                applied.refused.push(refused);
            }
        }
    }
    if !applied.refused.is_empty() {
        journal.store(journal_file)?;
    }
    Ok(applied)
}
