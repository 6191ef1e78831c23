//! The judgement: a pure function of a plan and the evidence.

mod adjusted;
mod analysis;
mod arm_inputs;
mod blocks;
mod bounds;
mod bounds_evidence;
mod bounds_proof;
mod by_arm;
mod canary_noise;
mod claims;
mod class_scope;
mod comparison;
mod condition_spread;
pub mod contract;
mod course;
mod decision;
mod describe;
mod description;
mod energy;
mod engagement;
mod estimate;
mod evidence;
mod extent;
mod follow;
mod isolation;
mod judge;
mod ladder;
mod layout_costs;
mod loaded;
mod look_taken;
mod noise_floor;
mod pairs;
mod peers;
mod pilot;
mod primitives;
mod process_facts;
mod promises;
mod registered_noise;
mod rules;
mod ruling;
mod secondary;
mod setting;
mod simulated;
mod spread;
mod standing;
mod surroundings;
mod timing;
mod weights;
mod words;

#[cfg(test)]
mod bounds_tests;
#[cfg(test)]
mod claim_tests;
#[cfg(test)]
mod documentation_tests;
#[cfg(test)]
mod energy_tests;
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
pub use arm_inputs::{ItemBeside, OwnInputs, own_inputs_words};
pub use bounds::{ALLOWANCE, Bound, BoundReached, BoundState, CountedIn};
pub use bounds_evidence::{
    ArmTraffic, BoundsEvidence, BoundsProof, MachineBounds, MultiplyAdds, WorkingSetBandwidth,
};
pub use bounds_proof::bounds_proof;
pub use canary_noise::{CanaryNoise, CanarySpread};
pub use condition_spread::{
    Advice, ConditionSpread, CostFigures, Estimated, Level, LevelSpread, SizedLayout,
    condition_spreads,
};
pub use description::{
    AdjustedEstimate, ClassIntervals, Description, Estimator, EstimatorFigure, LookFigure,
    LookOutcome, NestedSpread, Outliers, PairingGain, PlaceFigure, RoundFigure, RunCourse,
    ShiftFigure, Test, TestFigure,
};
pub use energy::EnergyEvidence;
pub use evidence::{
    ArmFault, ArmFaultKind, ArmForm, ArmMemory, ArmPrimitive, ArmSlice, ArmSpeculation,
    ContractFinding, ContractState, Engagement, Evidence, Interruption, NamedFigure, RunEnd,
    RunFacts,
};
pub use extent::extent;
pub use isolation::{Isolated, Isolation, isolated};
pub use judge::{judge, judge_under};
pub use ladder::{LadderCode, LadderFinding, LadderReason, RungFigure, StepFigure};
pub use layout_costs::{MeasuredCosts, measured_costs};
pub use look_taken::{LookTaken, look_after};
pub use peers::{PeerFacts, PromptCacheFinding, Quantiles, ServerSide};
pub use pilot::{
    PILOT_CONFIDENCE_PERCENT, PilotNoise, pilot_effect, pilot_noise, pilot_pooled, pilot_spread,
};
pub use primitives::regime_of;
pub use process_facts::{ArmWarmUp, GuardedLimit, MemoryReading, ProcessFacts, WarmUpOutcome};
pub use registered_noise::{RegisteredNoise, registered_noise};
pub use rules::RULES_VERSION;
pub use simulated::SimulatedRule;
pub use standing::Standing;
pub use surroundings::{SurroundingReading, Surroundings};
pub use words::condition as condition_label;
