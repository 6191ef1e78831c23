//! Which attempt a run is. No free re-rolls: the first run that stored a sample is the primary.

use super::cluster_job::results_beside;
use super::hash::RunName;
use super::read;
use super::runs::{self, RunState};
use super::sealed::{EarlierRun, EarlierVerdict};
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;

/// Runs of an experiment before `run` that stored a sample, oldest first, with their verdicts.
/// The attempt's number is one more than their count.
///
/// # Errors
/// When an earlier record cannot be read.
pub fn earlier_runs(
    project: &Project,
    id: &ExperimentId,
    run: &RunName,
) -> Result<Vec<EarlierRun>, Failure> {
    let mut earlier = Vec::new();
    for folder in runs::runs_of(project, id)? {
        if folder.run >= *run {
            continue;
        }
        match folder.state {
            RunState::Unfinished => {}
            RunState::UnfinishedWithBlocks => {
                earlier.push(EarlierRun { run: folder.run, verdicts: Vec::new() });
            }
            RunState::Finished => {
                let head = read::head(&folder)?;
                if head.sample_rows > 0 {
                    earlier.push(EarlierRun { run: folder.run, verdicts: verdicts(&head) });
                }
            }
        }
    }
    Ok(earlier)
}

/// The same, with the runs of jobs that are not collected, or never will be since they were cut: whoever
/// submits an experiment to three partitions has made three attempts, wherever their runs lie.
///
/// # Errors
/// As [`earlier_runs`].
pub fn earlier_runs_anywhere(
    project: &Project,
    id: &ExperimentId,
    run: &RunName,
) -> Result<Vec<EarlierRun>, Failure> {
    let mut earlier = earlier_runs(project, id, run)?;
    for place in results_beside(project, id)? {
        for one in earlier_runs(&place, id, run)? {
            match earlier.iter_mut().find(|known| known.run == one.run) {
                // sealed and collected between two looks
                Some(known) if known.verdicts.is_empty() => *known = one,
                Some(_) => {}
                None => earlier.push(one),
            }
        }
    }
    earlier.sort_by(|one, other| one.run.cmp(&other.run));
    Ok(earlier)
}

fn verdicts(head: &read::Head) -> Vec<EarlierVerdict> {
    head.comparisons
        .iter()
        .map(|comparison| EarlierVerdict {
            arm: comparison.arm.clone(),
            condition: comparison.condition.clone(),
            verdict: comparison.verdict,
        })
        .collect()
}
