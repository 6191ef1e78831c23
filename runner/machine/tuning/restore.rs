//! Puts old values back.

use std::path::Path;

use serde::Serialize;

use super::journal::Journal;
use super::write::{Refused, held, write};
use crate::machine::root::MachineRoot;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Files that hold their old value again, `/sys/…` with the value.
    pub restored: Vec<String>,
    /// Files that could not be changed; their old values stay in the journal.
    pub refused: Vec<Refused>,
}

/// Writes each old value back, the last that was changed first, and takes it out of the journal.
///
/// # Errors
/// When the journal cannot be read or written.
pub fn restore(root: &MachineRoot, journal_file: &Path) -> Result<Restored, String> {
    let mut journal = Journal::read(journal_file)?;
    let mut came_of_it = Restored { restored: Vec::new(), refused: Vec::new() };
    let mut left = Vec::new();
    for value in journal.values.iter().rev() {
        let is_back = held(root, &value.path).is_ok_and(|now| now == value.before);
        let put_back = if is_back { Ok(()) } else { write(root, &value.path, &value.before) };
        match put_back {
            Ok(()) => {
                came_of_it.restored.push(format!("/{}: {}", value.path, value.before.trim()));
            }
            Err(refused) => {
                came_of_it.refused.push(refused);
                left.push(value.clone());
            }
        }
    }
    left.reverse();
    if journal.values.len() != left.len() {
        journal.values = left;
        journal.store(journal_file)?;
    }
    Ok(came_of_it)
}
