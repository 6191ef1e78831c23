//! Which attempt a run is. No free re-rolls: the first run that stored a sample is the primary.

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
