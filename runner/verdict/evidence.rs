//! What a run found, beside its samples: all that a verdict may depend on.

use engine_protocol::{BufferBytes, Form, OperationCount, SpeculationCounts};
use sample_table::SampleRow;
use serde::{Deserialize, Serialize};

use super::arm_inputs::OwnInputs;
use super::bounds_evidence::BoundsEvidence;
use super::canary_noise::CanaryNoise;
use super::energy::EnergyEvidence;
use super::peers::PeerFacts;
use super::process_facts::ProcessFacts;
use super::surroundings::Surroundings;
use crate::manifest::Pieces;

/// Samples and everything else that the judgement reads. Nothing else may change a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// In order of measurement.
    pub samples: Vec<SampleRow>,
    /// The rest, stored in the record as it stands.
    pub facts: RunFacts,
}

/// Evidence that is no sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    /// How the run ended.
    pub end: RunEnd,
    /// Names of the times it was interrupted and resumed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interruptions: Vec<Interruption>,
    /// Arms that ended with a reason of their own (crash, hang, memory, broken protocol).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arm_faults: Vec<ArmFault>,
    /// What was found of each contract of each arm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<ContractFinding>,
    /// What the observed, untimed run of each arm showed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engagement: Vec<Engagement>,
    /// Memory by arm, computed from allocations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<ArmMemory>,
    /// Forms of the model, for each arm that did not load the file as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<ArmForm>,
    /// Slices of the model, for each arm that did not load the whole of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<ArmSlice>,
    /// What each arm with a set of its own worked on beside off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arm_inputs: Vec<OwnInputs>,
    /// What became of drafts while timed, by arm and condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speculation: Vec<ArmSpeculation>,
    /// What other engines told beside their times, by arm and condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerFacts>,
    /// The tokens, against off's, of controls that keep no draft and of arms that draft and promise
    /// nothing, as ceilings do. They void nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draft_controls: Vec<ContractFinding>,
    /// What each arm computed in one repetition of a primitive, by arm and condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primitives: Vec<ArmPrimitive>,
    /// Sensors of the machine that gave no reading; `unknown` is a state, never zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread_sensors: Vec<String>,
    /// What the machine was like meanwhile. Information: no verdict depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// Memory and warm-up of the workers; nothing is judged by it.
    #[serde(default, skip_serializing_if = "ProcessFacts::is_empty")]
    pub processes: ProcessFacts,
    /// What figures are held against; absent in records of rules before version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BoundsEvidence>,
    /// How evenly the machine ran, by a fixed piece of work before each block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<CanaryNoise>,
    /// Which counters told the energy, where a metric asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyEvidence>,
    /// Wall time from the first block to the last, without interruptions, nanoseconds.
    pub wall_nanoseconds: u64,
    /// Of that, time in which a worker computed (prefill, warm-up, timed), nanoseconds.
    pub engine_nanoseconds: u64,
    /// Of that, time while a clock ran, nanoseconds.
    pub timed_nanoseconds: u64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// Every registered round was run, or every treatment had ended with a fault of its own.
    Completed,
    /// The registered rule stopped it at a look before the last one.
    StoppedAtLook {
        /// From 1.
        look: u32,
        /// Whole rounds that were run.
        rounds: u32,
        /// What the look came to, in words.
        detail: String,
    },
    /// The registered cap on minutes passed.
    OverBudget {
        /// Cap and time used, in words.
        detail: String,
    },
    /// The machine did not become quiet within the registered wait.
    NeverQuiet {
        /// Which sensor, its value and the limit.
        detail: String,
    },
    /// It cannot go on (off or aa failed, disk full, …).
    Broken {
        /// What happened.
        detail: String,
    },
}

impl RunEnd {
    /// Whether the run went as far as its rule asks.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        match self {
            RunEnd::Completed | RunEnd::StoppedAtLook { .. } => true,
            RunEnd::OverBudget { .. } | RunEnd::NeverQuiet { .. } | RunEnd::Broken { .. } => false,
        }
    }
}

/// A place where the run was cut and resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interruption {
    /// Round in which it happened.
    pub round: u32,
    /// Blocks of that round that were complete.
    pub blocks_done: u32,
    /// UTC time of the last entry before, RFC 3339.
    pub last_entry_at: String,
    /// UTC time of resumption, RFC 3339.
    pub resumed_at: String,
}

/// An arm that ended with a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmFault {
    /// Its name.
    pub arm: String,
    /// What happened.
    pub kind: ArmFaultKind,
    /// In words, with the end of its standard error.
    pub detail: String,
    /// Round in which it happened; `None` before the first.
    pub round: Option<u32>,
}

/// How an arm can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ArmFaultKind {
    Crashed,
    Hung,
    OutOfMemory,
    BrokenProtocol,
    Unsupported,
    Failed,
}

/// What was found of one contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractFinding {
    /// The arm that made the promise.
    pub arm: String,
    /// `identical`, `cosine`, `kl` or `argmax`.
    pub contract: String,
    /// Index of the condition's value that it is about; all of them where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<u32>,
    /// Whether it held.
    pub state: ContractState,
    /// Positions or tokens that were compared; 0 fails.
    pub compared: u64,
    /// The figures, in words, with the bar: `cosine min 0.99987 (bar 0.999), mean 0.99999`.
    pub detail: String,
    /// Where the two first part, if they do, in words (input, position, both tokens).
    pub first_divergence: Option<String>,
    /// The figures as numbers, by name.
    pub figures: Vec<NamedFigure>,
}

impl ContractFinding {
    /// Whether it is about a condition value, by index.
    #[must_use]
    pub fn is_about(&self, condition: u32) -> bool {
        self.condition.is_none_or(|own| own == condition)
    }
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedFigure {
    /// `cosine_min`, `kl_mean`, `tokens_equal`, …
    pub name: String,
    /// `None` where there is no number (and `detail` says why).
    pub value: Option<f64>,
}

/// Whether a contract held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractState {
    /// It held.
    Kept,
    /// It did not.
    Broken,
    /// An arm does not equal itself, so `identical` cannot be asked of it.
    NotSelfEqual,
    /// It could not be asked (arm ended before).
    NotRun,
}

/// What the observed run of an arm showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engagement {
    /// The arm.
    pub arm: String,
    /// Counts by operation and device.
    pub operations: Vec<OperationCount>,
}

/// An arm that did not load the model's file as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmForm {
    /// The arm.
    pub arm: String,
    /// The form of the model that it loaded.
    pub form: Form,
    /// What was done to the weights: `requantised from Q4_1`.
    pub derivation: String,
}

/// An arm that loaded the model's first layers alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSlice {
    /// The arm.
    pub arm: String,
    /// How many layers it ran.
    pub layers: u32,
    /// How many the model has.
    pub of_layers: u32,
}

/// What an arm computes in one repetition of a primitive, as its worker counted it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmPrimitive {
    /// The arm.
    pub arm: String,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Of which of the two its figures speak.
    pub pieces: Pieces,
    /// `60 copies of 196608 bytes`.
    pub description: String,
    /// Bytes read and written.
    pub bytes_moved: u64,
    /// Multiplications and additions.
    pub operations: u64,
    /// The device that computed.
    pub device: String,
    /// Buffers that were rotated over.
    pub buffers: u32,
    /// Bytes of one of them.
    pub buffer_bytes: u64,
    /// The last-level cache, where the worker could read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_bytes: Option<u64>,
}

/// What became of an arm's drafts while it was timed, at one condition value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSpeculation {
    /// The arm.
    pub arm: String,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Tokens that were kept, each counted once.
    pub kept_tokens: u64,
    /// The rest.
    pub counts: SpeculationCounts,
}

impl ArmSpeculation {
    /// Adds to the entry of the same arm and condition, or makes one; entries stay sorted by
    /// condition, then in order of arrival.
    pub fn add(all: &mut Vec<ArmSpeculation>, more: &ArmSpeculation) {
        let same =
            |one: &&mut ArmSpeculation| one.arm == more.arm && one.condition == more.condition;
        if let Some(known) = all.iter_mut().find(same) {
            known.kept_tokens += more.kept_tokens;
            known.counts.add(&more.counts);
        } else {
            all.push(more.clone());
            all.sort_by_key(|one| one.condition);
        }
    }
}

/// An arm's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmMemory {
    /// The arm.
    pub arm: String,
    /// By device and kind.
    pub buffers: Vec<BufferBytes>,
}
