//! A set of inputs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::manifest::MeasurementClass;

/// Stands between two items when one is too short and the next is added.
pub const JOINT: &str = "\n\n";

/// Inputs to be worked on, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSet {
    /// As the manifest names it.
    pub name: String,
    /// SPDX expression, with remarks.
    pub licence: String,
    /// Where the texts come from.
    pub source: String,
    /// Measurement classes that the set serves.
    pub classes: Vec<MeasurementClass>,
    /// At least one, with different ids and texts.
    pub items: Vec<Item>,
    /// Of ids and texts in order.
    pub blake3: SetHash,
}

/// One input: the pairing key and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Unique within the set.
    pub id: String,
    /// Without control characters other than line feed and tab; carriage returns of line ends are
    /// taken out.
    pub text: String,
}

/// BLAKE3 of a set's content, 64 lower-case hexadecimal digits. `docs/workloads.md` defines it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SetHash(pub(super) String);

impl SetHash {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SetHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl InputSet {
    /// The text of an item and of those after it, at least `least_bytes` long where the set has
    /// that much; after the last item comes the first. No item is used twice, so a set that is too
    /// small gives a shorter text and the caller refuses.
    #[must_use]
    pub fn text_from(&self, index: usize, least_bytes: usize) -> String {
        let mut text = String::new();
        let count = self.items.len();
        for item in self.items.iter().cycle().skip(index % count.max(1)).take(count) {
            if !text.is_empty() {
                text.push_str(JOINT);
            }
            text.push_str(&item.text);
            if text.len() >= least_bytes {
                break;
            }
        }
        text
    }
}
