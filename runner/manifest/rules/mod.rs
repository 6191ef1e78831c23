//! Rules that look at several keys at once, one file a subject.

mod arm_inputs;
mod arms;
mod around;
pub(super) mod builds;
mod chunks;
pub(super) mod cited;
mod claim_names;
mod decision;
mod drafts;
mod engine;
mod expect;
mod history;
mod inputs;
mod ladder_stop;
pub(super) mod looks;
mod noise;
mod noise_elsewhere;
mod peers;
mod primitives;
mod regime;
pub(super) mod relinked;
mod scope;
mod settings;
mod size;
mod slots;
pub(super) mod stop;
mod work;

use super::builds::Builds;
use super::checked::CheckedTable;
use super::draft::{ArmDraft, SettingsDraft};
use super::faults::Faults;
use super::plan::{ArmInputs, LadderStop, Noise};
use super::stop::Stop;
use super::surroundings::Surroundings;

pub(super) use work::Work;

/// What the rules found out on the way, and a plan needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// The timed work.
    pub work: Option<Work>,
    /// BLAKE3 of the workload.
    pub inputs_blake3: Option<String>,
    /// The set of each arm that has its own, in the order of the arms.
    pub arm_inputs: Vec<Option<ArmInputs>>,
    /// What is known of the noise.
    pub noise: Option<Noise>,
    /// When to stop.
    pub stop: Option<Stop>,
    /// Where one would stop climbing the ladder.
    pub ladder_stop: Option<LadderStop>,
}

/// Holds a draft against all rules.
pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    builds: &Builds,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Found {
    let engine = root.table("engine").map(SettingsDraft::of).unwrap_or_default();
    engine::hold(root, arms, (builds, surroundings), faults);
    arms::hold(root, arms, (&engine, builds), faults);
    history::hold(root, arms, faults);
    regime::hold(root, arms, faults);
    claim_names::hold(root, surroundings, faults);
    settings::hold(arms, &engine, faults);
    around::hold(root, faults);
    let work = work::hold(root, arms, &engine, faults);
    primitives::hold(root, arms, faults);
    peers::hold(root, arms, work.as_ref(), faults);
    drafts::hold(
        &drafts::Here { root, arms, engine: &engine, work: work.as_ref() },
        surroundings,
        faults,
    );
    slots::hold(&slots::Here { root, arms, engine: &engine, work: work.as_ref() }, faults);
    decision::hold(root, work.as_ref(), faults);
    size::hold(root, faults);
    let stop = stop::hold(root, faults);
    let ladder_stop = ladder_stop::hold(root, arms, &engine, faults);
    let here = noise_elsewhere::Here { root, arms, engine: &engine, work: work.as_ref() };
    let noise = noise::hold(&here, surroundings, faults);
    let inputs = inputs::hold(root, arms, work.as_ref(), surroundings, faults);
    if let Some(inputs) = &inputs {
        scope::hold(root, inputs, faults);
    }
    let own = arm_inputs::Here { root, arms, work: work.as_ref(), inputs: inputs.as_ref() };
    let arm_inputs = arm_inputs::hold(&own, surroundings, faults);
    let inputs_blake3 = inputs.map(|inputs| inputs.blake3);
    Found { work, inputs_blake3, arm_inputs, noise, stop, ladder_stop }
}
