//! Under which scheduler of a cluster a run was made.

use serde::{Deserialize, Serialize};

/// The scheduler that gave a run its machine. Absent in records of runs that no scheduler started. No
/// name of a node, a cluster or a user is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchedulerProvenance {
    /// `slurm`.
    pub name: String,
    /// Its version, as its programs state it; absent where the job was not submitted by `runner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The partition that the job ran in, or `unknown`.
    pub partition: String,
    /// Features of nodes that were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Whether the whole node was asked for; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusive: Option<bool>,
}

impl SchedulerProvenance {
    /// `slurm 22.05.8, partition \`cpu\`, whole node`.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = self.name.clone();
        if let Some(version) = &self.version {
            words.push_str(&format!(" {version}"));
        }
        words.push_str(&format!(", partition `{}`", self.partition));
        if let Some(constraint) = &self.constraint {
            words.push_str(&format!(", constraint `{constraint}`"));
        }
        words.push_str(match self.exclusive {
            Some(true) => ", whole node",
            Some(false) => ", a shared node",
            None => ", whether the node was shared is not known",
        });
        words
    }
}
