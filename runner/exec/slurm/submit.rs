//! Submits: one job for each partition, unless one of the same is there already.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::client::SlurmProgram;
use super::partition::Partition;
use super::place::JobFile;
use super::script::{allowed, script};
use crate::exec::clock;
use crate::failure::Failure;
use crate::project::Project;
use crate::record::{
    Checks, ClusterJob, JOB_VERSION, JobFolder, ManifestSource, Record, Registered, jobs_folder,
    jobs_of,
};

/// What is to be run where.
pub struct SlurmAsk<'ask> {
    /// Where files lie.
    pub project: &'ask Project,
    /// What is run: nothing else can be submitted.
    pub registered: &'ask Registered,
    /// The manifest's text.
    pub manifest_source: &'ask ManifestSource,
    /// One job for each.
    pub partitions: &'ask [Partition],
    /// Features of nodes, in Slurm's words.
    pub constraint: Option<&'ask str>,
    /// Who is charged.
    pub account: Option<&'ask str>,
    /// What a record is verified with before it is collected.
    pub checks: &'ask Checks<'ask>,
}

impl std::fmt::Debug for SlurmAsk<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SlurmAsk")
            .field("partitions", &self.partitions)
            .finish_non_exhaustive()
    }
}

/// What became of one partition's job.
#[derive(Debug)]
pub struct JobEnd {
    /// Where it was submitted to.
    pub partition: Partition,
    /// Slurm's number; `None` where it was not taken.
    pub number: Option<u64>,
    /// Its record, as it was collected.
    pub record: Result<Box<Record>, Failure>,
}

/// A job that is there.
#[derive(Debug)]
pub(super) struct Submitted {
    pub(super) folder: JobFolder,
    pub(super) number: u64,
    pub(super) how: How,
}

/// Since when it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// It was submitted now.
    Now,
    /// An earlier command submitted it.
    Earlier,
}

/// For what a job needs beside the registered cap: a copy of the worker is made, the model hashed, and
/// after the last block outputs are compared once more.
const START_UP_MINUTES: f64 = 15.0;

/// Follows the job that is there, or submits one.
pub(super) fn submit(
    ask: &SlurmAsk<'_>,
    slurm: &SlurmProgram,
    partition: &Partition,
) -> Result<Submitted, Failure> {
    if let Some(open) = open_job(ask, slurm, partition)? {
        return Ok(open);
    }
    let folder = prepare(ask, slurm, partition)?;
    let arguments = arguments(ask, &folder);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let failure = match slurm.submit(&words, &folder.path) {
        Ok(number) => return started(folder, number),
        Err(failure) => failure.at(format!("partition {partition}")),
    };
    // a busy controller may take a job and not say so in time
    match slurm.number_of(&job_name(&folder), &folder.path) {
        Ok(Some(number)) => started(folder, number),
        Ok(None) => {
            // nothing was submitted: nothing is kept of it
            let _ = std::fs::remove_dir_all(&folder.path);
            Err(failure)
        }
        // the next command asks again
        Err(_) => Err(failure),
    }
}

fn started(folder: JobFolder, number: u64) -> Result<Submitted, Failure> {
    JobFile::Number.write(&folder, format!("{number}\n").as_bytes())?;
    Ok(Submitted { folder, number, how: How::Now })
}

/// The job of this registration in this partition whose end was not said yet.
fn open_job(
    ask: &SlurmAsk<'_>,
    slurm: &SlurmProgram,
    partition: &Partition,
) -> Result<Option<Submitted>, Failure> {
    for folder in jobs_of(ask.project, &ask.registered.plan().id)?.into_iter().rev() {
        let job = &folder.job;
        let same = job.partition == partition.as_str()
            && job.registration == *ask.registered.entry()
            && job.constraint.as_deref() == ask.constraint
            && job.account.as_deref() == ask.account;
        if !same || JobFile::Closed.of(&folder).exists() {
            continue;
        }
        let known = JobFile::Number.number(&folder).or_else(|| number_on_node(&folder));
        let number = match known {
            Some(number) => Some(number),
            None => slurm.number_of(&job_name(&folder), &folder.path)?,
        };
        match number {
            Some(number) => return Ok(Some(Submitted { folder, number, how: How::Earlier })),
            // the command was ended before Slurm had it
            None => JobFile::Closed.write(&folder, b"never submitted\n")?,
        }
    }
    Ok(None)
}

/// The number by the job's own account: Slurm may have forgotten a job whose submission was cut.
fn number_on_node(folder: &JobFolder) -> Option<u64> {
    let text = JobFile::Node.text(folder)?;
    text.lines().find_map(|line| line.strip_prefix("job ")?.parse().ok())
}

/// Makes the job's folder, with all that the job reads.
fn prepare(
    ask: &SlurmAsk<'_>,
    slurm: &SlurmProgram,
    partition: &Partition,
) -> Result<JobFolder, Failure> {
    let plan = ask.registered.plan();
    let job = ClusterJob {
        format_version: JOB_VERSION,
        scheduler_version: slurm.version().to_owned(),
        experiment: plan.id.clone(),
        manifest_hash: *ask.registered.manifest_hash(),
        registration: ask.registered.entry().clone(),
        root: ask.project.root.clone(),
        results: ask.project.results.clone(),
        partition: partition.to_string(),
        constraint: ask.constraint.map(str::to_owned),
        account: ask.account.map(str::to_owned),
        submitted_at: clock::utc_now(),
    };
    let path = new_folder(&jobs_folder(ask.project, &plan.id), partition)?;
    let folder = JobFolder::make(path, job, ask.project)?;
    JobFile::Manifest.write(&folder, ask.manifest_source.text().as_bytes())?;
    let program = JobFile::Program.of(&folder);
    std::env::current_exe()
        .and_then(|own| std::fs::copy(own, &program))
        .map_err(|error| cannot("a copy of this program cannot be made", &program, &error))?;
    let mut environment = allowed(std::env::vars_os());
    environment.retain(|(name, _)| name != "RUNNER_CACHE_DIR");
    environment
        .push((OsString::from("RUNNER_CACHE_DIR"), ask.project.cache.clone().into_os_string()));
    JobFile::Script.write(&folder, &script(&folder, &environment))?;
    let script = JobFile::Script.of(&folder);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
        .map_err(|error| cannot("it cannot be made executable", &script, &error))?;
    Ok(folder)
}

/// `<time>-<partition>`, made by nobody else; the second of one second is `<time>-<partition>-2`.
fn new_folder(jobs: &Path, partition: &Partition) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(jobs).map_err(|error| cannot("it cannot be made", jobs, &error))?;
    let first = jobs.join(format!("{}-{partition}", clock::run_name(jobs)));
    let mut path = first.clone();
    for number in 2_u32.. {
        match std::fs::create_dir(&path) {
            Ok(()) => break,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot("it cannot be made", &path, &error)),
        }
        let mut name = first.clone().into_os_string();
        name.push(format!("-{number}"));
        path = PathBuf::from(name);
    }
    Ok(path)
}

/// What `sbatch` is told: one whole node, once, with nothing of the submitting shell's environment.
fn arguments(ask: &SlurmAsk<'_>, folder: &JobFolder) -> Vec<String> {
    let minutes = ask.registered.plan().stop.cap_minutes() + START_UP_MINUTES;
    let mut arguments: Vec<String> = [
        "--parsable",
        "--nodes=1",
        "--ntasks=1",
        "--exclusive",
        "--mem=0",
        "--no-requeue",
        "--export=NIL",
    ]
    .map(str::to_owned)
    .to_vec();
    // the script goes where it wants by itself, and Slurm reads a `%` in any path as a word of its own
    arguments.push("--chdir=/".to_owned());
    let said = slurm_output(folder);
    arguments.push(format!("--output={said}"));
    arguments.push(format!("--error={said}"));
    arguments.push(format!("--job-name={}", job_name(folder)));
    arguments.push(format!("--time={:.0}", minutes.ceil()));
    arguments.push(format!("--partition={}", folder.job.partition));
    arguments.extend(ask.constraint.map(|constraint| format!("--constraint={constraint}")));
    arguments.extend(ask.account.map(|account| format!("--account={account}")));
    arguments.push(format!("./{}", JobFile::Script.name()));
    arguments
}

/// Where Slurm writes what it has to say; nowhere where it would take the path for another.
fn slurm_output(folder: &JobFolder) -> String {
    match JobFile::Slurm.of(folder).to_str() {
        Some(path) if !path.contains('\\') => path.replace('%', "%%"),
        _ => "/dev/null".to_owned(),
    }
}

/// The only job of this name.
fn job_name(folder: &JobFolder) -> String {
    let time = folder.path.file_name().unwrap_or_default().to_string_lossy();
    format!("runner-{}-{time}", folder.job.experiment)
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{what}: {error}")).at(path.display())
}
