//! Whether this process runs in a job of a cluster's scheduler, and in which.

use crate::failure::Failure;
use crate::project::Project;
use crate::record::{SchedulerProvenance, own_job};

/// Set by Slurm in every job.
const JOB_ID: &str = "SLURM_JOB_ID";
/// Set by Slurm in every job.
const PARTITION: &str = "SLURM_JOB_PARTITION";

/// The scheduler; `None` outside of a job.
pub(super) fn scheduler(project: &Project) -> Option<SchedulerProvenance> {
    variable(JOB_ID)?;
    let own = own_job(project).map(|folder| folder.job);
    Some(SchedulerProvenance {
        name: "slurm".to_owned(),
        partition: variable(PARTITION).unwrap_or_else(|| "unknown".to_owned()),
        version: own.as_ref().map(|job| job.scheduler_version.clone()),
        constraint: own.as_ref().and_then(|job| job.constraint.clone()),
        exclusive: own.map(|_| true),
    })
}

/// Refuses, before anything is measured, to run a job in another partition than it was submitted to.
///
/// # Errors
/// Refused when it landed elsewhere.
pub(super) fn require_partition(project: &Project) -> Result<(), Failure> {
    let (Some(job), Some(landed)) = (own_job(project), variable(PARTITION)) else { return Ok(()) };
    let asked = &job.job.partition;
    if landed == *asked {
        return Ok(());
    }
    Err(other_partition(asked, &landed))
}

/// A job that landed in another partition than it was submitted to.
pub(super) fn other_partition(asked: &str, landed: &str) -> Failure {
    Failure::refused(format!(
        "the job was submitted to partition `{asked}` and landed in `{landed}`: nothing was measured"
    ))
    .hint("ask the cluster's administrators what moves jobs, or submit to that partition by name")
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
