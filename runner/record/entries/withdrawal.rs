//! `withdraw`: a registration that will not be run.

use serde::{Deserialize, Serialize};

use crate::manifest::ManifestHash;

/// The body of a `withdraw` entry. Id, hash and reason stay for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawal {
    /// Hash of the canonical manifest that counted at that time.
    pub manifest_hash: ManifestHash,
    /// Why.
    pub reason: String,
}
