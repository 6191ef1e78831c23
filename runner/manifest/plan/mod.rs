//! The checked plan: what a manifest means, with every default filled in. Nothing below this
//! type sees TOML.

mod arms;
mod budget;
mod build;
mod drafts;
mod engine;
mod environment;
mod history;
mod judging;
mod ladder;
mod layout;
mod peer;
mod regime;
mod slots;
mod stack;
mod warm_up;
mod whole;
mod work;

pub use arms::{
    Arm, ArmInputs, BufferExpectation, Contract, DeviceExpectation, Expectation, Pieces, Role,
};
pub use budget::{Budget, MEGABYTE};
pub use build::{BlasLibrary, Build, BuildBackend, BuildSource, BuildSpec, BuildThreading};
pub use drafts::Drafting;
pub use engine::{EngineBase, Freeze, ModelChoice, WorkerChoice};
pub use environment::Environment;
pub use history::History;
pub use judging::{Better, Claim, Decision, Gate, Metric, MetricPlan};
pub use ladder::{AssumedCurve, Ladder, LadderPlace, LadderStop, LeastStep};
pub use layout::{Design, InputScope, Noise, NoiseSource};
pub use peer::{
    Load, LoadName, PLACEHOLDERS, Peer, PeerCommand, PeerServer, PeerUnit, PromptCache, Reads,
    ReadsName, StartUp,
};
pub use regime::{ClaimedExtent, RegimePlan};
pub use stack::{StackFact, StackPlan};
pub use warm_up::WarmUp;
pub use whole::{Plan, PriorAccess, PriorArt};
pub use work::{
    BUFFERS, Condition, ConditionSetting, MeasurementClass, PrimitiveKind, PrimitiveName,
    TimedWork, Workload,
};
