//! A run from its lock to its end.

use std::collections::BTreeMap;
use std::path::Path;

use machine_probe::Canary;

use super::context::{FinishedRun, RunContext};
use super::desk::{Desk, Wanted};
use super::energy::EnergyMeter;
use super::entry::Entry;
use super::interrupt::Interrupt;
use super::job::Job;
use super::lock::MachineLock;
use super::machine_root::machine_root;
use super::observer::{Event, Observer, Phase};
use super::run::Run;
use super::stop::Stop;
use super::{finish, preflight, rounds};
use crate::failure::{Failure, FailureKind};
use crate::manifest::Role;
use crate::verdict::RunEnd;

/// Runs a job, or goes on with it. `folder` is the experiment's folder of runs.
pub(super) fn execute(
    job: &Job<'_>,
    context: &mut RunContext<'_>,
    observer: &mut dyn Observer,
    folder: &Path,
) -> Result<FinishedRun, Failure> {
    let experiment = job.plan.id.as_str();
    check_inputs(job, context)?;
    let interrupt = Interrupt::listen()?;
    let _lock = MachineLock::take(&context.lock_file, experiment)?;
    let wanted =
        Wanted { experiment, manifest_hash: &job.manifest_hash, folder, cache: &context.cache };
    let desk = Desk::open(wanted, &job.schedule, &context.start_facts)?;
    if desk.state.ended.is_some() {
        return finish::finished(&desk);
    }
    let energy = energy(job, &desk)?;
    if let Some(interruption) = desk.state.interruptions.last() {
        observer.event(Event::Resumed { run: &desk.run, interruption });
    }
    let canary = Canary::new();
    let mut run = Run {
        job,
        context,
        observer,
        interrupt,
        desk,
        copies: BTreeMap::new(),
        servers: Vec::new(),
        energy,
        canary,
    };
    let outcome = preflight::run(&mut run).and_then(|texts| rounds::run(&mut run, &texts));
    let end = match outcome {
        Ok(()) => RunEnd::Completed,
        Err(Stop::Ended(end)) => end,
        Err(Stop::Interrupted(signal)) => return Err(interrupted(&mut run, signal)),
        Err(Stop::Failed(failure)) => return Err(failed(&run, failure)),
    };
    run.observer.event(Event::Phase(Phase::Ending));
    let reference_arms: Vec<String> = job
        .plan
        .arms
        .iter()
        .filter(|arm| matches!(arm.role, Role::Off | Role::Aa))
        .map(|arm| arm.name.as_str().to_owned())
        .collect();
    let finished = finish::finish(&mut run.desk, &reference_arms, end)?;
    run.desk.discard_private();
    Ok(finished)
}

/// What reads the energy that is asked for. A new run that cannot be told its own is taken away.
fn energy(job: &Job<'_>, desk: &Desk) -> Result<EnergyMeter, Failure> {
    EnergyMeter::open(job.plan, &machine_root()).inspect_err(|_| {
        if desk.state.samples.is_empty() && desk.state.interruptions.is_empty() {
            desk.discard();
        }
    })
}

/// The schedule may name only what is there.
fn check_inputs(job: &Job<'_>, context: &RunContext<'_>) -> Result<(), Failure> {
    let of_arms = context.arm_inputs.values().map(|own| own.items.len());
    let items = of_arms.fold(context.inputs.items.len(), usize::min);
    let blocks = || job.schedule.rounds.iter().flat_map(|round| &round.blocks);
    if blocks().next().is_none() {
        return Err(Failure::refused("the schedule has no block"));
    }
    match blocks().find(|block| block.input >= items) {
        None => Ok(()),
        Some(block) => Err(Failure::refused(format!(
            "the schedule asks for input {} of a workload that has {items}",
            block.input + 1
        ))),
    }
}

/// Somebody asked to stop: the journal says so, and the run can be gone on with.
fn interrupted(run: &mut Run<'_, '_>, signal: &'static str) -> Failure {
    // The run can be resumed whether or not this entry reaches the disk.
    let _ = run.desk.record(Entry::Interrupted { signal: signal.to_owned() });
    Failure::incomplete(format!(
        "interrupted by {signal}: {} of {} blocks are done and on disk",
        run.desk.state.done.len(),
        run.job.blocks()
    ))
    .at(run.desk.run_dir.display())
    .hint("run the same command again to go on")
}

/// A refusal before anything was measured leaves nothing behind.
fn failed(run: &Run<'_, '_>, failure: Failure) -> Failure {
    let untouched = run.desk.state.samples.is_empty() && run.desk.state.interruptions.is_empty();
    if failure.kind == FailureKind::Refused && untouched {
        run.desk.discard();
    }
    failure
}
