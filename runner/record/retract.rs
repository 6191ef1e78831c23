//! Retracting: a record, or one comparison of it, is struck with its cause. The files stay.

use super::append::{Appended, append};
use super::entries::Retraction;
use super::entry::EntryBody;
use super::figure_state::{FigureState, comparison_state, record_state};
use super::ledger::read_ledger;
use super::reference::RecordName;
use super::registered::Circumstances;
use super::runs;
use super::sealed::{RECORD_VERSION, Record};
use crate::failure::Failure;
use crate::project::Project;
use crate::verdict::Verdict;

/// What is struck, and why.
#[derive(Debug, Clone, Copy)]
pub struct Strike<'text> {
    /// The arm; `None` for the whole record.
    pub arm: Option<&'text str>,
    /// The condition; `None` for all.
    pub condition: Option<&'text str>,
    /// What was wrong.
    pub cause: &'text str,
    /// The record that holds instead.
    pub replacement: Option<&'text RecordName>,
}

/// A record of a newer version is read as far as it is known, and nothing is written of it.
pub(super) fn refuse_newer_record(record: &Record) -> Result<(), Failure> {
    let version = record.sealed.format_version;
    if version <= RECORD_VERSION {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "a record of version {version}; this program writes of version {RECORD_VERSION} and before"
    ))
    .at(format!("{}/{}", record.sealed.id, record.sealed.run))
    .hint("use the newer release of runner"))
}

/// Strikes it.
///
/// # Errors
/// A usage failure when the record has no such comparison. Refused when it is struck already, or the
/// replacement is missing, itself, or not current.
pub fn retract(
    project: &Project,
    record: &Record,
    strike: Strike<'_>,
    circumstances: &Circumstances,
) -> Result<Appended, Failure> {
    let sealed = &record.sealed;
    let own = RecordName { id: sealed.id.clone(), run: sealed.run.clone() };
    refuse_newer_record(record)?;
    if let Some(arm) = strike.arm {
        comparison_of(record, arm, strike.condition)?;
    }
    if let Some(replacement) = strike.replacement {
        check_replacement(project, &own, replacement)?;
    }
    let written = append(project, &sealed.id, circumstances, |entries| {
        let before = match strike.arm {
            None => record_state(entries, &sealed.run),
            Some(arm) => {
                comparison_state(entries, &sealed.run, arm, strike.condition.unwrap_or_default())
            }
        };
        if let FigureState::Struck { at, cause, .. } = before {
            let day = at.get(..10).unwrap_or(&at);
            return Err(Failure::refused(format!("it was struck already, on {day}: {cause}"))
                .at(&own)
                .hint("`runner audit` lists the places that still quote it"));
        }
        Ok(Some(EntryBody::Retract(Retraction {
            run: sealed.run.clone(),
            arm: strike.arm.map(str::to_owned),
            condition: strike.condition.map(str::to_owned),
            cause: strike.cause.to_owned(),
            replacement: strike.replacement.cloned(),
        })))
    })?;
    written.ok_or_else(|| Failure::failed("nothing was written").at(own))
}

/// A figure that holds instead must hold.
fn check_replacement(
    project: &Project,
    own: &RecordName,
    replacement: &RecordName,
) -> Result<(), Failure> {
    if replacement == own {
        return Err(Failure::refused("a record cannot replace itself")
            .at(own)
            .hint("name another one, or none"));
    }
    let folder = runs::run_folder(project, &replacement.id, &replacement.run);
    if !folder.join(runs::RECORD_FILE).is_file() {
        return Err(Failure::refused("there is no such record to replace it")
            .at(replacement)
            .hint("`runner list` names all records"));
    }
    let state = record_state(&read_ledger(project, &replacement.id)?, &replacement.run);
    if state.is_current() {
        return Ok(());
    }
    Err(Failure::refused(format!("what shall replace it {}", state.predicate()))
        .at(replacement)
        .hint("name a current record, or none"))
}

/// The verdict of a comparison that is there.
pub(super) fn comparison_of(
    record: &Record,
    arm: &str,
    condition: Option<&str>,
) -> Result<Verdict, Failure> {
    let comparisons = &record.sealed.analysis.comparisons;
    let named = comparisons.iter().find(|comparison| {
        comparison.arm == arm && condition.is_none_or(|condition| comparison.condition == condition)
    });
    if let Some(comparison) = named {
        return Ok(comparison.verdict);
    }
    let listed: Vec<String> = comparisons
        .iter()
        .map(|comparison| match comparison.condition.as_str() {
            "" => comparison.arm.clone(),
            condition => format!("{} at {condition}", comparison.arm),
        })
        .collect();
    Err(Failure::usage("the record has no such comparison")
        .at(format!("{}/{}", record.sealed.id, record.sealed.run))
        .hint(format!("it has {}", listed.join(", "))))
}
