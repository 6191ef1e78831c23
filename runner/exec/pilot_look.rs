//! `runner try` as a library call: a plan out of a few words, a run, and figures that are no
//! verdict.

use engine_protocol::{Form, Settings};

use super::clock::{run_name, utc_now};
use super::conduct::lock_file;
use super::context::RunContext;
use super::git::git_facts;
use super::limits::RequestLimits;
use super::machine_gate::MachineGate;
use super::machine_root::{machine_name, machine_root};
use super::observer::Observer;
use super::pilot::run_pilot;
use super::pilot_plan::{pilot_plan, plan_to_register};
use super::prepare::{Prepared, executables};
use super::provenance::{BuildStamp, StartFacts};
use crate::failure::Failure;
use crate::machine::Facts;
use crate::manifest::{ExperimentId, Noise, NoiseSource, Plan, Role, canonical_form, question_key};
use crate::project::Project;
use crate::record::{PILOTS_FOLDER, PilotEffect, StoredPilot, store_pilot};
use crate::verdict::{
    Effect, PILOT_CONFIDENCE_PERCENT, RunEnd, Spread, pilot_effect, pilot_pooled, pilot_spread,
    registered_noise,
};

/// Inputs of a pilot: more would spend its two minutes on reference outputs.
const PILOT_INPUTS: usize = 12;

/// What to look at.
#[derive(Debug, Clone)]
pub struct Pilot {
    /// Id of the manifest to be written, if one is.
    pub id: Option<ExperimentId>,
    /// Name in the catalogue, or the path of a file.
    pub model: String,
    /// The setting that varies.
    pub setting: String,
    /// Its values; the first is off's.
    pub values: Vec<PilotValue>,
    /// Settings of every arm.
    pub settings: Settings,
    /// What is timed.
    pub work: PilotWork,
    /// Filler before it.
    pub depth_tokens: u32,
    /// Name or path of the workload.
    pub inputs: String,
    /// Cap on wall time.
    pub minutes: f64,
}

/// What one arm of a pilot varies.
#[derive(Debug, Clone, PartialEq)]
pub struct PilotValue {
    /// As written.
    pub word: String,
    /// The setting; empty where the form varies.
    pub settings: Settings,
    /// The form of the model, where that varies.
    pub form: Option<Form>,
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PilotWork {
    /// Single tokens; raised to a multiple of the chunk.
    Decode {
        /// Timed tokens of a block and arm.
        tokens: u32,
    },
    /// A whole prefill.
    Prefill {
        /// Timed tokens.
        tokens: u32,
    },
}

/// What a pilot showed.
#[derive(Debug, Clone, PartialEq)]
pub struct PilotResult {
    /// A plan for a registered experiment, with the noise that was seen.
    pub plan_to_register: Plan,
    /// All arms, off first.
    pub arms: Vec<PilotArm>,
    /// Unit of the medians.
    pub unit: &'static str,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// Where it lies, `pilots/<name>`.
    pub stored_as: String,
}

/// One arm of a pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct PilotArm {
    /// Its name.
    pub name: String,
    /// Its own block values.
    pub spread: Option<Spread>,
    /// Over off, paired; `None` for off.
    pub effect: Option<Effect>,
    /// Over off, not paired; `None` for off.
    pub pooled: Option<Effect>,
}

impl PilotResult {
    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let arms: Vec<serde_json::Value> = self
            .arms
            .iter()
            .map(|arm| {
                serde_json::json!({
                    "name": arm.name, "spread": arm.spread, "effect": arm.effect,
                    "pooled": arm.pooled,
                })
            })
            .collect();
        serde_json::json!({
            "verdict": null, "unit": self.unit, "arms": arms, "notes": self.notes,
            "stored_as": self.stored_as,
        })
    }
}

/// Runs a pilot and stores it.
///
/// # Errors
/// As [`super::run`]; and a usage failure when its words do not make a plan.
pub fn pilot(
    pilot: &Pilot,
    project: &Project,
    stamp: &BuildStamp,
    observer: &mut dyn Observer,
) -> Result<PilotResult, Failure> {
    let mut plan = pilot_plan(pilot, project)?;
    let prepared = Prepared::of(&plan, project)?;
    plan.workload.inputs_blake3 = prepared.set.blake3.to_string();
    let mut inputs = prepared.inputs();
    // a long text goes on with the items after its own, so only short work can do with a few
    if pilot.depth_tokens == 0 && matches!(pilot.work, PilotWork::Decode { .. }) {
        inputs.items.truncate(PILOT_INPUTS);
    }
    let mut gate = MachineGate::new();
    let context = RunContext {
        results: project.results.clone(),
        cache: project.cache.clone(),
        lock_file: lock_file(),
        executables: executables(&project.root)?,
        model_path: prepared.model.path.clone(),
        form_paths: prepared.forms.paths(),
        slice_paths: prepared.slices.paths(),
        draft_paths: prepared.drafters.paths(),
        inputs,
        arm_inputs: prepared.arm_inputs(),
        gate: &mut gate,
        limits: RequestLimits::default(),
        start_facts: StartFacts::read(project, stamp, None).to_value()?,
    };
    let finished = run_pilot(&plan, context, observer)?;
    let rows = &finished.evidence.samples;
    if rows.is_empty() {
        return Err(nothing_measured(&finished.evidence.facts.end));
    }
    let off = plan.arms.get(plan.off()).map_or("off", |arm| arm.name.as_str());
    let arms: Vec<PilotArm> = plan
        .arms
        .iter()
        .map(|arm| {
            let name = arm.name.as_str();
            let compared = arm.role != Role::Off;
            PilotArm {
                name: name.to_owned(),
                spread: pilot_spread(rows, name),
                effect: compared.then(|| pilot_effect(rows, off, name)).flatten(),
                pooled: compared.then(|| pilot_pooled(rows, off, name)).flatten(),
            }
        })
        .collect();
    let run = run_name(&project.results.join(PILOTS_FOLDER));
    // as `check` will read it from the stored pilot
    let noise = registered_noise(&plan, rows).map(|noise| {
        let (round, block) = (noise.round_sd_percent, noise.block_sd_percent);
        let expected = plan.noise.expected_effect_percent;
        Noise::measured(NoiseSource::Pilot(run.clone()), round, block, expected)
    });
    let first_treatment = plan
        .arms
        .iter()
        .position(|arm| arm.role == Role::Treatment)
        .and_then(|index| arms.get(index))
        .and_then(|arm| arm.effect.as_ref());
    let to_register = plan_to_register(&plan, pilot, noise, first_treatment);
    let git = git_facts(&project.root, &project.results);
    let stored = StoredPilot {
        format_version: 1,
        run: run.clone(),
        at: utc_now(),
        commit: git.commit,
        machine: machine_name(&Facts::read(&machine_root())),
        question_key: question_key(&to_register).to_string(),
        canonical_manifest: canonical_form(&plan),
        effects: arms
            .iter()
            .filter_map(|arm| {
                let effect = arm.effect.clone()?;
                Some(PilotEffect { arm: arm.name.clone(), effect })
            })
            .collect(),
    };
    store_pilot(project, &stored, rows)?;
    Ok(PilotResult {
        plan_to_register: to_register,
        arms,
        unit: plan.metric.primary.unit(),
        notes: notes(rows, &finished.evidence.facts.end),
        stored_as: format!("pilots/{run}"),
    })
}

/// An empty look is none: stored, it would forbid a later `prior_access = "none"`.
fn nothing_measured(end: &RunEnd) -> Failure {
    let why = match end {
        RunEnd::NeverQuiet { detail } => format!("the machine was not quiet ({detail})"),
        RunEnd::Broken { detail } => detail.clone(),
        RunEnd::Completed | RunEnd::StoppedAtLook { .. } | RunEnd::OverBudget { .. } => {
            "the time was over before the first block".to_owned()
        }
    };
    Failure::refused(format!("nothing was measured: {why}"))
        .hint("close what computes, and try again; `runner machine quiet` says what is seen")
}

fn notes(rows: &[sample_table::SampleRow], end: &RunEnd) -> Vec<String> {
    let mut blocks: Vec<(u32, u32, u32, bool)> =
        rows.iter().map(|row| (row.round, row.segment, row.block, !row.flags.is_empty())).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let flagged = blocks.iter().filter(|block| block.3).count();
    let mut notes = vec![format!(
        "{} blocks, {flagged} left out since other work was seen; paired intervals are over \
         rounds, {PILOT_CONFIDENCE_PERCENT} %",
        blocks.len()
    )];
    match end {
        RunEnd::Completed | RunEnd::StoppedAtLook { .. } | RunEnd::OverBudget { .. } => {}
        RunEnd::NeverQuiet { detail } => notes.push(format!("the machine was not quiet: {detail}")),
        RunEnd::Broken { detail } => notes.push(format!("it ended early: {detail}")),
    }
    notes
}
