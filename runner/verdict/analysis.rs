//! What was concluded: the type that records store, verify recomputes and reports print.

use serde::{Deserialize, Serialize};

use super::bounds::BoundReached;
use super::description::{AdjustedEstimate, ClassIntervals, Description, LookFigure};
use super::ladder::LadderFinding;

/// The judgement of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// Version of the rules: raised whenever `stats/` or `verdict/` changes a result.
    pub rules_version: u32,
    /// Rounds that were whole and judged.
    pub rounds_judged: u32,
    /// Blocks measured, in all.
    pub blocks: u32,
    /// Of those, flagged by arm-blind sensors, with the reasons and their counts in words.
    pub blocks_flagged: u32,
    /// `sensor: count` for each flag seen.
    pub flags: Vec<String>,
    /// Off against off again, for each aa arm and condition value.
    pub aa: Vec<AaFinding>,
    /// One for each treatment and condition value, in manifest order.
    pub comparisons: Vec<Comparison>,
    /// Arms that are described, not judged (control, ceiling, peer). Their verdict is `parked`
    /// with the reason `described_only` where nothing voids them.
    pub described: Vec<Comparison>,
    /// Secondary metrics, described for every arm and condition value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secondary: Vec<SecondaryFigure>,
    /// How much of the machine's bounds each arm reached; empty before version 3 of the rules and
    /// where no traffic is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundReached>,
    /// The ladder held against its rule, at each condition value; empty where none is registered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ladder: Vec<LadderFinding>,
    /// Whole-run summary: the worst state over the comparisons.
    pub summary: RunSummary,
}

/// What the process's exit code follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunSummary {
    /// Every comparison has a decision or is insufficient: exit 0.
    Judged,
    /// At least one comparison is void: exit 4.
    Void,
    /// The run did not complete: exit 5.
    Incomplete,
}

/// The noise floor between two identical arms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AaFinding {
    /// The aa arm.
    pub arm: String,
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// ln(aa/off), the registered estimate.
    pub effect: Option<Effect>,
    /// 99 % interval leaves out 0 and the estimate is over half the margin.
    pub biased: bool,
}

/// One comparison with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The treatment.
    pub arm: String,
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// Metric key.
    pub metric: String,
    /// Rounds that entered.
    pub rounds: u32,
    /// Blocks that entered.
    pub blocks: u32,
    /// Blocks of whole rounds left out because a sample of theirs timed out or lay below the
    /// timer's resolution.
    #[serde(default)]
    pub blocks_without_number: u32,
    /// Off's own values over blocks.
    pub off: Option<Spread>,
    /// The arm's own values over blocks.
    pub treatment: Option<Spread>,
    /// Paired, registered estimate over rounds, all blocks (flagged ones left out).
    pub effect: Option<Effect>,
    /// The same with flagged blocks kept, where any were flagged.
    pub effect_with_flagged: Option<Effect>,
    /// Rounds whose value has the sign of the estimate, of how many.
    pub rounds_agree: Agreement,
    /// Inputs whose mean log ratio has the sign of the estimate, of how many.
    pub inputs_agree: Agreement,
    /// The pooled view: all block values of one arm against all of the other (Welch, on logs).
    pub pooled: Option<Effect>,
    /// Holm-adjusted p of the comparison, two-sided against no effect; absent where the rule
    /// looks more than once or the claim is about a class.
    pub holm_p: Option<f64>,
    /// Each look, where the rule has more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<LookFigure>,
    /// The estimate corrected for looking, where it stopped at a look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<AdjustedEstimate>,
    /// Where the claim is about a class of inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_intervals: Option<ClassIntervals>,
    /// What is described beside the decision; absent under version 1 of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// The sentence that may be written.
    pub claim: String,
}

/// A secondary metric of one arm: described, never judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecondaryFigure {
    /// The arm.
    pub arm: String,
    /// The condition, `depth_tokens=512`; empty without one.
    pub condition: String,
    /// Metric key.
    pub metric: String,
    /// Its values over blocks of whole rounds, in the metric's unit.
    pub values: Spread,
}

/// An estimated ratio with its interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// ln(arm/off), more is better.
    pub log_ratio: f64,
    /// Standard deviation of the units that the interval is over.
    pub sd: f64,
    /// Lower end, log scale. `None` when n supports no interval.
    pub lo: Option<f64>,
    /// Upper end, log scale.
    pub hi: Option<f64>,
    /// Of this interval, percent (simultaneous over the family where it is a comparison's).
    pub confidence_percent: f64,
    /// Units.
    pub n: u32,
}

/// An arm's own values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Median.
    pub median: f64,
    /// First quartile.
    pub q1: f64,
    /// Third quartile.
    pub q3: f64,
    /// Least.
    pub least: f64,
    /// Greatest.
    pub greatest: f64,
    /// How many.
    pub n: u32,
}

/// k of n agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "k of n")]
pub struct Agreement {
    pub agree: u32,
    pub of: u32,
}

/// The eight verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The interval lies above the margin.
    Win,
    /// The interval lies below minus the margin.
    Loss,
    /// The interval lies within the margins.
    Level,
    /// Neither: the registered resolution says what comes next.
    Parked,
    /// The numbers are kept and prove nothing.
    Void,
    /// Nothing was measured.
    Refused,
    /// The run ended early.
    Incomplete,
    /// Too few whole rounds for an interval.
    Insufficient,
}

/// Why a verdict came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// For programs.
    pub code: ReasonCode,
    /// For people, with the numbers.
    pub text: String,
}

/// All reasons, in their order of precedence. `docs/reason-codes.md` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/reason-codes.md")]
pub enum ReasonCode {
    ContractBroken,
    OutsideSupport,
    BoundPassed,
    RunBroken,
    ArmFault,
    ContractNotSelfEqual,
    ContractNotRun,
    AaBias,
    TreatmentNotApplied,
    UnequalWork,
    NeverQuiet,
    ContaminationDiffersByArm,
    ExclusionDiffersByArm,
    NoAcceptedBlock,
    ContaminatedOverCap,
    OverBudget,
    TooFewRounds,
    TooFewInputs,
    ResolutionLimited,
    AnalysesDisagree,
    AboveMargin,
    BelowMargin,
    WithinMargin,
    AaTooWideForLevel,
    Futile,
    IntervalCrossesMargin,
    DescribedOnly,
}

impl Reason {
    /// A code with its words.
    #[must_use]
    pub fn new(code: ReasonCode, text: impl Into<String>) -> Reason {
        Reason { code, text: text.into() }
    }
}

impl ReasonCode {
    /// Every code, in order of precedence.
    pub const ALL: [ReasonCode; 27] = [
        ReasonCode::ContractBroken,
        ReasonCode::OutsideSupport,
        ReasonCode::BoundPassed,
        ReasonCode::RunBroken,
        ReasonCode::ArmFault,
        ReasonCode::ContractNotSelfEqual,
        ReasonCode::ContractNotRun,
        ReasonCode::AaBias,
        ReasonCode::TreatmentNotApplied,
        ReasonCode::UnequalWork,
        ReasonCode::NeverQuiet,
        ReasonCode::ContaminationDiffersByArm,
        ReasonCode::ExclusionDiffersByArm,
        ReasonCode::NoAcceptedBlock,
        ReasonCode::ContaminatedOverCap,
        ReasonCode::OverBudget,
        ReasonCode::TooFewRounds,
        ReasonCode::TooFewInputs,
        ReasonCode::ResolutionLimited,
        ReasonCode::AnalysesDisagree,
        ReasonCode::AboveMargin,
        ReasonCode::BelowMargin,
        ReasonCode::WithinMargin,
        ReasonCode::AaTooWideForLevel,
        ReasonCode::Futile,
        ReasonCode::IntervalCrossesMargin,
        ReasonCode::DescribedOnly,
    ];

    /// The verdict that goes with the reason: each reason has exactly one.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            ReasonCode::AboveMargin => Verdict::Win,
            ReasonCode::BelowMargin => Verdict::Loss,
            ReasonCode::WithinMargin => Verdict::Level,
            ReasonCode::RunBroken => Verdict::Incomplete,
            ReasonCode::TooFewRounds | ReasonCode::TooFewInputs => Verdict::Insufficient,
            ReasonCode::ResolutionLimited
            | ReasonCode::AnalysesDisagree
            | ReasonCode::AaTooWideForLevel
            | ReasonCode::Futile
            | ReasonCode::IntervalCrossesMargin
            | ReasonCode::DescribedOnly => Verdict::Parked,
            ReasonCode::ContractBroken
            | ReasonCode::OutsideSupport
            | ReasonCode::BoundPassed
            | ReasonCode::ArmFault
            | ReasonCode::ContractNotSelfEqual
            | ReasonCode::ContractNotRun
            | ReasonCode::AaBias
            | ReasonCode::TreatmentNotApplied
            | ReasonCode::UnequalWork
            | ReasonCode::NeverQuiet
            | ReasonCode::ContaminationDiffersByArm
            | ReasonCode::ExclusionDiffersByArm
            | ReasonCode::NoAcceptedBlock
            | ReasonCode::ContaminatedOverCap
            | ReasonCode::OverBudget => Verdict::Void,
        }
    }

    /// Reasons that lie with the machine, not with the arms or the program.
    #[must_use]
    pub fn is_machines(self) -> bool {
        matches!(
            self,
            ReasonCode::NeverQuiet
                | ReasonCode::ContaminatedOverCap
                | ReasonCode::ContaminationDiffersByArm
                | ReasonCode::NoAcceptedBlock
                | ReasonCode::OverBudget
                | ReasonCode::AaBias
        )
    }
}
