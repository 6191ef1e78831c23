//! What the machine was like while blocks were measured: information beside the flags, which no
//! verdict depends on.

use serde::{Deserialize, Serialize};

/// Over all blocks of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surroundings {
    /// Blocks before which the gate was shut, and opened.
    pub waits: u32,
    /// How long that took in all, seconds.
    pub waited_seconds: f64,
    /// What shut it, in words; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shut_by: Vec<String>,
    /// Readings by name, in order of it. One that could never be read is not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<SurroundingReading>,
}

/// One kind of reading, over the blocks that have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurroundingReading {
    /// Name with its unit, as `run_queue_wait_percent`.
    pub name: String,
    /// How many blocks have it.
    pub blocks: u32,
    /// The middle one; the mean of two.
    pub median: f64,
    /// The largest.
    pub most: f64,
}
