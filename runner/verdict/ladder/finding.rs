//! What is concluded of a ladder.

use serde::{Deserialize, Serialize};

use super::super::analysis::{Effect, ReasonCode};

/// A ladder at one condition value, held against its rule. It changes no verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderFinding {
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// The setting's key.
    pub setting: String,
    /// Its places in order; off among them where it stands at a number.
    pub places: Vec<RungFigure>,
    /// The arm at which the rule stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stops_at: Option<String>,
    /// The best arm up to there: what one would have kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The best arm of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The arm beyond the stop that the finding turns on: of those that are better than kept by more
    /// than the margin, else of those that may be, else of all, the one with the greatest estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rival: Option<String>,
    /// ln(rival/kept), paired over rounds. Its interval holds whichever two places of the ladder were
    /// picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rival_over_kept: Option<Effect>,
    /// The first arm beyond the stop whose step bought enough again, and more than nothing by its
    /// interval: a plateau, then a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later_step: Option<String>,
    /// What it comes to.
    pub reason: LadderReason,
}

/// One place of the ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungFigure {
    /// The arm.
    pub arm: String,
    /// The setting's value.
    pub value: String,
    /// ln(arm/off) as it was judged; `None` for off itself, and where there is no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// Why no figure of it counts here, where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<ReasonCode>,
    /// Against the place before; `None` for the lowest, and where one of the two is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepFigure>,
}

/// What one step up the ladder bought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepFigure {
    /// The arm below.
    pub from: String,
    /// Doublings of the setting's value between the two, where the rule counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doublings: Option<f64>,
    /// ln(arm/arm below), paired over rounds.
    pub effect: Effect,
    /// What the rule asks about: percent a doubling, or a step.
    pub bought_percent: f64,
}

/// Why a ladder's finding came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderReason {
    /// For programs.
    pub code: LadderCode,
    /// For people, with the numbers.
    pub text: String,
}

/// What a ladder's rule can come to. `docs/reason-codes.md` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LadderCode {
    /// It would have missed a rung that is better by more than the margin.
    LadderRuleStopsBeforeBest,
    /// No rung beyond its stop is better than what it would have kept by more than the margin.
    LadderRuleFindsBest,
    /// Every step bought enough: it would have climbed to the end.
    LadderRuleNeverStops,
    /// Whether it would have missed the best the samples do not tell.
    LadderUndecided,
    /// Where it stops is not known.
    LadderNotEvaluated,
}

impl LadderCode {
    /// Every code, in the order of the page about them.
    pub const ALL: [LadderCode; 5] = [
        LadderCode::LadderRuleStopsBeforeBest,
        LadderCode::LadderRuleFindsBest,
        LadderCode::LadderRuleNeverStops,
        LadderCode::LadderUndecided,
        LadderCode::LadderNotEvaluated,
    ];
}
