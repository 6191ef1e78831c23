//! The judgement: a pure function of a plan and the evidence.

mod analysis;
mod evidence;

pub use analysis::{
    AaFinding, Agreement, Analysis, Comparison, Effect, Reason, ReasonCode, RunSummary,
    SecondaryFigure, Spread, Verdict,
};
pub use evidence::{
    ArmFault, ArmFaultKind, ArmMemory, ContractFinding, ContractState, Engagement, Evidence,
    Interruption, NamedFigure, RunEnd, RunFacts,
};
