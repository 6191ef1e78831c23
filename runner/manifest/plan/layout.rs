//! What is known of the noise, and how the work is laid out against it.

use serde::{Deserialize, Serialize};

use crate::manifest::number::significant;

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
