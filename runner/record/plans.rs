//! Finished records with the plans that they were registered with.

use super::registered_plan;
use super::runs::{self, RunState};
use crate::failure::Failure;
use crate::manifest::Plan;
use crate::project::Project;

/// Names (`<id>/<run>`) of finished records whose registered plan answers to a description, by id
/// and then run. What cannot be read is left out: `verify` says what is wrong with it.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn records_where(
    project: &Project,
    wanted: impl Fn(&Plan) -> bool,
) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for id in runs::experiments(project)? {
        if !registered_plan(project, &id).is_ok_and(|plan| plan.is_some_and(|plan| wanted(&plan))) {
            continue;
        }
        let finished = runs::runs_of(project, &id)?.into_iter();
        let finished = finished.filter(|folder| folder.state == RunState::Finished);
        names.extend(finished.map(|folder| format!("{id}/{}", folder.run)));
    }
    Ok(names)
}
