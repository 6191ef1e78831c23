//! The file that holds old values. It is whole on disk before the first of them is overwritten, and
//! a second `--apply` adds to it without touching what it holds.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Of the file's form.
const FORMAT: u32 = 1;

/// Old values, in the order in which they were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    format: u32,
    pub(super) values: Vec<OldValue>,
}

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OldValue {
    /// Below the root, `sys/…`.
    pub(super) path: String,
    /// Every byte of it.
    pub(super) before: String,
}

impl Journal {
    /// Reads the file; an empty journal when there is none.
    ///
    /// # Errors
    /// What is wrong with it: then nothing must be written, or its old values would be lost.
    pub(super) fn read(file: &Path) -> Result<Journal, String> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Journal { format: FORMAT, values: Vec::new() });
            }
            Err(error) => return Err(format!("the journal of old values cannot be read: {error}")),
        };
        let journal: Journal = serde_json::from_str(&text)
            .map_err(|error| format!("the journal of old values is damaged: {error}"))?;
        if journal.format != FORMAT {
            return Err(format!(
                "the journal of old values has format {}, and this program knows {FORMAT}",
                journal.format
            ));
        }
        // it says where to write: never outside of the kernel's settings
        let strange = journal.values.iter().find(|value| {
            !value.path.starts_with("sys/") || value.path.split('/').any(|part| part == "..")
        });
        match strange {
            Some(value) => {
                Err(format!("the journal of old values names a strange file: {:?}", value.path))
            }
            None => Ok(journal),
        }
    }

    /// Writes the file in one step and to the disk; an empty journal takes it away.
    pub(super) fn store(&self, file: &Path) -> Result<(), String> {
        let fault =
            |error: std::io::Error| format!("the journal of old values cannot be written: {error}");
        if self.values.is_empty() {
            return match std::fs::remove_file(file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(fault(error)),
                _ => Ok(()),
            };
        }
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(fault)?;
        let text = serde_json::to_string_pretty(self).map_err(|error| fault(error.into()))?;
        let mut staged = tempfile::NamedTempFile::new_in(folder).map_err(fault)?;
        writeln!(staged, "{text}").map_err(fault)?;
        staged.as_file().sync_all().map_err(fault)?;
        staged.persist(file).map_err(|error| fault(error.error))?;
        Ok(())
    }
}
