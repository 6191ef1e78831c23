//! The plan as a whole, and what may be asked of it.

use engine_protocol::{Form, Settings};
use serde::{Deserialize, Serialize};

use super::arms::{Arm, Pieces, Role};
use super::budget::Budget;
use super::build::{Build, BuildSpec};
use super::engine::{EngineBase, WorkerChoice};
use super::environment::Environment;
use super::history::History;
use super::judging::{Claim, Decision, Gate, MetricPlan};
use super::ladder::Ladder;
use super::layout::{Design, Noise};
use super::peer::Peer;
use super::regime::RegimePlan;
use super::stack::StackPlan;
use super::warm_up::WarmUp;
use super::work::{Condition, ConditionSetting, TimedWork, Workload};
use crate::manifest::names::ExperimentId;
use crate::manifest::stop::Stop;

/// A manifest that passed every check. Canonical form and hash are taken of this type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the manifest language: 1.
    pub schema: u32,
    /// Never reused.
    pub id: ExperimentId,
    /// One line.
    pub title: String,
    /// What is believed, with a number, before any is seen.
    pub hypothesis: String,
    /// Why it should be so.
    pub mechanism: Option<String>,
    /// What was seen of this question before.
    pub prior_access: PriorAccess,
    /// Earlier records, each with the scope that it speaks of.
    pub prior_art: Vec<PriorArt>,
    /// Held constant in every arm.
    pub engine: EngineBase,
    /// What the arms work on.
    pub workload: Workload,
    /// All arms in manifest order, a ladder's rungs among them as treatments
    /// (`micro_batch_tokens=16`). Exactly one is `off`, at least one is `aa`.
    pub arms: Vec<Arm>,
    /// Present when arms came from a ladder.
    pub ladder: Option<Ladder>,
    /// Everything is repeated at each of its values.
    pub condition: Option<Condition>,
    /// What is judged, and what is only described.
    pub metric: MetricPlan,
    /// What is known of the noise beforehand.
    pub noise: Noise,
    /// Rounds, blocks, chunks, order.
    pub design: Design,
    /// When to stop.
    pub stop: Stop,
    /// How quiet the machine must be.
    pub gate: Gate,
    /// Margin and confidence.
    pub decision: Decision,
    /// The sentence that may be written for each outcome; `None` uses the default wording.
    pub claim: Claim,
    /// How much memory the arms may take; `None`: as much as the machine has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// When warming up is over; `None`: after one piece of the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUp>,
    /// On which facts the figures depend; `None`: on all of the stack key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<StackPlan>,
    /// What the figures are to speak of, where it is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regime: Option<RegimePlan>,
    /// Among which commits one is looked for, where that is what is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
}

/// What was seen of the question before registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriorAccess {
    /// Nothing.
    None,
    /// A pilot (`runner try`).
    Pilot,
    /// Some outcome of a like question.
    Partial,
    /// The outcome itself.
    Seen,
}

/// An earlier record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriorArt {
    /// `<id>/<run>`.
    pub record: String,
    /// What it speaks of.
    pub scope: String,
}

impl Plan {
    /// The do-nothing arm's index.
    #[must_use]
    pub fn off(&self) -> usize {
        self.arms.iter().position(|arm| arm.role == Role::Off).unwrap_or(0)
    }

    /// The settings in force in an arm.
    #[must_use]
    pub fn settings_of(&self, arm: &Arm) -> Settings {
        self.engine.settings.overlaid(&arm.settings)
    }

    /// The form of the model in an arm; `None` is the file as it is.
    #[must_use]
    pub fn form_of(&self, arm: &Arm) -> Option<Form> {
        arm.form.or(self.engine.form)
    }

    /// How many of the model's first layers an arm runs; `None` is all of them.
    #[must_use]
    pub fn layers_of(&self, arm: &Arm) -> Option<u32> {
        arm.layers.or(self.engine.layers)
    }

    /// The experiment on the whole model that this one predicts.
    #[must_use]
    pub fn predicts(&self) -> Option<&ExperimentId> {
        self.regime.as_ref()?.predicts.as_ref()
    }

    /// The name of the set that an arm works on.
    #[must_use]
    pub fn inputs_of<'plan>(&'plan self, arm: &'plan Arm) -> &'plan str {
        arm.inputs.as_ref().map_or(&self.workload.inputs, |own| &own.name)
    }

    /// Into which pieces an arm's primitive is cut; one where it says nothing.
    #[must_use]
    pub fn pieces_of(&self, arm: &Arm) -> Pieces {
        arm.pieces.unwrap_or(Pieces::One)
    }

    /// The worker of an arm.
    #[must_use]
    pub fn worker_of<'plan>(&'plan self, arm: &'plan Arm) -> &'plan WorkerChoice {
        arm.worker.as_ref().unwrap_or(&self.engine.worker)
    }

    /// The declared build that an arm runs; `None` for any other worker.
    #[must_use]
    pub fn build_of<'plan>(&'plan self, arm: &'plan Arm) -> Option<&'plan Build> {
        match self.worker_of(arm) {
            WorkerChoice::Build(build) => Some(build),
            WorkerChoice::Native | WorkerChoice::Executable(_) | WorkerChoice::Peer(_) => None,
        }
    }

    /// The other engine that an arm is, where it is one.
    #[must_use]
    pub fn peer_of<'plan>(&'plan self, arm: &'plan Arm) -> Option<&'plan Peer> {
        match self.worker_of(arm) {
            WorkerChoice::Peer(peer) => Some(peer),
            WorkerChoice::Native | WorkerChoice::Executable(_) | WorkerChoice::Build(_) => None,
        }
    }

    /// Whether an arm's work cannot be cut, so that all arms work on whole blocks in turn.
    #[must_use]
    pub fn is_paired_whole(&self) -> bool {
        let peers = self.arms.iter().filter_map(|arm| self.peer_of(arm));
        peers.into_iter().any(|peer| !peer.alternates())
    }

    /// An arm that runs the objects of off's build, or of another arm's, in another order: what it
    /// shows against them is what layout alone does.
    #[must_use]
    pub fn relinked<'plan>(&'plan self, arm: &'plan Arm) -> Option<&'plan Arm> {
        let compared = [self.arms.get(self.off()), Some(arm)].into_iter().flatten();
        let specs: Vec<&BuildSpec> =
            compared.filter_map(|arm| self.build_of(arm)).map(|build| &build.spec).collect();
        self.arms.iter().filter(|other| other.name != arm.name).find(|other| {
            self.build_of(other).is_some_and(|build| {
                specs.iter().any(|spec| {
                    **spec != build.spec
                        && spec.without_link_order() == build.spec.without_link_order()
                })
            })
        })
    }

    /// The variables that an arm's worker is started with.
    #[must_use]
    pub fn environment_of(&self, arm: &Arm) -> Environment {
        self.engine.environment.overlaid(&arm.environment)
    }

    /// The condition's values, or a single empty one.
    #[must_use]
    pub fn condition_values(&self) -> Vec<Option<u32>> {
        match &self.condition {
            Some(condition) => condition.values.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// Depth at a condition value.
    #[must_use]
    pub fn depth_at(&self, value: Option<u32>) -> u32 {
        match (&self.condition, value) {
            (Some(condition), Some(value))
                if condition.setting == ConditionSetting::DepthTokens =>
            {
                value
            }
            _ => self.workload.depth_tokens,
        }
    }

    /// Timed work at a condition value.
    #[must_use]
    pub fn work_at(&self, value: Option<u32>) -> TimedWork {
        let setting = self.condition.as_ref().map(|condition| condition.setting);
        match (self.workload.work, setting, value) {
            (
                TimedWork::Decode { decode_tokens, chunk_tokens, .. },
                Some(ConditionSetting::PromptTokens),
                Some(value),
            ) => TimedWork::Decode { prompt_tokens: value, decode_tokens, chunk_tokens },
            (
                TimedWork::Decode { prompt_tokens, decode_tokens, .. },
                Some(ConditionSetting::ChunkTokens),
                Some(value),
            ) => TimedWork::Decode { prompt_tokens, decode_tokens, chunk_tokens: value },
            (TimedWork::Prefill { .. }, Some(ConditionSetting::PrefillTokens), Some(value)) => {
                TimedWork::Prefill { prefill_tokens: value }
            }
            (work, _, _) => work,
        }
    }
}
