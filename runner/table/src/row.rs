//! One timed sample.

use serde::{Deserialize, Serialize};

/// One reading of the clock: a chunk of one arm's timed work, or a whole prefill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRow {
    /// Index of the condition's value; 0 when the manifest has no condition.
    pub condition: u32,
    /// Round, counted from 0 over the whole run.
    pub round: u32,
    /// Worker incarnation: raised at each restart, so a resumed part of a round is a unit of
    /// its own.
    pub segment: u32,
    /// Block within the round, from 0.
    pub block: u32,
    /// Chunk within the block, from 0; 0 for work that cannot be cut.
    pub chunk: u32,
    /// Place of this arm within the chunk, from 0.
    pub place: u32,
    /// Name of the arm (a ladder's rung is an arm of its own, `setting=value`).
    pub arm: String,
    /// Id of the workload item.
    pub input: String,
    /// What was timed.
    pub work: Work,
    /// Tokens evaluated while the clock ran, or repetitions of a primitive.
    pub tokens: u32,
    /// Monotonic difference. Zero unless `state` is `timed`.
    pub nanoseconds: u64,
    /// Start on the run's monotonic clock, from the start of the segment.
    pub started_nanoseconds: u64,
    /// Whether there is a number at all.
    pub state: SampleState,
    /// Names of arm-blind sensors that flagged the block, joined by commas; empty when quiet.
    pub flags: String,
    /// What the request took of the machine's energy; absent where nobody asked, where no counter
    /// could be read, and where the request was too short for the counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<SampleEnergy>,
}

/// Energy of a whole request: untimed tokens in it are paid for too, so they are counted here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleEnergy {
    /// Over all counters that were read.
    pub microjoules: u64,
    /// Tokens that it was spent on, in all sequences, untimed ones included.
    pub tokens: u32,
}

/// What a sample timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// The prompt of a decode block: described, never judged.
    Prompt,
    /// Single-token decoding.
    Decode,
    /// A timed prefill.
    Prefill,
    /// Repetitions of a primitive.
    Primitive,
}

/// A sample that ran over its limit is a state, not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleState {
    /// The clock's difference is there.
    Timed,
    /// The limit passed first.
    TimedOut,
    /// Below what the timer resolves.
    Censored,
}
