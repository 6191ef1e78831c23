//! What was seen of the workers' processes beside what they computed: memory, and how they warmed up.
//! No verdict depends on it.

use serde::{Deserialize, Serialize};

/// Memory and warm-up of the workers. Empty in records that were made before it was kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessFacts {
    /// Computed bytes against each limit that they were held to before anything was timed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_guard: Vec<GuardedLimit>,
    /// Why this machine's memory is no limit: it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_unknown: Option<String>,
    /// What the operating system said of each worker at the end of each round: information.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_readings: Vec<MemoryReading>,
    /// Warming up by a registered rule: one entry for each arm, round and condition value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warm_up: Vec<ArmWarmUp>,
}

impl ProcessFacts {
    /// Whether nothing was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ProcessFacts::default()
    }
}

/// A limit on computed bytes, and what was held against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardedLimit {
    /// In words: `budget of all arms together`, `memory of this machine`.
    pub limit: String,
    /// Most bytes.
    pub limit_bytes: u64,
    /// Computed bytes that count against it.
    pub computed_bytes: u64,
    /// A demand over the limit that went through the same check first, and was refused.
    pub refused_bytes: u64,
}

/// What the operating system said of a worker's memory. What it does not tell is absent, never zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryReading {
    /// The arm.
    pub arm: String,
    /// At the end of this round, from 0.
    pub round: u32,
    /// Resident bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
    /// Resident bytes, each page shared out between the processes that map it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proportional_bytes: Option<u64>,
    /// Of the resident bytes, those with no file behind them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anonymous_bytes: Option<u64>,
    /// Of the resident bytes, those of mapped files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// Page faults that waited for a disk, since the process began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major_faults: Option<u64>,
}

/// How an arm's worker warmed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmWarmUp {
    /// The arm.
    pub arm: String,
    /// From 0.
    pub round: u32,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Whether it came to rest within the registered number of pieces.
    pub outcome: WarmUpOutcome,
    /// Time of each piece, in order, nanoseconds.
    pub nanoseconds: Vec<u64>,
}

/// Whether an arm came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarmUpOutcome {
    /// The medians of its last two windows agree.
    Settled,
    /// They did not when the registered number of pieces was done; the run went on.
    DidNotSettle,
    /// The worker ended in between.
    Ended,
}
