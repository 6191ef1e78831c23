//! Earlier looks at a question, whatever came of them.

use super::cluster_job::runs_anywhere;
use super::frozen::Frozen;
use super::hash::RunName;
use super::ledger::read_ledger;
use super::pilots;
use super::runs::{self, RunFolder, RunState};
use super::versions::registration_of;
use crate::failure::Failure;
use crate::manifest::{ExperimentId, Plan, PriorAccess, QuestionKey};
use crate::project::Project;

/// Another experiment, or run, on the same question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorExperiment {
    /// Its id.
    pub id: ExperimentId,
    /// Its run; `None` when it is registered and was never run.
    pub run: Option<RunName>,
    /// What is there; `None` without a run.
    pub state: Option<RunState>,
}

/// Which experiment on its question comes after these: one more than the runs among them that
/// stored a sample or ended.
#[must_use]
pub fn experiment_number(prior: &[PriorExperiment]) -> usize {
    let counts = |state: Option<RunState>| {
        matches!(state, Some(RunState::Finished | RunState::UnfinishedWithBlocks))
    };
    prior.iter().filter(|hit| counts(hit.state)).count() + 1
}

/// All experiments and runs on a question, by id and then run.
///
/// # Errors
/// When a ledger cannot be read.
pub fn prior_experiments(
    project: &Project,
    question: &QuestionKey,
) -> Result<Vec<PriorExperiment>, Failure> {
    experiments_with(project, question, runs::runs_of)
}

/// The same, with runs of cluster jobs that are not collected: before something is frozen they count as seen.
/// What is shown of a record does not depend on them, since a cache is no part of a repository.
pub(super) fn prior_experiments_anywhere(
    project: &Project,
    question: &QuestionKey,
) -> Result<Vec<PriorExperiment>, Failure> {
    experiments_with(project, question, runs_anywhere)
}

fn experiments_with(
    project: &Project,
    question: &QuestionKey,
    runs_of: fn(&Project, &ExperimentId) -> Result<Vec<RunFolder>, Failure>,
) -> Result<Vec<PriorExperiment>, Failure> {
    let mut hits = Vec::new();
    for id in runs::experiments(project)? {
        let entries = read_ledger(project, &id)?;
        let same = entries
            .iter()
            .filter_map(registration_of)
            .any(|registration| registration.question_key == *question);
        if !same {
            continue;
        }
        let runs = runs_of(project, &id)?;
        if runs.is_empty() {
            hits.push(PriorExperiment { id: id.clone(), run: None, state: None });
        }
        hits.extend(runs.into_iter().map(|folder| PriorExperiment {
            id: folder.id,
            run: Some(folder.run),
            state: Some(folder.state),
        }));
    }
    Ok(hits)
}

pub(super) fn other_experiments(
    project: &Project,
    question: &QuestionKey,
    own: &ExperimentId,
) -> Result<Vec<PriorExperiment>, Failure> {
    let hits = prior_experiments_anywhere(project, question)?;
    Ok(hits.into_iter().filter(|hit| hit.id != *own).collect())
}

/// `prior_access = "none"` says that nobody has looked. Stored looks, whatever became of them, say
/// otherwise.
pub(super) fn refuse_unsaid_looks(
    project: &Project,
    plan: &Plan,
    frozen: &Frozen,
    prior: &[PriorExperiment],
) -> Result<(), Failure> {
    // a step of a search asks about a commit of its own, and is made by the program
    if plan.prior_access != PriorAccess::None || frozen.step_of.is_some() {
        return Ok(());
    }
    let question = crate::manifest::question_key(plan);
    let looks = looks_at(project, &question, prior)?;
    if looks.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "prior_access is \"none\", and results/ holds earlier looks at this question: {}",
        looks.join(", ")
    ))
    .at(format!("experiment {}", plan.id))
    .hint(
        "say what was seen: prior_access = \"pilot\" (a quick look), \"partial\" (a run that was \
         cut or is void) or \"seen\", and name the records in prior_art",
    ))
}

/// Runs that stored a sample, and pilots, in words.
fn looks_at(
    project: &Project,
    question: &QuestionKey,
    prior: &[PriorExperiment],
) -> Result<Vec<String>, Failure> {
    let mut looks: Vec<String> = Vec::new();
    for hit in prior {
        let (Some(run), Some(state)) = (&hit.run, hit.state) else { continue };
        match state {
            RunState::Finished => looks.push(format!("{}/{run}", hit.id)),
            RunState::UnfinishedWithBlocks => looks.push(format!("{}/{run} (unfinished)", hit.id)),
            RunState::Unfinished => {}
        }
    }
    for pilot in pilots::pilots_on(project, &question.to_string())? {
        looks.push(format!("pilot {}", pilot.run));
    }
    Ok(looks)
}
