//! `retract`: strikes a record, or one comparison of it.

use serde::{Deserialize, Serialize};

use super::RecordName;
use crate::record::hash::RunName;

/// The body of a `retract` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retraction {
    /// The run.
    pub run: RunName,
    /// The arm whose figures are struck; absent: the whole record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<String>,
    /// The condition; absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// What was wrong.
    pub cause: String,
    /// The record that holds instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<RecordName>,
}

impl Retraction {
    /// Whether it strikes this comparison.
    #[must_use]
    pub fn strikes(&self, arm: &str, condition: &str) -> bool {
        self.arm.as_ref().is_none_or(|struck| struck == arm)
            && self.condition.as_ref().is_none_or(|struck| struck == condition)
    }

    /// Whether it strikes the whole record.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.arm.is_none() && self.condition.is_none()
    }
}
