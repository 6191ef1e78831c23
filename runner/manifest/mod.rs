//! The manifest language: TOML with places in, a checked [`Plan`] out.

mod names;
mod plan;

pub use names::{ArmName, BadName, ExperimentId};
pub use plan::{
    Arm, Claim, Condition, ConditionSetting, Contract, Decision, Design, EngineBase, Expectation,
    Freeze, Gate, InputScope, Ladder, MeasurementClass, Metric, MetricPlan, ModelChoice, Noise,
    Plan, PriorAccess, PriorArt, Role, Stop, TimedWork, WorkerChoice, Workload,
};
