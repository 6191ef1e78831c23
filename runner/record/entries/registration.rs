//! `register`: freezes a manifest.

use serde::{Deserialize, Serialize};

use crate::manifest::{ManifestHash, QuestionKey};
use crate::record::frozen::Frozen;

/// The body of a `register` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// Hash of the canonical manifest.
    pub manifest_hash: ManifestHash,
    /// Finds earlier runs of the same question.
    pub question_key: QuestionKey,
    /// The canonical manifest itself.
    pub canonical_manifest: String,
    /// What was frozen beside it.
    pub frozen: Frozen,
}
