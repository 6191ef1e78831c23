//! Arms, what they promise, and the ladder that some come from.

use engine_protocol::{Form, Settings};
use serde::{Deserialize, Serialize};

use super::engine::WorkerChoice;
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
    /// `None`: the engine's worker.
    pub worker: Option<WorkerChoice>,
    /// What it promises of its output. Every treatment has at least one.
    pub contracts: Vec<Contract>,
    /// Proof that the treatment was applied.
    pub expect: Vec<Expectation>,
    /// Drafted tokens that must be accepted while timed, over the run, at each condition value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_tokens_at_least: Option<u64>,
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
