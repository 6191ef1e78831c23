//! `stale`: what a figure depends on has changed since; or is as it was again.

use serde::{Deserialize, Serialize};

use super::RecordName;
use crate::record::hash::RunName;

/// The body of a `stale` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleMark {
    /// The run.
    pub run: RunName,
    /// The machine whose facts were compared: a chosen name, or a hash of its hardware.
    pub machine: String,
    /// The record of the same question under what holds now; it supersedes this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<RecordName>,
    /// What changed. None: the record is current again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<StaleFact>,
}

/// One fact that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleFact {
    /// Its name: one of the machine's, or `engine.source`, `engine.compiler`, ….
    pub fact: String,
    /// As the record has it.
    pub then: String,
    /// As it is now.
    pub now: String,
}
