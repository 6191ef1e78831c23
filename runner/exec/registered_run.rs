//! The entry: only what is registered can be run.

use std::collections::BTreeMap;

use engine_protocol::Greeting;

use super::context::{FinishedRun, RunContext};
use super::execute::execute;
use super::job::Job;
use super::observer::Observer;
use crate::design;
use crate::failure::Failure;
use crate::manifest::WorkerChoice;
use crate::record::{FrozenEngine, Registered};

/// Runs a registered experiment, or goes on with its unfinished run. A run whose end is in the
/// journal already, but that was not sealed, is handed back without measuring again.
///
/// The engines that greet from the run's own copies are held against the frozen ones here; the
/// caller has held model, workload and rules against them before ([`Registered::confirm`]).
///
/// # Errors
/// Refused (exit 3) when nothing was measured and nothing can be: another run holds the machine,
/// an engine is not the registered one, an arm's setting cannot be honoured, the workload or a
/// context is too short, an unfinished run of another manifest is there. Incomplete (exit 5) when
/// it was interrupted or the disk is full: the same command goes on. Failed when files cannot be
/// read or are corrupt.
pub fn run(
    registered: &Registered,
    mut context: RunContext<'_>,
    observer: &mut dyn Observer,
) -> Result<FinishedRun, Failure> {
    let plan = registered.plan();
    let confirm = |greetings: &BTreeMap<WorkerChoice, Greeting>| {
        let mut now = registered.frozen().clone();
        let engines = greetings.iter();
        now.engines =
            engines.map(|(choice, seen)| FrozenEngine::of(choice, &seen.engine)).collect();
        now.engines.sort();
        registered.confirm(&now)
    };
    let job = Job {
        plan,
        manifest_hash: registered.manifest_hash().to_string(),
        schedule: design::schedule(plan, context.inputs.items.len()),
        confirm: &confirm,
    };
    let folder = context.results.join(plan.id.as_str());
    execute(&job, &mut context, observer, &folder)
}
