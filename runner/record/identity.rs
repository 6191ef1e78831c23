//! The one place where the record asks the manifest language who a plan is.

use crate::failure::Failure;
use crate::manifest::{self, ManifestHash, Plan, QuestionKey};

/// A plan's canonical text and the hashes that follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub canonical: String,
    pub manifest_hash: ManifestHash,
    pub question_key: QuestionKey,
}

impl Identity {
    pub(super) fn of(plan: &Plan) -> Identity {
        let canonical = manifest::canonical_form(plan);
        Identity {
            manifest_hash: ManifestHash::of(canonical.as_bytes()),
            question_key: manifest::question_key(plan),
            canonical,
        }
    }

    pub(super) fn plan(canonical: &str) -> Result<Plan, Failure> {
        manifest::from_canonical(canonical)
    }
}
