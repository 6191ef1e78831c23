//! The checked plan: what a manifest means, with every default filled in. Nothing below this
//! type sees TOML.

use engine_protocol::Settings;
use serde::{Deserialize, Serialize};

use super::names::{ArmName, ExperimentId};
use super::number::significant;
use super::stop::Stop;

/// A manifest that passed every check. Canonical form and hash are taken of this type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the manifest language: 1.
    pub schema: u32,
    /// Never reused.
    pub id: ExperimentId,
    /// One line.
    pub title: String,
    /// What is believed, with a number, before any is seen.
    pub hypothesis: String,
    /// Why it should be so.
    pub mechanism: Option<String>,
    /// What was seen of this question before.
    pub prior_access: PriorAccess,
    /// Earlier records, each with the scope that it speaks of.
    pub prior_art: Vec<PriorArt>,
    /// Held constant in every arm.
    pub engine: EngineBase,
    /// What the arms work on.
    pub workload: Workload,
    /// All arms in manifest order, a ladder's rungs among them as treatments
    /// (`micro_batch_tokens=16`). Exactly one is `off`, at least one is `aa`.
    pub arms: Vec<Arm>,
    /// Present when arms came from a ladder.
    pub ladder: Option<Ladder>,
    /// Everything is repeated at each of its values.
    pub condition: Option<Condition>,
    /// What is judged, and what is only described.
    pub metric: MetricPlan,
    /// What is known of the noise beforehand.
    pub noise: Noise,
    /// Rounds, blocks, chunks, order.
    pub design: Design,
    /// When to stop.
    pub stop: Stop,
    /// How quiet the machine must be.
    pub gate: Gate,
    /// Margin and confidence.
    pub decision: Decision,
    /// The sentence that may be written for each outcome; `None` uses the default wording.
    pub claim: Claim,
}

/// What was seen of the question before registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriorAccess {
    /// Nothing.
    None,
    /// A pilot (`runner try`).
    Pilot,
    /// Some outcome of a like question.
    Partial,
    /// The outcome itself.
    Seen,
}

/// An earlier record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriorArt {
    /// `<id>/<run>`.
    pub record: String,
    /// What it speaks of.
    pub scope: String,
}

/// The engine that all arms share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineBase {
    /// `native`, or the path of a worker executable, relative to the project's root.
    pub worker: WorkerChoice,
    /// Name in `experiments/models.toml`, or a file with its hash.
    pub model: ModelChoice,
    /// Settings of every arm.
    pub settings: Settings,
    /// How much of the engine registration freezes.
    pub freeze: Freeze,
}

/// Which program serves an arm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerChoice {
    /// The engine that `runner` was built with.
    Native,
    /// A worker executable that speaks the protocol, relative to the project's root or absolute.
    Executable(String),
}

/// Which model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelChoice {
    /// By its name in the catalogue (`experiments/models.toml`, and what is built in).
    Named(String),
    /// A user's own file.
    File {
        /// Relative to the project's root, or absolute.
        path: String,
        /// SHA-256, hexadecimal.
        sha256: String,
    },
}

/// What of the engine must be the same at `exec` as at registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Freeze {
    /// Source tree, compiler and flags: the default.
    Build,
    /// The source tree alone, so that other machines may run the same registration.
    Source,
}

/// What is worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Name of an embedded set (`prose-48`, `code-48`, `filler-48`), or the path of a set file.
    pub inputs: String,
    /// BLAKE3 of the set, filled in by `check` from the text files it may read.
    pub inputs_blake3: String,
    /// The measurement class.
    pub class: MeasurementClass,
    /// What is timed.
    pub work: TimedWork,
    /// Filler in the KV cache before each block's prompt.
    pub depth_tokens: u32,
}

/// What a workload must be calibrated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the glossary defines the classes")]
pub enum MeasurementClass {
    DenseThroughput,
    Routing,
    Speculation,
    Divergence,
    LongContext,
}

/// The timed work of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimedWork {
    /// Prompt first, then single tokens; alternates in chunks.
    Decode {
        /// Tokens of the item that are put in front; untimed.
        prompt_tokens: u32,
        /// Timed tokens of a block and arm; a multiple of `chunk_tokens`.
        decode_tokens: u32,
        /// Timed tokens of a chunk.
        chunk_tokens: u32,
    },
    /// A whole prefill, paired whole, after an untimed one of the same shape.
    Prefill {
        /// Timed tokens.
        prefill_tokens: u32,
    },
}

/// One configuration under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Unique.
    pub name: ArmName,
    /// What it is for.
    pub role: Role,
    /// Laid over the engine's settings.
    pub settings: Settings,
    /// `None`: the engine's worker.
    pub worker: Option<WorkerChoice>,
    /// What it promises of its output. Every treatment has at least one.
    pub contracts: Vec<Contract>,
    /// Proof that the treatment was applied.
    pub expect: Vec<Expectation>,
}

/// What an arm is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Do nothing.
    Off,
    /// Off again: shows the noise floor.
    Aa,
    /// Judged against off.
    Treatment,
    /// Timed and described, not judged.
    Control,
    /// Another engine.
    Peer,
    /// A bound from above.
    Ceiling,
}

/// What an arm promises of its output, against off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Contract {
    /// The same greedy tokens, byte for byte, after each arm has shown that it equals itself
    /// across two processes.
    Identical,
    /// Least cosine of any position's logits.
    Cosine {
        /// The bar.
        at_least: f64,
        /// Where the bar comes from, in words.
        basis: String,
        /// Teacher-forced positions.
        positions: u32,
    },
    /// Kullback-Leibler divergence of off's next-token distribution from the arm's, in nats.
    Kl {
        /// Bar on the mean over positions.
        mean_at_most: f64,
        /// Bar on the 99th percentile over positions.
        p99_at_most: f64,
        /// Where the bars come from, in words.
        basis: String,
        /// Teacher-forced positions.
        positions: u32,
    },
    /// Share of positions with the same most likely token.
    Argmax {
        /// The bar, 0 to 1.
        agreement_at_least: f64,
        /// Where the bar comes from, in words.
        basis: String,
        /// Teacher-forced positions.
        positions: u32,
    },
}

/// A count that must be seen in the untimed, observed run of an arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The engine's name of the operation, lower case.
    pub operation: String,
    /// Least count; 0 together with `at_most = 0` says "never".
    pub at_least: u64,
    /// Greatest count.
    pub at_most: Option<u64>,
}

/// A setting whose rungs are treatments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The setting's key.
    pub setting: String,
    /// Names of the arms that are its rungs, in order.
    pub arms: Vec<ArmName>,
}

/// A setting at each of whose values every arm is repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Which.
    pub setting: ConditionSetting,
    /// At least one, all different.
    pub values: Vec<u32>,
}

/// What a condition may vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "keys of the workload table")]
pub enum ConditionSetting {
    DepthTokens,
    PromptTokens,
    PrefillTokens,
    ChunkTokens,
}

/// What is judged and what is described.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricPlan {
    /// Verdicts belong to this one.
    pub primary: Metric,
    /// Described only.
    pub secondary: Vec<Metric>,
}

/// The metrics of version 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "`facts` defines each")]
pub enum Metric {
    DecodeTokensPerSecond,
    PrefillTokensPerSecond,
    PromptMilliseconds,
}

/// What is known of the noise before the run, as standard deviations of the log ratio.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Between rounds, percent.
    pub assumed_round_sd_percent: f64,
    /// Between blocks of a round, percent.
    pub assumed_block_sd_percent: f64,
    /// The effect that the experiment is made for, percent, signed.
    pub expected_effect_percent: f64,
    /// Where both spreads were read; `None` where the manifest states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<NoiseSource>,
}

/// A stored run whose off and aa arms show the noise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoiseSource {
    /// `<id>/<run>` of a sealed record.
    Record(String),
    /// Name of a pilot, as `runner try` prints it.
    Pilot(String),
}

/// How the work is laid out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Restarts of the workers; the unit of analysis.
    pub rounds: u32,
    /// Inputs between two restarts, for each condition value.
    pub blocks_per_round: u32,
    /// Orders and inputs follow from it.
    pub order_seed: u64,
    /// Whether the claim is about these inputs or about their class.
    pub input_scope: InputScope,
}

/// What the claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InputScope {
    /// These inputs.
    Set,
    /// The class of inputs that they are drawn from.
    Class,
}

/// How quiet the machine must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Most CPU time of other processes over the window, percent of one processor.
    pub others_cpu_percent: f64,
    /// Most CPU pressure (`some`) over a second in which our workers are idle, percent.
    pub pressure_percent: f64,
    /// Longest wait for quiet before any one block, seconds.
    pub wait_seconds: f64,
    /// Greatest share of flagged blocks, percent; over it the run is void.
    pub contaminated_percent: f64,
}

/// The decision rule's numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The smallest effect that matters, percent.
    pub margin_percent: f64,
    /// Of the simultaneous intervals, percent.
    pub confidence_percent: f64,
    /// Who or what resolves a parked result.
    pub parked_resolution: String,
}

/// Wordings; `None` is the default one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "one wording for each decision")]
pub struct Claim {
    pub win: Option<String>,
    pub loss: Option<String>,
    pub level: Option<String>,
    pub parked: Option<String>,
}

impl Metric {
    /// The key in manifests and records.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Metric::DecodeTokensPerSecond => "decode_tokens_per_second",
            Metric::PrefillTokensPerSecond => "prefill_tokens_per_second",
            Metric::PromptMilliseconds => "prompt_milliseconds",
        }
    }

    /// The unit as printed.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Metric::DecodeTokensPerSecond | Metric::PrefillTokensPerSecond => "tokens/s",
            Metric::PromptMilliseconds => "ms",
        }
    }
}

impl Noise {
    /// Digits of a spread that was measured: more would be noise of their own.
    const KEPT_DIGITS: usize = 4;

    /// The noise that a stored run shows, to four significant digits. Percent.
    #[must_use]
    pub fn measured(
        source: NoiseSource,
        round_sd_percent: f64,
        block_sd_percent: f64,
        expected_effect_percent: f64,
    ) -> Noise {
        Noise {
            assumed_round_sd_percent: significant(round_sd_percent, Noise::KEPT_DIGITS),
            assumed_block_sd_percent: significant(block_sd_percent, Noise::KEPT_DIGITS),
            expected_effect_percent,
            source: Some(source),
        }
    }
}

impl Plan {
    /// The do-nothing arm's index.
    #[must_use]
    pub fn off(&self) -> usize {
        self.arms.iter().position(|arm| arm.role == Role::Off).unwrap_or(0)
    }

    /// The settings in force in an arm.
    #[must_use]
    pub fn settings_of(&self, arm: &Arm) -> Settings {
        self.engine.settings.overlaid(&arm.settings)
    }

    /// The worker of an arm.
    #[must_use]
    pub fn worker_of<'plan>(&'plan self, arm: &'plan Arm) -> &'plan WorkerChoice {
        arm.worker.as_ref().unwrap_or(&self.engine.worker)
    }

    /// The condition's values, or a single empty one.
    #[must_use]
    pub fn condition_values(&self) -> Vec<Option<u32>> {
        match &self.condition {
            Some(condition) => condition.values.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// Depth at a condition value.
    #[must_use]
    pub fn depth_at(&self, value: Option<u32>) -> u32 {
        match (&self.condition, value) {
            (Some(condition), Some(value))
                if condition.setting == ConditionSetting::DepthTokens =>
            {
                value
            }
            _ => self.workload.depth_tokens,
        }
    }

    /// Timed work at a condition value.
    #[must_use]
    pub fn work_at(&self, value: Option<u32>) -> TimedWork {
        let setting = self.condition.as_ref().map(|condition| condition.setting);
        match (self.workload.work, setting, value) {
            (
                TimedWork::Decode { decode_tokens, chunk_tokens, .. },
                Some(ConditionSetting::PromptTokens),
                Some(value),
            ) => TimedWork::Decode { prompt_tokens: value, decode_tokens, chunk_tokens },
            (
                TimedWork::Decode { prompt_tokens, decode_tokens, .. },
                Some(ConditionSetting::ChunkTokens),
                Some(value),
            ) => TimedWork::Decode { prompt_tokens, decode_tokens, chunk_tokens: value },
            (TimedWork::Prefill { .. }, Some(ConditionSetting::PrefillTokens), Some(value)) => {
                TimedWork::Prefill { prefill_tokens: value }
            }
            (work, _, _) => work,
        }
    }
}
