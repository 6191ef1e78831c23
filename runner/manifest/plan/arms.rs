//! Arms, and what they promise.

use engine_protocol::{Form, Settings};
use serde::{Deserialize, Serialize};

use super::engine::WorkerChoice;
use super::environment::Environment;
use crate::manifest::names::ArmName;

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
    /// The engine's model in this form, for this arm alone; `None`: the engine's form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// The engine's model cut to its first layers, for this arm alone; `None`: the engine's layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<u32>,
    /// A set of its own, which no other arm's tokens are held against; `None`: the workload's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<ArmInputs>,
    /// Into which pieces a primitive is cut; `None` where texts are worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Pieces>,
    /// `None`: the engine's worker.
    pub worker: Option<WorkerChoice>,
    /// What it promises of its output. Every treatment has at least one.
    pub contracts: Vec<Contract>,
    /// Proof that the treatment was applied.
    pub expect: Vec<Expectation>,
    /// Drafted tokens that must be accepted while timed, over the run, at each condition value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_tokens_at_least: Option<u64>,
    /// Devices on which operations must run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_devices: Vec<DeviceExpectation>,
    /// Buffers that must be held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_buffers: Vec<BufferExpectation>,
    /// Variables of its worker, laid over the engine's.
    #[serde(default, skip_serializing_if = "Environment::is_empty")]
    pub environment: Environment,
}

/// The set of an arm that is only shown: it works on item k where the others work on item k of the
/// workload's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmInputs {
    /// Name of an embedded set, or the path of a set file.
    pub name: String,
    /// BLAKE3 of the set, filled in by `check`.
    pub blake3: String,
}

/// How the same work of a primitive is cut. A figure of the one says nothing of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pieces {
    /// One contiguous piece of all the work: the primitive.
    One,
    /// One for each place of the model, in its real sizes: the composition.
    Composition,
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

/// Operations that must run on a device in the untimed, observed run of an arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceExpectation {
    /// The engine's name of the device: `CPU`, `CUDA0`.
    pub device: String,
    /// Least count; 0 together with `at_most = 0` says "none".
    pub at_least: u64,
    /// Greatest count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
    /// Least share of all operations of that run, percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least_percent: Option<u32>,
}

/// Bytes that an arm's worker must hold in buffers of a type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferExpectation {
    /// The engine's name of the buffer type: `CPU`, `CPU_REPACK`, `CUDA0`.
    pub buffer: String,
    /// Least bytes; 0 together with `at_most_bytes = 0` says "none".
    pub at_least_bytes: u64,
    /// Most bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most_bytes: Option<u64>,
}
