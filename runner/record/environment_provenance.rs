//! What workers were started with, and what was kept from them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::privacy::without_private_paths;

/// Variables of the environment that matter to an engine. Absent in records that were made before
/// it was kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentProvenance {
    /// Names of variables that were set where the run was started, and did not reach every worker.
    /// Their values are not kept.
    pub scrubbed: Vec<String>,
    /// Registered variables by arm: name and value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, BTreeMap<String, String>>,
}

impl EnvironmentProvenance {
    /// The same with no user's folders in it.
    #[must_use]
    pub(super) fn cleaned(mut self, root: &Path) -> EnvironmentProvenance {
        for value in self.set.values_mut().flat_map(BTreeMap::values_mut) {
            *value = without_private_paths(value, root);
        }
        self
    }
}
