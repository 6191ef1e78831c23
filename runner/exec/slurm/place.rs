//! The files of a job's folder.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::record::{JobFolder, write_file};

/// What lies in a job's folder beside `job.toml` and the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobFile {
    /// The script that Slurm runs.
    Script,
    /// A copy of this program.
    Program,
    /// A copy of the manifest.
    Manifest,
    /// Slurm's number of the job.
    Number,
    /// Where the job runs, by its own account.
    Node,
    /// What the run wrote to standard output.
    Output,
    /// What the run wrote to standard error.
    Errors,
    /// What Slurm wrote.
    Slurm,
    /// The run's exit code.
    Exit,
    /// What became of the job, once that was said: the next submission is another job.
    Closed,
}

impl JobFile {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            JobFile::Script => "job.sh",
            JobFile::Program => "runner",
            JobFile::Manifest => "manifest.toml",
            JobFile::Number => "number",
            JobFile::Node => "node",
            JobFile::Output => "stdout.txt",
            JobFile::Errors => "stderr.txt",
            JobFile::Slurm => "slurm.txt",
            JobFile::Exit => "exit",
            JobFile::Closed => "closed",
        }
    }

    /// Where it lies.
    pub(super) fn of(self, folder: &JobFolder) -> PathBuf {
        folder.path.join(self.name())
    }

    /// Its text; `None` where it is not there (yet).
    pub(super) fn text(self, folder: &JobFolder) -> Option<String> {
        let bytes = std::fs::read(self.of(folder)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A number that it holds.
    pub(super) fn number<T: std::str::FromStr>(self, folder: &JobFolder) -> Option<T> {
        self.text(folder)?.trim().parse().ok()
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(self, folder: &JobFolder, bytes: &[u8]) -> Result<(), Failure> {
        write_file(&self.of(folder), bytes)
    }
}
