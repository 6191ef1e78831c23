//! Which counters told the energy of a run, or why none did.

use serde::{Deserialize, Serialize};

/// What a run that asks for energy found. Absent where nobody asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnergyEvidence {
    /// These were read around each timed request; a sample is their sum.
    Read {
        /// Their names: `intel-rapl:0 package-0`.
        counters: Vec<String>,
        /// Requests that last less have no energy: the counters move too seldom for them.
        shortest_milliseconds: u64,
    },
    /// None could be read. Never zero.
    Unknown {
        /// Which sensor was looked for, and why it has no reading.
        why: String,
    },
}
