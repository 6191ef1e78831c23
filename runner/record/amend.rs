//! Amending: another manifest in the place of a registered one, while nothing was run or seen.

use std::path::PathBuf;

use super::append::append;
use super::cluster_job::runs_anywhere;
use super::difference::changed_keys;
use super::entries::Amendment;
use super::entry::{Entry, EntryBody};
use super::frozen::Frozen;
use super::hash::EntryHash;
use super::history::HISTORY_FILE;
use super::identity::Identity;
use super::ledger::read_ledger;
use super::pilots;
use super::prior::{PriorExperiment, prior_experiments_anywhere};
use super::register::registration;
use super::registered::{Circumstances, Registered};
use super::runs::{self, RunState};
use super::versions::{FrozenVersions, as_registered, frozen_versions, registration_of};
use crate::failure::Failure;
use crate::manifest::Plan;
use crate::project::Project;

/// Why a manifest is amended.
#[derive(Debug, Clone, Copy)]
pub struct AmendReason<'text> {
    /// Why it was changed.
    pub reason: &'text str,
    /// What the change does to what the experiment can show.
    pub impact: &'text str,
}

/// What [`amend`] wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAmendment {
    /// What counts from now on.
    pub registered: Registered,
    /// What it took the place of.
    pub previous: EntryHash,
    /// Keys that differ, with both values.
    pub changed: Vec<String>,
    /// The entry's file.
    pub file: PathBuf,
}

/// Puts a changed manifest in the place of the one that is registered under its id.
///
/// # Errors
/// Refused when nothing is registered, it was withdrawn, nothing differs, or anything of its question
/// was run or seen since it was registered: then a change is a deviation, or needs a new id.
pub fn amend(
    project: &Project,
    plan: &Plan,
    frozen: &Frozen,
    why: AmendReason<'_>,
    circumstances: &Circumstances,
) -> Result<NewAmendment, Failure> {
    let identity = Identity::of(plan);
    let mut said = None;
    let written = append(project, &plan.id, circumstances, |entries| {
        let versions = amendable(project, plan, entries)?;
        let previous = versions.current();
        if previous.manifest_hash == identity.manifest_hash {
            return Err(Failure::refused("nothing differs from what is registered")
                .at(format!("experiment {}", plan.id))
                .hint("change the manifest first"));
        }
        let changed = changed_keys(&previous.plan, plan);
        said = Some((previous.entry.clone(), changed.clone()));
        let new = registration(&identity, frozen);
        Ok(Some(EntryBody::Amend(Box::new(Amendment {
            previous: previous.entry.clone(),
            reason: why.reason.to_owned(),
            impact: why.impact.to_owned(),
            changed,
            manifest_hash: new.manifest_hash,
            question_key: new.question_key,
            canonical_manifest: new.canonical_manifest,
            frozen: new.frozen,
        }))))
    })?;
    let (Some(written), Some((previous, changed))) = (written, said) else {
        return Err(Failure::failed("nothing was amended").at(format!("experiment {}", plan.id)));
    };
    let registration = registration(&identity, frozen);
    let registered = as_registered(&written.entry, &registration)?;
    Ok(NewAmendment { registered, previous, changed, file: written.file })
}

/// Refuses early what [`amend`] would refuse, before a model is hashed or a build is made.
///
/// # Errors
/// As [`amend`].
pub fn check_amendable(project: &Project, plan: &Plan) -> Result<(), Failure> {
    amendable(project, plan, &read_ledger(project, &plan.id)?).map(|_| ())
}

fn amendable(project: &Project, plan: &Plan, entries: &[Entry]) -> Result<FrozenVersions, Failure> {
    let place = format!("experiment {}", plan.id);
    let Some(versions) = frozen_versions(entries, &plan.id)? else {
        return Err(Failure::refused("nothing is registered under this id")
            .at(place)
            .hint("`runner register FILE` freezes it"));
    };
    if let Some((when, withdrawal)) = versions.withdrawn() {
        return Err(Failure::refused(format!(
            "it was withdrawn at {}: {}",
            when.at, withdrawal.reason
        ))
        .at(place)
        .hint("an id is never reused: ask the question under a new one"));
    }
    let seen = seen(project, plan, entries, &versions)?;
    if seen.is_empty() {
        return Ok(versions);
    }
    Err(Failure::refused(format!(
        "an outcome was seen already: {}. A change is now a deviation",
        seen.join(", ")
    ))
    .at(place)
    .hint(
        "`runner record deviate RECORD FILE --reason …` shows another analysis beside the registered \
         one; what is to be measured otherwise needs a new id",
    ))
}

/// What was run or seen of an experiment, in words: its own runs, steps of its search, and looks at
/// its question after it was registered.
fn seen(
    project: &Project,
    plan: &Plan,
    entries: &[Entry],
    versions: &FrozenVersions,
) -> Result<Vec<String>, Failure> {
    let mut seen = Vec::new();
    for run in runs_anywhere(project, &plan.id)? {
        match run.state {
            RunState::Finished => seen.push(format!("{}/{}", run.id, run.run)),
            RunState::UnfinishedWithBlocks => {
                seen.push(format!("{}/{} (unfinished)", run.id, run.run));
            }
            RunState::Unfinished => {}
        }
    }
    if runs::experiment_folder(project, &plan.id).join(HISTORY_FILE).is_file() {
        seen.push("its search has ended".to_owned());
    }
    let since = &versions.first().circumstances.at;
    let own = Identity::of(plan).question_key;
    let mut questions: Vec<_> =
        entries.iter().filter_map(registration_of).map(|one| one.question_key).collect();
    questions.push(own);
    questions.sort();
    questions.dedup();
    for question in questions {
        let others = prior_experiments_anywhere(project, &question)?
            .into_iter()
            .filter(|hit| hit.id != plan.id);
        seen.extend(others.filter(|hit| after(hit, since)).filter_map(|hit| {
            let run = hit.run?;
            let looked =
                matches!(hit.state, Some(RunState::Finished | RunState::UnfinishedWithBlocks));
            looked.then(|| format!("{}/{run}", hit.id))
        }));
        let pilots = pilots::pilots_on(project, &question.to_string())?;
        seen.extend(
            pilots
                .into_iter()
                .filter(|pilot| pilot.at > *since)
                .map(|pilot| format!("pilot {}", pilot.run)),
        );
    }
    if !runs_steps(project, plan)?.is_empty() {
        seen.push("steps of its search were run".to_owned());
    }
    Ok(seen)
}

/// Whether a run began after a time. A run's name is the UTC time of its start.
fn after(hit: &PriorExperiment, since: &str) -> bool {
    let digits: String = since.chars().filter(char::is_ascii_digit).take(14).collect();
    hit.run.as_ref().is_some_and(|run| {
        let start: String = run.as_str().chars().filter(char::is_ascii_digit).take(14).collect();
        start >= digits
    })
}

/// Ids of experiments that are steps of this one's search.
fn runs_steps(project: &Project, plan: &Plan) -> Result<Vec<String>, Failure> {
    if plan.history.is_none() {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    for id in runs::experiments(project)? {
        let entries = read_ledger(project, &id)?;
        let is_step = entries.iter().filter_map(registration_of).any(|registration| {
            registration.frozen.step_of.is_some_and(|step| step.history == plan.id.as_str())
        });
        if is_step {
            steps.push(id.to_string());
        }
    }
    Ok(steps)
}
