//! The manifest language: TOML with places in, a checked [`Plan`] out.

mod assemble;
mod build_keys;
mod builds;
mod canonical;
mod checked;
mod code;
mod diagnostics;
mod draft;
mod draft_peer;
mod faults;
mod ladder;
mod language;
mod names;
mod number;
mod plan;
mod question;
mod read;
mod reference;
mod render;
mod rules;
mod scalar;
mod schema;
mod scope;
mod setting;
mod span;
mod stop;
mod suggest;
mod surroundings;
mod syntax;
mod template;
mod template_commits;
#[cfg(test)]
mod tests;
mod to_toml;
mod to_toml_peer;
mod walk;

pub use build_keys::build_keys;
pub use builds::read_builds;
pub use canonical::{
    CANONICAL_VERSION, ManifestHash, QuestionKey, canonical_form, from_canonical, manifest_hash,
};
pub use code::Code;
pub use diagnostics::{Diagnostic, Diagnostics, Label, MOST_SHOWN, Severity};
pub use names::{ArmName, BadName, BuildName, ExperimentId, ImportName};
pub use plan::{
    Arm, ArmInputs, AssumedCurve, BUFFERS, Better, BlasLibrary, Budget, BufferExpectation, Build,
    BuildBackend, BuildSource, BuildSpec, BuildThreading, Claim, ClaimedExtent, Condition,
    ConditionSetting, Contract, Decision, Design, DeviceExpectation, Drafting, EngineBase,
    Environment, Expectation, Freeze, Gate, History, InputScope, Ladder, LadderPlace, LadderStop,
    LeastStep, Load, MEGABYTE, MeasurementClass, Metric, MetricPlan, ModelChoice, Noise,
    NoiseSource, Peer, PeerCommand, PeerServer, PeerUnit, Pieces, Plan, PrimitiveKind, PriorAccess,
    PriorArt, PromptCache, Reads, RegimePlan, Role, StackFact, StackPlan, StartUp, TimedWork,
    WarmUp, WorkerChoice, Workload,
};
pub use question::question_key;
pub use read::{LARGEST, Reading, decode, read};
pub use reference::{reference_parts, renew_reference};
pub use render::Color;
pub use schema::json_schema;
pub use scope::{ScopeDifference, compared_arm, compared_arms, scope_differences, works};
pub use setting::read_setting;
pub use span::Position;
pub use stop::{Spending, Stop};
pub use surroundings::{NoNoise, NoiseFacts, Surroundings, TextOrigin, WorkloadFacts};
pub use template::{TemplateKind, template};
pub use template_commits::{CommitsTemplate, NamedCommit, TwoCommits, commits_template};
pub use to_toml::to_toml;
