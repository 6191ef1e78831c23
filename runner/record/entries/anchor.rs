//! `anchor`: a floor is set, or moves, to a record's distribution.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::record::hash::{BadHash, EntryHash, RunName};

/// The name of a floor: lower-case words joined by hyphens, like an experiment's id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FloorName(String);

/// The body of an `anchor` entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FloorAnchor {
    /// The floor.
    pub floor: FloorName,
    /// The run whose distribution it is.
    pub run: RunName,
    /// The arm.
    pub arm: String,
    /// The condition; empty without one.
    #[serde(default)]
    pub condition: String,
    /// Metric key.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// Why the floor is there, or why it moved.
    pub mechanism: String,
    /// The entry that set the floor before; absent for a first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<EntryHash>,
    /// The distribution over rounds.
    pub distribution: FloorDistribution,
}

/// One value a round, in the metric's unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FloorDistribution {
    /// Number of rounds.
    pub n: u32,
    /// The 5th, 25th, 50th, 75th and 95th percentile.
    pub percentiles: [f64; 5],
    /// Mean of the values' natural logarithms.
    pub log_mean: f64,
    /// Standard deviation of the values' natural logarithms.
    pub log_sd: f64,
    /// The values, in order of measurement.
    pub rounds: Vec<f64>,
}

impl TryFrom<String> for FloorName {
    type Error = BadHash;

    fn try_from(text: String) -> Result<FloorName, BadHash> {
        let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if (1..=64).contains(&text.len()) && text.chars().all(good) && !text.starts_with('-') {
            return Ok(FloorName(text));
        }
        Err(BadHash { why: format!("{text:?} is no name (lower-case words joined by hyphens)") })
    }
}

impl From<FloorName> for String {
    fn from(name: FloorName) -> String {
        name.0
    }
}

impl fmt::Display for FloorName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
