//! The judgement: a pure function of a plan and the evidence.

mod adjusted;
mod analysis;
mod blocks;
mod by_arm;
mod claims;
mod class_scope;
mod comparison;
mod condition_spread;
pub mod contract;
mod course;
mod decision;
mod describe;
mod description;
mod estimate;
mod evidence;
mod follow;
mod isolation;
mod judge;
mod layout_costs;
mod look_taken;
mod noise_floor;
mod pairs;
mod pilot;
mod promises;
mod registered_noise;
mod rules;
mod ruling;
mod secondary;
mod setting;
mod simulated;
mod spread;
mod standing;
mod timing;
mod weights;
mod words;

#[cfg(test)]
mod claim_tests;
#[cfg(test)]
mod documentation_tests;
#[cfg(test)]
mod error_rate_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod look_tests;
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
pub use condition_spread::{
    Advice, ConditionSpread, CostFigures, Estimated, Level, LevelSpread, SizedLayout,
    condition_spreads,
};
pub use description::{
    AdjustedEstimate, ClassIntervals, Description, Estimator, EstimatorFigure, LookFigure,
    LookOutcome, NestedSpread, Outliers, PairingGain, PlaceFigure, RoundFigure, RunCourse,
    ShiftFigure, Test, TestFigure,
};
pub use evidence::{
    ArmFault, ArmFaultKind, ArmForm, ArmMemory, ArmSpeculation, ContractFinding, ContractState,
    Engagement, Evidence, Interruption, NamedFigure, RunEnd, RunFacts,
};
pub use isolation::{Isolated, Isolation, isolated};
pub use judge::{judge, judge_under};
pub use layout_costs::{MeasuredCosts, measured_costs};
pub use look_taken::{LookTaken, look_after};
pub use pilot::{
    PILOT_CONFIDENCE_PERCENT, PilotNoise, pilot_effect, pilot_noise, pilot_pooled, pilot_spread,
};
pub use registered_noise::{RegisteredNoise, registered_noise};
pub use rules::RULES_VERSION;
pub use simulated::SimulatedRule;
pub use standing::Standing;
pub use words::condition as condition_label;
