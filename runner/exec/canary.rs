//! The canary between blocks: after the gate has opened, before the block, outside every timer.

use serde::{Deserialize, Serialize};

use super::clock::SegmentClock;

/// What one run of the canary took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanaryTimes {
    /// The chain of computations.
    pub processor_nanoseconds: u64,
    /// One pass over the memory.
    pub memory_nanoseconds: u64,
}

/// Runs it once, on the run's own clock.
pub(super) fn sing(canary: &machine_probe::Canary, clock: SegmentClock) -> CanaryTimes {
    let reading = canary.run(&|| clock.nanoseconds());
    CanaryTimes {
        processor_nanoseconds: reading.processor_nanoseconds,
        memory_nanoseconds: reading.memory_nanoseconds,
    }
}
