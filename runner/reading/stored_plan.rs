//! The plan of a stored record or of a registered experiment, as a manifest may cite it.

use crate::failure::Failure;
use crate::manifest::{ExperimentId, Plan};
use crate::project::Project;
use crate::record::{self, RunName, RunState};

/// The plan of `<id>/<run>`, a finished run, or of `<id>`, a registration; `None` where there is no
/// such thing. Trials that are kept elsewhere may cite what the project itself holds.
///
/// # Errors
/// When it is there and cannot be read.
pub(super) fn stored_plan(project: &Project, name: &str) -> Result<Option<Plan>, Failure> {
    match in_results(project, name)? {
        Some(plan) => Ok(Some(plan)),
        None => in_results(&project.with_own_results(), name),
    }
}

fn in_results(project: &Project, name: &str) -> Result<Option<Plan>, Failure> {
    let (id, run) = match name.split_once('/') {
        Some((id, run)) => (id, Some(run)),
        None => (name, None),
    };
    let Ok(id) = ExperimentId::try_from(id.to_owned()) else { return Ok(None) };
    let Some(run) = run else { return record::registered_plan(project, &id) };
    let Ok(run) = RunName::try_from(run.to_owned()) else { return Ok(None) };
    let runs = record::runs_of(project, &id)?;
    let finished =
        runs.iter().any(|folder| folder.run == run && folder.state == RunState::Finished);
    if !finished {
        return Ok(None);
    }
    record::read(project, &id, &run).map(|record| Some(record.plan))
}
