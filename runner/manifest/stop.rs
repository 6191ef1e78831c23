//! Stopping rules, as a plan holds them.

use serde::{Deserialize, Serialize};

/// When a run stops. `[design] rounds` is the cap on rounds of each of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stop {
    /// All registered rounds, or void at the cap.
    Fixed {
        /// Cap on wall time, waiting for quiet included. Past it the run is `void: over_budget`.
        cap_minutes: f64,
    },
    /// A few looks, agreed beforehand, with the error shared out between them.
    GroupSequential {
        /// Whole rounds at each look, increasing; the last is `[design] rounds`.
        looks_at_rounds: Vec<u32>,
        /// How the error is shared out.
        spending: Spending,
        /// Stop, parked, when the chance of a decision by the last look falls below; percent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        futility_percent: Option<f64>,
        /// As in `Fixed`.
        cap_minutes: f64,
    },
    /// A look after every whole round from the 20th on.
    ConfidenceSequence {
        /// As in `GroupSequential`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        futility_percent: Option<f64>,
        /// As in `Fixed`.
        cap_minutes: f64,
    },
}

/// How a group-sequential rule shares out its error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spending {
    /// Lan and DeMets' spending function of the O'Brien-Fleming type.
    #[serde(rename = "obrien_fleming")]
    OBrienFleming,
    /// Lan and DeMets' spending function of the Pocock type.
    Pocock,
    /// O'Brien and Fleming's own boundary.
    #[serde(rename = "exact_obrien_fleming")]
    ExactOBrienFleming,
    /// Pocock's own boundary.
    ExactPocock,
    /// Stated look by look.
    Listed {
        /// Error spent up to and with each look, percent of all; the last is 100.
        cumulative_percent: Vec<f64>,
    },
}

impl Stop {
    /// Cap on wall time, waiting for quiet included, minutes.
    #[must_use]
    pub fn cap_minutes(&self) -> f64 {
        match self {
            Stop::Fixed { cap_minutes }
            | Stop::GroupSequential { cap_minutes, .. }
            | Stop::ConfidenceSequence { cap_minutes, .. } => *cap_minutes,
        }
    }

    /// Chance of a decision below which the run stops, percent, where one is registered.
    #[must_use]
    pub fn futility_percent(&self) -> Option<f64> {
        match self {
            Stop::Fixed { .. } => None,
            Stop::GroupSequential { futility_percent, .. }
            | Stop::ConfidenceSequence { futility_percent, .. } => *futility_percent,
        }
    }
}
