//! Brings a finished record from the results of a job to those of its project.

use std::path::{Path, PathBuf};

use super::adopt::adopt_ledger;
use super::cluster_job::JobFolder;
use super::hash::RunName;
use super::read;
use super::registered::Registered;
use super::runs::{self, RunFolder, RunState};
use super::sealed::Record;
use super::store::{self, PARTIAL, Pending};
use super::verify::{Checks, Severity, verify};
use crate::failure::Failure;
use crate::project::Project;

/// The latest run in a job's results; `None` where none was begun.
///
/// # Errors
/// When the folder cannot be read.
pub fn run_of_job(project: &Project, job: &JobFolder) -> Result<Option<RunFolder>, Failure> {
    Ok(runs::runs_of(&job.project(project), &job.job.experiment)?.pop())
}

/// Verifies the record of a job's finished run as `record verify` does, and copies its folder: it is in
/// the project's results whole or not at all. One that is there already is left as it is.
///
/// # Errors
/// When the record does not verify, another run of that name is there, or a file cannot be written.
pub fn collect(
    project: &Project,
    registered: &Registered,
    job: &JobFolder,
    run: &RunFolder,
    checks: &Checks<'_>,
) -> Result<Record, Failure> {
    let findings = verify(&job.project(project), checks)?;
    if let Some(fault) = findings.iter().find(|finding| finding.severity == Severity::Failed) {
        return Err(Failure::failed(format!(
            "the job's record does not verify and is not collected: {}: {}",
            fault.file, fault.what
        ))
        .at(run.path.display())
        .hint("look at the file system that the nodes share; nothing was written to results/"));
    }
    let target = runs::run_folder(project, &run.id, &run.run);
    if target.exists() {
        same_record(&run.path, &target)?;
    } else {
        adopt_ledger(project, registered)?;
        copy(&run.path, &target)?;
    }
    read::read(project, &run.id, &run.run)
}

/// A record that was brought before, and the command was cut before it said so.
fn same_record(from: &Path, to: &Path) -> Result<(), Failure> {
    let [own, theirs] = [from, to].map(|folder| store::read_bytes(&folder.join(runs::RECORD_FILE)));
    match (own, theirs) {
        (Ok(own), Ok(theirs)) if own == theirs => Ok(()),
        _ => Err(Failure::failed("another run has the name of the job's run: it is not collected")
            .at(to.display())
            .hint(format!("the job's record lies whole in {}", from.display()))),
    }
}

/// Under a temporary name first, each file synced, and then renamed.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut name = to.as_os_str().to_owned();
    name.push(PARTIAL);
    let partial = PathBuf::from(name);
    store::make_folder(&partial)?;
    for name in store::names_in(from)? {
        let bytes = store::read_bytes(&from.join(&name))?;
        Pending::write(&partial.join(&name), &bytes)?.name()?;
    }
    std::fs::rename(&partial, to).map_err(|error| store::cannot("renamed", to, &error))?;
    store::sync_folder(to)
}

/// Finished runs of an experiment, oldest first.
///
/// # Errors
/// When one of them cannot be read.
pub fn finished_records(
    project: &Project,
    id: &crate::manifest::ExperimentId,
) -> Result<Vec<Record>, Failure> {
    let finished = |folder: &RunFolder| folder.state == RunState::Finished;
    let names: Vec<RunName> =
        runs::runs_of(project, id)?.into_iter().filter(finished).map(|folder| folder.run).collect();
    names.iter().map(|run| read::read(project, id, run)).collect()
}
