//! The description that lies beside a form's file.

use std::path::Path;

use engine_protocol::{EngineFacts, Form, TensorTypeBytes};
use serde::{Deserialize, Serialize};

use super::derivation::derivation;
use super::name::{form_name, type_name};
use crate::failure::Failure;
use crate::model::hash::Sha256Hex;
use crate::model::resolve::ModelFile;

/// Version of the description.
pub(super) const SCHEMA: u32 = 1;

/// What a form's file is, and what made it. A form without a description does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// Version of this description: 1.
    pub schema: u32,
    /// The form.
    pub form: Form,
    /// Of the form's file.
    pub sha256: Sha256Hex,
    /// Length of the form's file.
    pub bytes: u64,
    /// UTC, RFC 3339.
    pub made_at: String,
    /// What it was made of.
    pub source: FormSource,
    /// What made it.
    pub engine: FormEngine,
    /// By type, most bytes first.
    pub tensor_types: Vec<TensorTypeBytes>,
}

/// The model that a form was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormSource {
    /// In the catalogue, or the file's name.
    pub name: String,
    /// Of its file.
    pub sha256: Sha256Hex,
    /// The tensor type that holds most of its bytes.
    pub tensor_type: String,
}

/// The engine whose quantiser made a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormEngine {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// BLAKE3 of its sources, as it says itself.
    pub source_blake3: String,
}

impl FormEngine {
    /// What is kept of a worker's facts.
    #[must_use]
    pub fn of(facts: &EngineFacts) -> FormEngine {
        FormEngine {
            name: facts.name.clone(),
            version: facts.version.clone(),
            source_blake3: facts.source_blake3.clone(),
        }
    }
}

impl Sidecar {
    /// `requantised from Q4_1`.
    #[must_use]
    pub fn derivation(&self) -> String {
        derivation(&self.source.tensor_type, self.form)
    }

    /// What the form's weights derive from, whole: the source's own words, then what was done.
    #[must_use]
    pub fn weights_derived_from(&self, source: &ModelFile) -> String {
        format!(
            "{}; {} to {} by {} {}",
            source.derived_from.as_deref().unwrap_or("unknown"),
            self.derivation(),
            type_name(form_name(self.form)),
            self.engine.name,
            self.engine.version
        )
    }

    /// Reads the description at a path.
    ///
    /// # Errors
    /// A refusal when it cannot be read or understood.
    pub(super) fn read(path: &Path) -> Result<Sidecar, Failure> {
        let refused = |what: String| Failure::refused(what).at(path.display());
        let text = std::fs::read_to_string(path)
            .map_err(|error| refused(format!("the form's description cannot be read: {error}")))?;
        let sidecar: Sidecar = toml::from_str(&text).map_err(|error| {
            refused(format!("the form's description cannot be understood: {}", error.message()))
        })?;
        if sidecar.schema != SCHEMA {
            return Err(refused(format!(
                "the form's description is of schema {}, this program knows {SCHEMA}",
                sidecar.schema
            )));
        }
        Ok(sidecar)
    }
}
