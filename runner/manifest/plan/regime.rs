//! What the experiment's figures are to speak of.

use serde::{Deserialize, Serialize};

use crate::manifest::names::ExperimentId;

/// What is registered of the regime; at least one of the two is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegimePlan {
    /// What the claims are to be of: held against what the arms run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<ClaimedExtent>,
    /// The experiment on the whole model that this one, on a slice, predicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicts: Option<ExperimentId>,
}

/// How much of the model claims speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimedExtent {
    /// All layers of a model of the catalogue.
    WholeModel,
    /// The first layers alone: the arms name `layers`.
    Slice,
}
