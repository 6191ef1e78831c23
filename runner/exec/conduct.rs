//! From a registered manifest to a sealed record: preflight, run, judge, seal.

use std::path::PathBuf;

use super::builds;
use super::context::{FinishedRun, RunContext};
use super::limits::RequestLimits;
use super::machine_gate::MachineGate;
use super::observer::{Event, Observer};
use super::prepare::Prepared;
use super::provenance::{BuildStamp, StartFacts, provenance};
use super::run as run_registered;
use super::run_bounds::RunBounds;
use super::scheduler::require_partition;
use crate::failure::{Failure, FailureKind};
use crate::machine::{MachineRoot, lock_path};
use crate::manifest::Plan;
use crate::project::Project;
use crate::record::{self, ManifestSource, NewRecord, Record, Registered, RunName, SealRequest};
use crate::verdict::{Analysis, PeerFacts, judge};

/// What the caller brings to a run.
pub struct Conduct<'run> {
    /// Where files lie.
    pub project: &'run Project,
    /// The manifest's text, kept in the record.
    pub manifest_source: &'run ManifestSource,
    /// What this program was built from.
    pub stamp: &'run BuildStamp,
    /// Renders `table.md`.
    pub table: &'run dyn Fn(&Record) -> String,
}

impl std::fmt::Debug for Conduct<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Conduct").field("project", &self.project).finish_non_exhaustive()
    }
}

/// Runs a registered experiment, or goes on with it, and seals its record.
///
/// # Errors
/// Refused when something is not as registered or another run holds the machine; incomplete when
/// the run was interrupted (the same call goes on); failed when a file cannot be written.
pub fn conduct(
    registered: &Registered,
    conduct: &Conduct<'_>,
    observer: &mut dyn Observer,
) -> Result<NewRecord, Failure> {
    let project = conduct.project;
    require_partition(project)?;
    let prepared = Prepared::as_registered(registered, project)?;
    // the engines are held against the registration when the run's own copies of them greet
    let engines = registered.frozen().engines.clone();
    registered.confirm(&prepared.frozen_with(registered.plan(), engines))?;
    // before anything is timed: a check that cannot fail would judge nothing
    let bounds = RunBounds::prepare(registered.plan(), project)?;
    let executables = builds::ready_for(registered.plan(), project, &mut |step| {
        observer.event(Event::Build(step));
    })?;
    let start = StartFacts::read(project, conduct.stamp, Some(registered));
    let mut gate = MachineGate::new();
    let context = RunContext {
        results: project.results.clone(),
        cache: project.cache.clone(),
        lock_file: lock_file(),
        executables,
        model_path: prepared.model.path.clone(),
        form_paths: prepared.forms.paths(),
        slice_paths: prepared.slices.paths(),
        draft_paths: prepared.drafters.paths(),
        inputs: prepared.inputs(),
        arm_inputs: prepared.arm_inputs(),
        gate: &mut gate,
        limits: RequestLimits::default(),
        start_facts: start.to_value()?,
    };
    let ledger = record::adopt_ledger(project, registered)?;
    let mut finished = run_registered(registered, context, observer).inspect_err(|failure| {
        if failure.kind == FailureKind::Refused {
            ledger.give_up(project, registered);
        }
    })?;
    // before judging, so that the verdict's words follow from what is stored
    finished.evidence.facts.forms = prepared.forms.of_arms(registered.plan());
    finished.evidence.facts.bounds =
        Some(bounds.evidence(registered.plan(), &prepared, &finished.workers));
    finished.evidence.facts.arm_inputs =
        prepared.sets.evidence(&prepared.set, &finished.evidence.samples);
    finished.evidence.facts.peers = peers(registered.plan(), &finished);
    finished.evidence.facts.slices = prepared.slices.of_arms(registered.plan());
    finished.evidence.facts = record::publishable_facts(finished.evidence.facts, &project.root);
    let provenance = provenance(registered.plan(), project, &prepared, &finished)?;
    let analysis = judge(registered.plan(), &finished.evidence);
    seal(registered, conduct, &finished, &analysis, &provenance)
}

/// What other engines told, in the order of conditions and arms.
fn peers(plan: &Plan, finished: &FinishedRun) -> Vec<PeerFacts> {
    let told = finished.peers.iter().filter_map(|((condition, name), report)| {
        let arm = plan.arms.iter().find(|arm| arm.name.as_str() == name)?;
        let prompt_cache = finished.prompt_cache.get(name).copied();
        Some(PeerFacts::of((name, *condition), plan.peer_of(arm)?, report, prompt_cache))
    });
    told.collect()
}

fn seal(
    registered: &Registered,
    conduct: &Conduct<'_>,
    finished: &FinishedRun,
    analysis: &Analysis,
    provenance: &record::Provenance,
) -> Result<NewRecord, Failure> {
    let run = RunName::try_from(finished.run.clone())
        .map_err(|bad| Failure::failed(bad.to_string()).at(finished.run_dir.display()))?;
    record::seal(
        conduct.project,
        &SealRequest {
            registered,
            run: &run,
            manifest_source: conduct.manifest_source,
            evidence: &finished.evidence,
            analysis,
            provenance,
        },
        conduct.table,
    )
}

/// One timed run a machine. `RUNNER_LOCK_FILE` names another lock, for tests that time nothing.
pub(super) fn lock_file() -> PathBuf {
    std::env::var_os("RUNNER_LOCK_FILE")
        .map_or_else(|| lock_path(&MachineRoot::live()), PathBuf::from)
}
