//! What the journal holds: one entry a line.

use std::collections::BTreeMap;

use engine_protocol::{PeerReport, Token};
use sample_table::SampleRow;
use serde::{Deserialize, Serialize};

use super::canary::CanaryTimes;
use super::context::ArmWorker;
use super::executable::KeptExecutable;
use super::identity::ProcessIdentity;
use crate::record::HostProvenance;
use crate::verdict::{
    ArmFault, ArmMemory, ArmPrimitive, ArmSpeculation, ArmWarmUp, ContractFinding, ContractState,
    EnergyEvidence, Engagement, Interruption, MemoryReading, ProcessFacts, PromptCacheFinding,
    RunFacts,
};

/// Version of the journal's form.
pub const JOURNAL_FORMAT: u32 = 1;

/// A line of the journal: an object with two times and one key that names the entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// UTC, RFC 3339.
    pub at: String,
    /// Nanoseconds since the run was started or last resumed.
    pub elapsed_nanoseconds: u64,
    /// The rest.
    #[serde(flatten)]
    pub entry: Entry,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Always the first.
    Opened(Opened),
    /// The executables that the run keeps.
    Executables(Vec<KeptExecutable>),
    /// A worker process runs.
    Worker(WorkerStarted),
    /// Off's outputs for one input.
    Reference(Reference),
    /// All findings before the first timed block.
    Preflight(Preflight),
    /// A whole block.
    Block(BlockDone),
    /// Outputs once more, after the last block.
    AfterTiming(Vec<AfterCheck>),
    /// All blocks of a round are done and its workers have ended.
    RoundEnded {
        /// From 0.
        round: u32,
        /// Memory of its workers after the last block.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        memory: Vec<MemoryReading>,
    },
    /// An arm ended.
    ArmFault(ArmFault),
    /// The run was asked to stop.
    Interrupted {
        /// The signal.
        signal: String,
    },
    /// An unfinished run goes on; a new segment begins.
    Resumed(Resumed),
    /// The run came to its end.
    Ended(Box<RunFacts>),
}

/// Who this run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// [`JOURNAL_FORMAT`].
    pub format: u32,
    /// The experiment.
    pub experiment: String,
    /// Name of the run's folder.
    pub run: String,
    /// Hash of the canonical manifest.
    pub manifest_hash: String,
    /// This boot of the machine, where it can be read.
    pub boot: Option<String>,
    /// The caller's facts at the start.
    pub facts: serde_json::Value,
}

/// A worker process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerStarted {
    /// The arm that it serves.
    pub arm: String,
    /// `None` in preflight.
    pub round: Option<u32>,
    /// Which process.
    pub process: ProcessIdentity,
}

/// What off generates, greedy, for one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Index of the condition's value.
    pub condition: u32,
    /// Index of the item.
    pub input: usize,
    /// The token chosen after the prompt: the first one that is evaluated.
    pub first: Token,
    /// The tokens chosen after each evaluation.
    pub chosen: Vec<Token>,
}

/// Findings before the first timed block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preflight {
    /// Each arm's worker.
    pub workers: Vec<ArmWorker>,
    /// Counts of operations.
    pub engagement: Vec<Engagement>,
    /// Memory by arm.
    pub memory: Vec<ArmMemory>,
    /// What each arm computes in one repetition of a primitive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primitives: Vec<ArmPrimitive>,
    /// Contracts, as far as they are tested before timing.
    pub contracts: Vec<ContractFinding>,
    /// What controls that keep no draft showed of batches, before timing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draft_controls: Vec<ContractFinding>,
    /// Logits before timing, to be held against those after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logits: Vec<SeenLogits>,
    /// What other engines keep of prompts, by arm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_cache: Vec<(String, PromptCacheFinding)>,
    /// What the memory guard found.
    #[serde(default, skip_serializing_if = "ProcessFacts::is_empty")]
    pub processes: ProcessFacts,
    /// Servers that arms are spread over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostProvenance>,
    /// Which counters tell the energy, where a metric asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyEvidence>,
}

/// Logits that an arm wrote for the experiment's own text at a depth, in its second process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenLogits {
    /// The arm.
    pub arm: String,
    /// Tokens before the first position.
    pub depth: usize,
    /// BLAKE3 of the rows, hexadecimal.
    pub blake3: String,
    /// Whether its first process wrote the same bytes.
    pub repeated: bool,
}

/// What an arm put out after the last timed block, held against what it put out before the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AfterCheck {
    /// The arm.
    pub arm: String,
    /// The contract's key.
    pub contract: String,
    /// Index of the condition's value that it is about; all of them where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<u32>,
    /// Which processes were asked.
    #[serde(default, skip_serializing_if = "AskedProcesses::is_of_the_last_round")]
    pub processes: AskedProcesses,
    /// Tokens or positions.
    pub compared: u64,
    /// What came of it.
    pub state: ContractState,
    /// In words.
    pub detail: String,
    /// Where they first part.
    pub divergence: Option<String>,
}

/// Processes that are asked after timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedProcesses {
    /// Those that were timed in the last round.
    #[default]
    OfTheLastRound,
    /// Fresh ones: the run was cut after its last block, and those of the last round are gone.
    Fresh,
}

impl AskedProcesses {
    fn is_of_the_last_round(&self) -> bool {
        *self == AskedProcesses::OfTheLastRound
    }

    /// When and where was asked, in words.
    #[must_use]
    pub fn when(self) -> &'static str {
        match self {
            AskedProcesses::OfTheLastRound => "after timing",
            AskedProcesses::Fresh => "after timing, in fresh processes, since the run was cut",
        }
    }
}

/// A whole block: nothing of it is on disk before all of it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockDone {
    /// Round.
    pub round: u32,
    /// Index within the round.
    pub block: u32,
    /// Segment.
    pub segment: u32,
    /// On the segment's clock; for a round's first block, when its workers began to start.
    pub started_nanoseconds: u64,
    /// On the segment's clock.
    pub ended_nanoseconds: u64,
    /// Time in which workers computed since the last block, warm-up included.
    pub engine_nanoseconds: u64,
    /// Time while a clock ran.
    pub timed_nanoseconds: u64,
    /// What the gate said before it: `quiet`, or what it could not read.
    pub gate: String,
    /// The canary's reading before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<CanaryTimes>,
    /// Its samples.
    pub rows: Vec<SampleRow>,
    /// Outputs that were compared.
    pub outputs: Vec<OutputCheck>,
    /// What became of drafts, by arm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speculation: Vec<ArmSpeculation>,
    /// What other engines told beside their times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerReading>,
    /// What the machine was like before and meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<BlockSurroundings>,
    /// How workers were warmed up before it, where a rule is registered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warm_up: Vec<ArmWarmUp>,
}

/// What another engine told of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerReading {
    /// The arm.
    pub arm: String,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// What it told.
    pub report: PeerReport,
}

/// What the machine was like around a block. Information: none of it flags.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSurroundings {
    /// How long the gate was shut before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// Readings by name and unit; what could not be read is not among them.
    pub readings: BTreeMap<String, f64>,
}

/// A gate that was shut, and opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waited {
    /// From the first look that found it shut.
    pub nanoseconds: u64,
    /// Which sensors shut it first, with value and limit.
    pub shut_by: String,
}

/// Tokens that an arm chose while it was timed, held against off's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputCheck {
    /// The arm.
    pub arm: String,
    /// How many tokens.
    pub compared: u64,
    /// Where they first part, in words: input, position, both tokens.
    pub divergence: Option<String>,
    /// How many are equal, of an arm that is fed off's tokens and held against its choices; absent
    /// where one that differs breaks the promise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<u64>,
}

/// The run goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// From now on.
    pub segment: u32,
    /// Where it was cut.
    pub interruption: Interruption,
    /// This boot of the machine.
    pub boot: Option<String>,
}
