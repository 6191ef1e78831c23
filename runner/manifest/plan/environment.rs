//! Variables that workers are started with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Registered variables by name. What is not registered does not reach a worker, but for the few
/// that every process needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// These variables.
    #[must_use]
    pub fn of(variables: BTreeMap<String, String>) -> Environment {
        Environment { variables }
    }

    /// Whether none is registered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// These, with those that `over` names replaced.
    #[must_use]
    pub fn overlaid(&self, over: &Environment) -> Environment {
        let mut variables = self.variables.clone();
        variables.extend(over.variables.iter().map(|(name, value)| (name.clone(), value.clone())));
        Environment { variables }
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a variable is registered.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }
}
