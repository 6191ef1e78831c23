//! The one place where the record asks the manifest language who a plan is.

use super::hash::ContentHash;
use crate::manifest::Plan;

/// Stand-in until the manifest language has its own.
pub type ManifestHash = ContentHash;
/// Stand-in until the manifest language has its own.
pub type QuestionKey = ContentHash;

/// A plan's canonical text and the hashes that follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub canonical: String,
    pub manifest_hash: ManifestHash,
    pub question_key: QuestionKey,
}

impl Identity {
    pub(super) fn of(plan: &Plan) -> Identity {
        let canonical = serde_json::to_string_pretty(plan).unwrap_or_default();
        let question = format!("{:?}{:?}", plan.arms, plan.metric);
        Identity {
            manifest_hash: ContentHash::of(canonical.as_bytes()),
            question_key: ContentHash::of(question.as_bytes()),
            canonical,
        }
    }

    pub(super) fn plan(canonical: &str) -> Result<Plan, crate::failure::Failure> {
        serde_json::from_str(canonical)
            .map_err(|error| crate::failure::Failure::failed(error.to_string()))
    }
}
