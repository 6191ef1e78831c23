//! The commits among which one is looked for.

use serde::{Deserialize, Serialize};

/// From a good commit to a bad one: which of those between changed the metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The repository's folder, relative to the project's root or absolute.
    pub checkout: String,
    /// A revision; off and its repetition run it in every step.
    pub good: String,
    /// A later revision.
    pub bad: String,
    /// How often a step is measured again that says neither.
    pub repeats_at_most: u32,
}
