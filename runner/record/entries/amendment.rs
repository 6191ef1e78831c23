//! `amend`: another manifest in the place of a registered one of which nothing was seen yet.

use serde::{Deserialize, Serialize};

use super::Registration;
use crate::manifest::{ManifestHash, QuestionKey};
use crate::record::frozen::Frozen;
use crate::record::hash::EntryHash;

/// The body of an `amend` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amendment {
    /// The registration, or the amendment, that it takes the place of.
    pub previous: EntryHash,
    /// Why it was changed.
    pub reason: String,
    /// What the change does to what the experiment can show.
    pub impact: String,
    /// Keys that differ from what it takes the place of, with both values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Hash of the canonical manifest that counts from now on.
    pub manifest_hash: ManifestHash,
    /// Finds earlier runs of the same question.
    pub question_key: QuestionKey,
    /// The canonical manifest itself.
    pub canonical_manifest: String,
    /// What was frozen beside it.
    pub frozen: Frozen,
}

impl Amendment {
    /// What counts from now on.
    #[must_use]
    pub fn registration(&self) -> Registration {
        Registration {
            manifest_hash: self.manifest_hash,
            question_key: self.question_key,
            canonical_manifest: self.canonical_manifest.clone(),
            frozen: self.frozen.clone(),
        }
    }
}
