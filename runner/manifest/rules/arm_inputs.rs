//! An arm may have its own set where it is only shown: as a best case beside the inputs that
//! something is judged on.

use engine_protocol::DraftAcceptance;

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{ArmInputs, Role};
use crate::manifest::span::Spot;
use crate::manifest::surroundings::{Surroundings, WorkloadFacts};

use super::inputs::{find, of_input};
use super::primitives;
use super::work::{Work, at_values};

/// What an arm's set is held against.
pub(super) struct Here<'manifest> {
    pub root: &'manifest CheckedTable,
    pub arms: &'manifest [ArmDraft],
    pub work: Option<&'manifest Work>,
    /// The workload's set.
    pub inputs: Option<&'manifest WorkloadFacts>,
}

/// An arm's own set, where its role may have one.
pub(super) fn allowed(arm: &ArmDraft) -> Option<&Spot<String>> {
    let role = arm.role.as_ref()?.value;
    arm.inputs.as_ref().filter(|_| is_only_shown(role))
}

/// The set of each arm that has its own, in the order of the arms.
pub(super) fn hold(
    here: &Here<'_>,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Vec<Option<ArmInputs>> {
    here.arms.iter().map(|arm| of_arm(here, arm, surroundings, faults)).collect()
}

fn of_arm(
    here: &Here<'_>,
    arm: &ArmDraft,
    surroundings: &dyn Surroundings,
    faults: &mut Faults,
) -> Option<ArmInputs> {
    let inputs = arm.inputs.as_ref()?;
    if primitives::is_one(here.root) {
        faults.push(
            Diagnostic::error(
                Code::NOT_OF_THIS_WORK,
                inputs.span.clone(),
                "`inputs` belongs to work on texts, and this is a primitive",
            )
            .help("leave `inputs` out: a primitive works on buffers of its own"),
        );
        return None;
    }
    let refusals = [judged(arm, inputs), promises(arm, inputs), held_against_off(arm, inputs)];
    faults.extend(refusals.into_iter().flatten());
    let facts = find(inputs, surroundings, faults)?;
    if let Some(workload) = here.inputs {
        faults.extend(needless(inputs, &facts, workload));
        faults.extend(too_few(arm, inputs, &facts, workload));
    }
    faults.extend(too_short(here, inputs, &facts));
    Some(ArmInputs { name: inputs.value.clone(), blake3: facts.blake3 })
}

fn is_only_shown(role: Role) -> bool {
    match role {
        Role::Ceiling | Role::Control => true,
        Role::Off | Role::Aa | Role::Treatment | Role::Peer => false,
    }
}

fn refusal(place: &Spot<String>, what: String) -> Diagnostic {
    Diagnostic::error(Code::OWN_INPUTS, place.span.clone(), what)
}

/// What is judged, and what it is judged against, works on the workload's inputs.
fn judged(arm: &ArmDraft, inputs: &Spot<String>) -> Option<Diagnostic> {
    let role = arm.role.as_ref()?;
    (!is_only_shown(role.value)).then(|| {
        refusal(inputs, format!("{} may not have inputs of its own", arm.called()))
            .also(role.span.clone(), "its role")
            .help("leave `inputs` out: what is compared works on the same texts; or let the arm be a `ceiling` or a `control`, which is described and not judged")
    })
}

/// Its tokens follow other texts than off's.
fn promises(arm: &ArmDraft, inputs: &Spot<String>) -> Option<Diagnostic> {
    let written = arm.contract_written.as_ref()?;
    let what = format!("{} works on other texts than off, and promises something", arm.called());
    Some(
        refusal(inputs, what)
            .also(written.clone(), "the promise")
            .help("leave `contract` out: its output cannot be held against off's"),
    )
}

/// A control that keeps no draft is there for its tokens to be held against off's.
fn held_against_off(arm: &ArmDraft, inputs: &Spot<String>) -> Option<Diagnostic> {
    let keeps_nothing = arm.settings.settings.draft_acceptance == Some(DraftAcceptance::Nothing);
    let place = arm.settings.places.get("draft_acceptance").filter(|_| keeps_nothing)?;
    let what = format!("{} keeps no draft, and works on other texts than off", arm.called());
    Some(
        refusal(inputs, what)
            .also(place.clone(), "keeps none")
            .help("leave `inputs` out: such a control shows by its tokens, beside off's, what batches do by themselves"),
    )
}

fn needless(
    inputs: &Spot<String>,
    own: &WorkloadFacts,
    workload: &WorkloadFacts,
) -> Option<Diagnostic> {
    (own.blake3 == workload.blake3).then(|| {
        refusal(inputs, format!("`{}` is what all arms work on", inputs.value))
            .help("leave `inputs` out, or name another set")
    })
}

/// Item k of the one stands beside item k of the other.
fn too_few(
    arm: &ArmDraft,
    inputs: &Spot<String>,
    own: &WorkloadFacts,
    workload: &WorkloadFacts,
) -> Option<Diagnostic> {
    (own.items < workload.items).then(|| {
        Diagnostic::error(
            Code::WORKLOAD_TOO_SHORT,
            inputs.span.clone(),
            format!(
                "`{}` has {} items, and the workload {}: {} would have none beside the others",
                inputs.value,
                own.items,
                workload.items,
                arm.called()
            ),
        )
        .help(format!("name a set of {} items or more", workload.items))
    })
}

/// As of the workload itself: a token is at least one byte, and there may be one for the beginning.
fn too_short(here: &Here<'_>, inputs: &Spot<String>, own: &WorkloadFacts) -> Option<Diagnostic> {
    let works = at_values(here.root, here.work?);
    let needed = works.iter().map(|(depth, work, _)| (*depth).max(u64::from(of_input(*work))));
    let needed = needed.max().filter(|needed| *needed > own.bytes + 1)?;
    Some(
        Diagnostic::error(
            Code::WORKLOAD_TOO_SHORT,
            inputs.span.clone(),
            format!("`{}` cannot give {needed} tokens", inputs.value),
        )
        .here(format!("{} bytes of text in all", own.bytes))
        .help("a token is at least one byte: take a longer set, or fewer tokens"),
    )
}
