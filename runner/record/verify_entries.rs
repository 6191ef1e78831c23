//! What an entry says, held against the ledger, the runs and the records that it speaks of: an entry that
//! strikes a run which is not there strikes nothing, and nobody would be told.

use chrono::DateTime;

use super::entry::{Entry, EntryBody};
use super::floor;
use super::hash::RunName;
use super::read::read;
use super::reference::RecordName;
use super::runs::{self, LEDGER_FOLDER, RECORD_FILE, RunFolder, RunState};
use super::sealed::Record;
use super::verify::{Finding, failed};
use crate::manifest::ExperimentId;
use crate::project::Project;

/// What is wrong with the entries of one ledger.
pub(super) fn verify_entries(
    project: &Project,
    id: &ExperimentId,
    entries: &[Entry],
    runs: &[RunFolder],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in entries {
        let place = format!("{id}/{LEDGER_FOLDER}/{}.toml", entry.hash);
        let mut say = |what: String| findings.push(failed(&place, what));
        let at = &entry.circumstances.at;
        if DateTime::parse_from_rfc3339(at).is_err() {
            say(format!("{at:?} is no RFC 3339 time"));
        }
        let what = match &entry.body {
            EntryBody::Amend(body) => {
                if !entries.iter().any(|other| other.hash == body.previous) {
                    say(format!("it amends {}, which is not here", body.previous));
                }
                amended_late(runs, at)
            }
            EntryBody::Retract(body) => {
                let arm = body.arm.as_deref().map(|arm| (arm, body.condition.as_deref()));
                if let Some(replacement) = &body.replacement {
                    unknown_record(project, replacement).map(&mut say);
                }
                unknown(project, id, &body.run, arm)
            }
            EntryBody::Stale(body) => {
                if let Some(newer) = &body.superseded_by {
                    unknown_record(project, newer).map(&mut say);
                }
                unknown(project, id, &body.run, None)
            }
            EntryBody::Deviate(body) => unknown(project, id, &body.run, None),
            EntryBody::Override(body) => overruled(project, id, body),
            EntryBody::Anchor(body) => anchored(project, id, body),
            EntryBody::Register(_) | EntryBody::Withdraw(_) | EntryBody::Uninterpreted => None,
        };
        what.map(say);
    }
    findings
}

/// After a run had begun, a manifest is not amended. A run's name is the UTC time of its start.
fn amended_late(runs: &[RunFolder], at: &str) -> Option<String> {
    let amended = RunName::at(at).ok()?;
    let before = runs.iter().find(|run| run.state != RunState::Unfinished && run.run < amended)?;
    Some(format!(
        "it amends the manifest after {}/{} had begun: the registered rule is that of the run",
        before.id, before.run
    ))
}

/// Why a run, or a comparison of it, is not there.
fn unknown(
    project: &Project,
    id: &ExperimentId,
    run: &RunName,
    comparison: Option<(&str, Option<&str>)>,
) -> Option<String> {
    let own = RecordName { id: id.clone(), run: run.clone() };
    if let Some(why) = unknown_record(project, &own) {
        return Some(why);
    }
    let (arm, condition) = comparison?;
    let record = read(project, id, run).ok()?; // what cannot be read has a finding of its own
    match has(&record, arm, condition) {
        true => None,
        false => Some(format!("{own} has no comparison `{arm}`{}", at_condition(condition))),
    }
}

fn unknown_record(project: &Project, name: &RecordName) -> Option<String> {
    let folder = runs::run_folder(project, &name.id, &name.run);
    match folder.join(RECORD_FILE).is_file() {
        true => None,
        false => Some(format!("it names {name}, and there is no such record")),
    }
}

fn has(record: &Record, arm: &str, condition: Option<&str>) -> bool {
    record
        .sealed
        .analysis
        .comparisons
        .iter()
        .any(|one| one.arm == arm && condition.is_none_or(|condition| one.condition == condition))
}

fn at_condition(condition: Option<&str>) -> String {
    condition.map_or_else(String::new, |condition| format!(" at `{condition}`"))
}

/// An override repeats the verdict that stays.
fn overruled(
    project: &Project,
    id: &ExperimentId,
    body: &super::entries::Overruling,
) -> Option<String> {
    let comparison = (body.arm.as_str(), Some(body.condition.as_str()));
    if let Some(why) = unknown(project, id, &body.run, Some(comparison)) {
        return Some(why);
    }
    let record = read(project, id, &body.run).ok()?;
    let verdict = record
        .sealed
        .analysis
        .comparisons
        .iter()
        .find(|one| one.arm == body.arm && one.condition == body.condition)?;
    match verdict.verdict == body.verdict {
        true => None,
        false => Some("it repeats another verdict than the record has".to_owned()),
    }
}

/// A floor is the distribution of the record that it names.
fn anchored(
    project: &Project,
    id: &ExperimentId,
    body: &super::entries::FloorAnchor,
) -> Option<String> {
    if let Some(why) = unknown(project, id, &body.run, None) {
        return Some(why);
    }
    let record = read(project, id, &body.run).ok()?;
    // a build without Parquet cannot say
    let again = floor::distribution(project, &record, &body.arm, &body.condition).ok()?;
    match again == body.distribution {
        true => None,
        false => Some("its distribution is not that of the record".to_owned()),
    }
}
