//! The description that lies beside a slice's file.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::model::hash::Sha256Hex;
use crate::model::resolve::store;

/// Version of the description.
pub(super) const SCHEMA: u32 = 1;

/// What a slice's file is, and of what it was cut. A slice without a description is made anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// Version of this description: 1.
    pub schema: u32,
    /// SHA-256 of the file that it was cut of.
    pub source_sha256: Sha256Hex,
    /// How many of the first layers it has.
    pub layers: u32,
    /// How many the file has that it was cut of.
    pub of_layers: u32,
    /// Of the slice's file.
    pub sha256: Sha256Hex,
    /// Length of the slice's file.
    pub bytes: u64,
}

impl Description {
    /// Reads the description at a path.
    ///
    /// # Errors
    /// A refusal when it cannot be read or understood.
    pub fn read(path: &Path) -> Result<Description, Failure> {
        let refused = |what: String| Failure::refused(what).at(path.display());
        let text = std::fs::read_to_string(path)
            .map_err(|error| refused(format!("the slice's description cannot be read: {error}")))?;
        let description: Description = toml::from_str(&text).map_err(|error| {
            refused(format!("the slice's description cannot be understood: {}", error.message()))
        })?;
        if description.schema != SCHEMA {
            return Err(refused(format!(
                "the slice's description is of schema {}, this program knows {SCHEMA}",
                description.schema
            )));
        }
        Ok(description)
    }

    /// Writes it whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = toml::to_string(self)
            .map_err(|error| Failure::failed(format!("the slice's description: {error}")))?;
        store(path, |file| file.write_all(text.as_bytes()))
    }
}
