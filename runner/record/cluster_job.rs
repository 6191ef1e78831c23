//! The folder of a job that runs an experiment on another machine, below the project's cache.
//!
//! `<cache>/slurm/<experiment>/<time>-<partition>/` holds `job.toml` and a folder of results that
//! nobody else writes to. What ran there counts as an attempt like any other run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hash::EntryHash;
use super::ledger::{ledger_folder, read_ledger};
use super::runs::{self, RunFolder};
use super::store;
use crate::failure::Failure;
use crate::manifest::{ExperimentId, ManifestHash};
use crate::project::Project;

/// Version of `job.toml`.
pub const JOB_VERSION: u32 = 1;
/// What is submitted, in a job's folder.
const JOB_FILE: &str = "job.toml";
/// The results that a job writes, in its folder.
const RESULTS: &str = "results";
/// Names of runs that are taken, in an experiment's folder of jobs.
const NAMES: &str = "names";

/// What was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterJob {
    /// [`JOB_VERSION`].
    pub format_version: u32,
    /// Of the scheduler's programs where it was submitted.
    pub scheduler_version: String,
    /// The experiment.
    pub experiment: ExperimentId,
    /// Hash of its canonical manifest.
    pub manifest_hash: ManifestHash,
    /// The ledger entry.
    pub registration: EntryHash,
    /// The project.
    pub root: PathBuf,
    /// Where the record is to be brought.
    pub results: PathBuf,
    /// The partition that was asked for.
    pub partition: String,
    /// Features of nodes that were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Who is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// UTC, RFC 3339.
    pub submitted_at: String,
}

/// A job's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFolder {
    /// Where it lies.
    pub path: PathBuf,
    /// What was submitted.
    pub job: ClusterJob,
}

impl JobFolder {
    /// Makes it, with a copy of the ledger where the job could not find it by itself.
    ///
    /// # Errors
    /// When a file cannot be written, or a path is no text.
    pub fn make(path: PathBuf, job: ClusterJob, project: &Project) -> Result<JobFolder, Failure> {
        store::make_folder(&path.join(RESULTS))?;
        if let Some(experiment) = path.parent() {
            store::make_folder(&experiment.join(NAMES))?;
        }
        let text = toml::to_string(&job).map_err(|error| {
            Failure::failed(format!("a job cannot be described: {error}"))
                .at(path.display())
                .hint("paths of the project and of its results must be UTF-8")
        })?;
        let folder = JobFolder { path, job };
        folder.copy_ledger(project)?;
        store::write_whole(&folder.path.join(JOB_FILE), text.as_bytes())?;
        Ok(folder)
    }

    /// The ledger of the project's own results is found from anywhere; that of another folder is not.
    fn copy_ledger(&self, project: &Project) -> Result<(), Failure> {
        let id = &self.job.experiment;
        let is_there = |entries: Vec<super::entry::Entry>| {
            entries.iter().any(|entry| entry.hash == self.job.registration)
        };
        if is_there(read_ledger(&project.with_own_results(), id)?) {
            return Ok(());
        }
        let target = ledger_folder(&self.project(project), id);
        store::make_folder(&target)?;
        for entry in read_ledger(project, id)? {
            let name = format!("{}.toml", entry.hash);
            let bytes = store::read_bytes(&ledger_folder(project, id).join(&name))?;
            store::write_whole(&target.join(&name), &bytes)?;
        }
        Ok(())
    }

    /// The project as the job sees it: with results of its own.
    #[must_use]
    pub fn project(&self, project: &Project) -> Project {
        Project { results: self.path.join(RESULTS), ..project.clone() }
    }
}

/// Folder of all jobs of an experiment.
#[must_use]
pub fn jobs_folder(project: &Project, id: &ExperimentId) -> PathBuf {
    project.cache.join("slurm").join(id.as_str())
}

/// The folder in which names of runs are taken, so that two machines do not give one name at the same
/// second. It is there once a job was submitted.
#[must_use]
pub fn taken_names(cache: &Path, experiment: &str) -> PathBuf {
    cache.join("slurm").join(experiment).join(NAMES)
}

/// The job that this project's results belong to, if they are those of a job.
#[must_use]
pub fn own_job(project: &Project) -> Option<JobFolder> {
    if project.results.file_name()? != RESULTS {
        return None;
    }
    read(project.results.parent()?)
}

/// Jobs whose records are brought to this project's results, oldest first.
///
/// # Errors
/// When the folder of jobs cannot be read.
pub fn jobs_of(project: &Project, id: &ExperimentId) -> Result<Vec<JobFolder>, Failure> {
    let folder = jobs_folder(project, id);
    let names = store::names_in(&folder)?;
    let found = names.iter().filter_map(|name| read(&folder.join(name)));
    Ok(found
        .filter(|found| {
            (&found.job.root, &found.job.results, &found.job.experiment)
                == (&project.root, &project.results, id)
        })
        .collect())
}

/// Other results in which runs of the same registration may lie: those of other jobs, and for a job those
/// that its record is brought to.
///
/// # Errors
/// When the folder of jobs cannot be read.
pub fn results_beside(project: &Project, id: &ExperimentId) -> Result<Vec<Project>, Failure> {
    let own = own_job(project);
    let home = match &own {
        Some(own) => Project { results: own.job.results.clone(), ..project.clone() },
        None => project.clone(),
    };
    let mut beside: Vec<Project> =
        jobs_of(&home, id)?.iter().map(|folder| folder.project(project)).collect();
    beside.push(home);
    beside.retain(|place| place.results != project.results);
    Ok(beside)
}

/// Runs of an experiment here, and those of jobs that are not collected, or never will be: what was run
/// and may have been seen. Oldest first.
///
/// # Errors
/// When a folder cannot be read.
pub(super) fn runs_anywhere(
    project: &Project,
    id: &ExperimentId,
) -> Result<Vec<RunFolder>, Failure> {
    let mut found = runs::runs_of(project, id)?;
    for place in results_beside(project, id)? {
        for run in runs::runs_of(&place, id)? {
            if !found.iter().any(|known| known.run == run.run) {
                found.push(run);
            }
        }
    }
    found.sort_by(|one, other| one.run.cmp(&other.run));
    Ok(found)
}

/// A folder that is no job's, or that a newer program wrote, is none of ours.
fn read(path: &Path) -> Option<JobFolder> {
    let text = store::read_text(&path.join(JOB_FILE)).ok()?;
    let job: ClusterJob = toml::from_str(&text).ok()?;
    (job.format_version == JOB_VERSION).then(|| JobFolder { path: path.to_path_buf(), job })
}
