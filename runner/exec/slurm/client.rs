//! Slurm's own programs: `sbatch`, `squeue`, `scancel`.

use std::path::Path;
use std::time::Duration;

use super::state::{FORMAT, JobSeen};
use crate::exec::tool::{self, NOT_INSTALLED, ToolOutput};
use crate::failure::{Failure, FailureKind};

/// Longest wait for one of them: a busy controller may need a while.
const LIMIT: Duration = Duration::from_secs(120);

/// Slurm, as far as its programs are found here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmProgram {
    version: String,
}

/// What Slurm says when asked for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// It knows the job.
    Seen(JobSeen),
    /// It knows it no more: it ended a while ago.
    Forgotten,
    /// It does not answer now.
    None(String),
}

impl SlurmProgram {
    /// Looks for the programs.
    ///
    /// # Errors
    /// Refused when they are not installed, or know of no cluster.
    pub fn find(folder: &Path) -> Result<SlurmProgram, Failure> {
        let said = ask("sbatch", &["--version"], folder)?;
        if !said.succeeded {
            return Err(Failure::refused(format!("`sbatch` does not work here: {}", words(&said)))
                .hint("run this where the cluster's `sbatch` works, such as its login node"));
        }
        let version = said.stdout.split_whitespace().last().unwrap_or("unknown").to_owned();
        Ok(SlurmProgram { version })
    }

    /// `22.05.8`.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Submits a script; Slurm's number of the job.
    pub(super) fn submit(&self, arguments: &[&str], folder: &Path) -> Result<u64, Failure> {
        let said = ask("sbatch", arguments, folder)?;
        // `12` or `12;cluster`
        let number = said.stdout.trim().split(';').next().and_then(|text| text.parse().ok());
        match number {
            Some(number) if said.succeeded => Ok(number),
            _ => Err(Failure::refused(format!("Slurm did not take the job: {}", words(&said)))
                .hint("`sinfo` lists the partitions and the features of their nodes")),
        }
    }

    /// The number of the job of this name, where a submission was cut before it said it.
    pub(super) fn number_of(&self, name: &str, folder: &Path) -> Result<Option<u64>, Failure> {
        let arguments = ["--noheader", "--states=all", "--name", name, "--format=%i"];
        let said = ask("squeue", &arguments, folder)?;
        if !said.succeeded {
            return Err(Failure::refused(format!(
                "whether a job was submitted already is not known: {}",
                words(&said)
            ))
            .hint("run the same command again when Slurm answers"));
        }
        Ok(said.stdout.lines().find_map(|line| line.trim().parse().ok()))
    }

    /// What Slurm says of a job now.
    pub(super) fn look(&self, number: u64, folder: &Path) -> Answer {
        let number = number.to_string();
        let format = format!("--format={FORMAT}");
        let arguments = ["--noheader", "--states=all", "--jobs", &number, &format];
        match ask("squeue", &arguments, folder) {
            Err(failure) => Answer::None(failure.what),
            Ok(said) if said.succeeded => match JobSeen::read(&said.stdout) {
                Some(seen) => Answer::Seen(seen),
                None => Answer::Forgotten,
            },
            Ok(said) if said.stderr.contains("Invalid job id") => Answer::Forgotten,
            Ok(said) => Answer::None(words(&said)),
        }
    }

    /// Ends a job that must not run where it is.
    pub(super) fn cancel(&self, number: u64, folder: &Path) -> Result<(), Failure> {
        let number = number.to_string();
        let said = ask("scancel", &[&number], folder)?;
        if said.succeeded {
            return Ok(());
        }
        Err(Failure::failed(format!("job {number} cannot be cancelled: {}", words(&said))))
    }
}

fn ask(program: &str, arguments: &[&str], folder: &Path) -> Result<ToolOutput, Failure> {
    tool::run(program, arguments, folder, LIMIT).map_err(|failure| {
        if !failure.what.ends_with(NOT_INSTALLED) {
            return Failure { kind: FailureKind::Refused, ..failure };
        }
        Failure::refused(failure.what).hint(
            "run this where the cluster's own programs are, such as its login node; on Debian and \
             Ubuntu the package `slurm-client` has them",
        )
    })
}

/// What a program said of its trouble, on one line.
fn words(said: &ToolOutput) -> String {
    let text = if said.stderr.trim().is_empty() { &said.stdout } else { &said.stderr };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { said.status.clone() } else { lines.join("; ") }
}
