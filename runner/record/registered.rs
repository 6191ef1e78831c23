//! A plan whose hash is frozen in the ledger. Only the ledger makes one, and only one of these
//! can be run.

use super::frozen::Frozen;
use super::hash::EntryHash;
use crate::manifest::{ManifestHash, Plan, QuestionKey};

/// A registered experiment. Its fields are private: it comes from [`super::register`] or
/// [`super::find_registration`] and from nowhere else.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    pub(super) plan: Plan,
    pub(super) manifest_hash: ManifestHash,
    pub(super) question_key: QuestionKey,
    pub(super) entry: EntryHash,
    pub(super) frozen: Frozen,
    pub(super) circumstances: Circumstances,
}

/// When, and at which state of the repository, something was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Circumstances {
    /// UTC, RFC 3339 (`2026-11-29T16:10:31Z`).
    pub at: String,
    /// Commit of the repository, where git knows one.
    pub commit: Option<String>,
    /// Whether the manifest was committed at that time.
    pub state: CommitState,
}

/// How a file stands in the repository.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitState {
    /// As in the commit, and a remote has the commit.
    Pushed,
    /// As in the commit.
    Committed,
    /// Changed or new since the commit.
    Uncommitted,
    /// No repository, or git could not be asked.
    #[default]
    Unknown,
}

impl CommitState {
    /// One word, as it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            CommitState::Pushed => "pushed",
            CommitState::Committed => "committed",
            CommitState::Uncommitted => "uncommitted",
            CommitState::Unknown => "unknown",
        }
    }
}

impl Registered {
    /// The plan, exactly as registered.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Hash of the canonical manifest; samples and journals carry it.
    #[must_use]
    pub fn manifest_hash(&self) -> &ManifestHash {
        &self.manifest_hash
    }

    /// Finds earlier runs of the same question.
    #[must_use]
    pub fn question_key(&self) -> &QuestionKey {
        &self.question_key
    }

    /// The ledger entry.
    #[must_use]
    pub fn entry(&self) -> &EntryHash {
        &self.entry
    }

    /// What was frozen beside the manifest.
    #[must_use]
    pub fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// When it was registered, and at which commit.
    #[must_use]
    pub fn circumstances(&self) -> &Circumstances {
        &self.circumstances
    }
}
