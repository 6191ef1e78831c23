//! The checked plan: what a manifest means, with every default filled in. Nothing below this
//! type sees TOML.

mod arms;
mod drafts;
mod engine;
mod judging;
mod layout;
mod whole;
mod work;

pub use arms::{Arm, Contract, Expectation, Ladder, Role};
pub use drafts::Drafting;
pub use engine::{EngineBase, Freeze, ModelChoice, WorkerChoice};
pub use judging::{Claim, Decision, Gate, Metric, MetricPlan};
pub use layout::{Design, InputScope, Noise, NoiseSource};
pub use whole::{Plan, PriorAccess, PriorArt};
pub use work::{Condition, ConditionSetting, MeasurementClass, TimedWork, Workload};
