//! Collects the record of a finished job, and closes the job's folder.

use super::place::JobFile;
use super::submit::{SlurmAsk, Submitted};
use crate::failure::Failure;
use crate::record::{JobFolder, Record, RunFolder, collect};

/// Verifies and copies; the job's folder is closed when both are done.
pub(super) fn collected(
    ask: &SlurmAsk<'_>,
    submitted: &Submitted,
    run: &RunFolder,
) -> Result<Box<Record>, Failure> {
    let folder = &submitted.folder;
    let record = collect(ask.project, ask.registered, folder, run, ask.checks)?;
    close(folder, &format!("collected {}", run.run))?;
    Ok(Box::new(record))
}

/// The next submission is another job.
pub(super) fn close(folder: &JobFolder, what: &str) -> Result<(), Failure> {
    JobFile::Closed.write(folder, format!("{what}\n").as_bytes())?;
    // the largest file, and nobody reads it any more; what cannot be taken away does no harm
    let _ = std::fs::remove_file(JobFile::Program.of(folder));
    Ok(())
}
