//! The judgement: a pure function of a plan and the evidence.

mod analysis;
mod blocks;
mod claims;
pub mod contract;
mod course;
mod decision;
mod describe;
mod description;
mod estimate;
mod evidence;
mod judge;
mod noise_floor;
mod pairs;
mod pilot;
mod promises;
mod ruling;
mod secondary;
mod words;

#[cfg(test)]
mod documentation_tests;
#[cfg(test)]
mod error_rate_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod metamorphic_tests;
#[cfg(test)]
mod sample_tests;
#[cfg(test)]
mod test_evidence;

pub use analysis::{
    AaFinding, Agreement, Analysis, Comparison, Effect, Reason, ReasonCode, RunSummary,
    SecondaryFigure, Spread, Verdict,
};
pub use description::{
    AdjustedEstimate, ClassIntervals, Description, Estimator, EstimatorFigure, LookFigure,
    LookOutcome, NestedSpread, Outliers, PairingGain, PlaceFigure, RoundFigure, RunCourse,
    ShiftFigure, Test, TestFigure,
};
pub use evidence::{
    ArmFault, ArmFaultKind, ArmMemory, ContractFinding, ContractState, Engagement, Evidence,
    Interruption, NamedFigure, RunEnd, RunFacts,
};
pub use judge::{RULES_VERSION, judge};
pub use pilot::{
    PILOT_CONFIDENCE_PERCENT, PilotNoise, pilot_effect, pilot_noise, pilot_pooled, pilot_spread,
};
