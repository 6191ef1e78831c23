//! A pilot: the same machinery without a registration. Its samples are never judged.

use super::context::{FinishedRun, RunContext};
use super::execute::execute;
use super::job::Job;
use super::observer::Observer;
use crate::design;
use crate::failure::Failure;
use crate::manifest::Plan;

/// What stands in a pilot's journal where a registered run has its manifest's hash.
const NO_HASH: &str = "pilot";

/// Runs a plan that was not registered. Its journal lies in the cache and is taken away at the
/// end: an interrupted pilot is not gone on with.
///
/// # Errors
/// As [`super::run`].
pub fn run_pilot(
    plan: &Plan,
    mut context: RunContext<'_>,
    observer: &mut dyn Observer,
) -> Result<FinishedRun, Failure> {
    let pilots = context.cache.join("pilots");
    std::fs::create_dir_all(&pilots).map_err(|error| {
        Failure::failed(format!("it cannot be made: {error}")).at(pilots.display())
    })?;
    let folder = tempfile::tempdir_in(&pilots).map_err(|error| {
        Failure::failed(format!("no folder for the pilot can be made: {error}"))
            .at(pilots.display())
    })?;
    let schedule = design::schedule(plan, context.inputs.items.len());
    let job =
        Job { plan, manifest_hash: NO_HASH.to_owned(), schedule, confirm: &|_greetings| Ok(()) };
    execute(&job, &mut context, observer, folder.path())
}
