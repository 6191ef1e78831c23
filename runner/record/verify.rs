//! Is everything in results/ as it was sealed, and does each verdict follow from its samples?

use super::entry::{self, ENTRY_VERSION, Entry, EntryBody, KINDS};
use super::history::{HISTORY_FILE, HISTORY_PAGE, read_history};
use super::imported::{IMPORTED_FOLDER, verify_imported};
use super::ledger;
use super::list::Listing;
use super::machine_bounds::{MACHINES_FOLDER, verify_machines};
use super::parallel::in_parallel;
use super::pilots::{PILOTS_FOLDER, verify_pilots};
use super::read::{PROVENANCE_FILE, TABLE_FILE};
use super::runs::{self, JOURNAL_FILE, LEDGER_FOLDER, RECORD_FILE, RunFolder, RunState};
use super::store::{self, PARTIAL};
use super::verify_entries::verify_entries;
use super::versions::{self, frozen_versions};
use super::{verify_index, verify_record};
use crate::failure::Failure;
use crate::manifest::{ExperimentId, Plan};
use crate::project::Project;
use crate::verdict::{Analysis, Evidence};

/// Name of the generated overview in results/.
pub const INDEX_FILE: &str = "INDEX.md";

/// What a verification needs from above and beside this module.
pub struct Checks<'checks> {
    /// The judgement under a version of the rules; `None` for a version that is not known.
    pub judge: &'checks (dyn Fn(u32, &Plan, &Evidence) -> Option<Analysis> + Sync),
    /// The text of results/INDEX.md for a listing (reports stand above records).
    pub index: &'checks (dyn Fn(&Listing) -> String + Sync),
}

/// One thing that a verification has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Relative to results/, with `/` between the parts.
    pub file: String,
    /// A lower-case fragment.
    pub what: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The verification has failed.
    Failed,
    /// This build cannot check it (no Parquet, rules that it does not know, a newer version).
    Unchecked,
    /// Worth knowing, such as an unfinished run.
    Note,
}

/// Whether nothing failed.
#[must_use]
pub fn passes(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.severity != Severity::Failed)
}

/// Verifies all of results/: ledgers, records, verdicts, the index, stray files. Findings come in
/// the order of the files.
///
/// # Errors
/// When results/ itself cannot be read. What is wrong within it is a finding.
pub fn verify(project: &Project, checks: &Checks<'_>) -> Result<Vec<Finding>, Failure> {
    let names = store::names_in(&project.results)?;
    let mut findings = Vec::new();
    for found in in_parallel(&names, |name| folder(project, name, checks)) {
        findings.extend(found?);
    }
    Ok(findings)
}

/// What is to be said of one file or folder in results/.
fn folder(project: &Project, name: &str, checks: &Checks<'_>) -> Result<Vec<Finding>, Failure> {
    let path = project.results.join(name);
    if name == INDEX_FILE {
        return Ok(verify_index::index(project, &path, checks)?.into_iter().collect());
    }
    if !path.is_dir() {
        return Ok(vec![stray(name)]);
    }
    if path.join(LEDGER_FOLDER).is_dir() {
        return match ExperimentId::try_from(name.to_owned()) {
            Ok(id) => experiment(project, &id, checks),
            Err(bad) => Ok(vec![failed(name, bad.why)]),
        };
    }
    match name {
        MACHINES_FOLDER => verify_machines(project),
        IMPORTED_FOLDER => verify_imported(project),
        PILOTS_FOLDER => verify_pilots(project),
        _ => Ok(vec![without_ledger(project, name)?]),
    }
}

/// Records without the ledger that they name are broken; any other folder is not ours.
fn without_ledger(project: &Project, name: &str) -> Result<Finding, Failure> {
    let folder = project.results.join(name);
    let names = store::names_in(&folder)?;
    if names.iter().any(|run| folder.join(run).join(RECORD_FILE).is_file()) {
        return Ok(failed(&format!("{name}/{LEDGER_FOLDER}"), "missing".to_owned()));
    }
    Ok(note(name, "a folder without a ledger: not checked"))
}

fn experiment(
    project: &Project,
    id: &ExperimentId,
    checks: &Checks<'_>,
) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::new();
    let entries = entries(project, id, &mut findings)?;
    if let Err(failure) = frozen_versions(&entries, id) {
        findings.push(failed(&format!("{id}/{LEDGER_FOLDER}"), failure.what));
    }
    let folder = runs::experiment_folder(project, id);
    let runs = runs::runs_of(project, id)?;
    findings.extend(verify_entries(project, id, &entries, &runs));
    for name in store::names_in(&folder)? {
        let search = name == HISTORY_FILE || name == HISTORY_PAGE;
        let known =
            search || name == LEDGER_FOLDER || runs.iter().any(|run| run.run.as_str() == name);
        if !known {
            findings.push(stray(&format!("{id}/{name}")));
        }
    }
    if let Err(failure) = read_history(project, id) {
        findings.push(failed(&format!("{id}/{HISTORY_FILE}"), failure.what));
    }
    if runs.is_empty() && !folder.join(HISTORY_FILE).is_file() {
        let is_withdrawn = entries.iter().any(|entry| matches!(entry.body, EntryBody::Withdraw(_)));
        let what = if is_withdrawn { "withdrawn, never run" } else { "registered, never run" };
        findings.push(note(id.as_str(), what));
    }
    for run in &runs {
        let place = format!("{id}/{}", run.run);
        match run.state {
            RunState::Finished => {
                verify_record::verify_record(project, run, &entries, checks, &mut findings)?;
            }
            RunState::UnfinishedWithBlocks | RunState::Unfinished => {
                findings.push(unfinished(run, &place)?);
            }
        }
    }
    Ok(findings)
}

/// A run that is under way, or was cut, has its journal; sealed files without it have lost their
/// `record.toml`.
fn unfinished(run: &RunFolder, place: &str) -> Result<Finding, Failure> {
    let names = store::names_in(&run.path)?;
    let has = |name: &str| names.iter().any(|other| other == name);
    if !has(JOURNAL_FILE) && (has(PROVENANCE_FILE) || has(TABLE_FILE)) {
        return Ok(failed(&format!("{place}/{RECORD_FILE}"), "missing".to_owned()));
    }
    Ok(note(place, "an unfinished run"))
}

/// The entries that are sound; findings for the others.
fn entries(
    project: &Project,
    id: &ExperimentId,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Entry>, Failure> {
    let folder = ledger::ledger_folder(project, id);
    let mut entries = Vec::new();
    for name in store::names_in(&folder)? {
        let place = format!("{id}/{LEDGER_FOLDER}/{name}");
        if !name.ends_with(".toml") {
            findings.push(stray(&place));
            continue;
        }
        let path = folder.join(&name);
        match store::read_bytes(&path).and_then(|bytes| entry::parse(&name, &bytes, &path)) {
            Ok(entry) => entries.push(entry),
            Err(failure) => findings.push(failed(&place, failure.what)),
        }
    }
    for entry in &entries {
        let place = format!("{id}/{LEDGER_FOLDER}/{}.toml", entry.hash);
        if entry.experiment != id.as_str() {
            findings.push(failed(&place, format!("it belongs to `{}`", entry.experiment)));
        }
        for parent in &entry.parents {
            if !entries.iter().any(|other| other.hash == *parent) {
                findings.push(failed(&place, format!("its parent {parent} is missing")));
            }
        }
        if entry.format_version > ENTRY_VERSION {
            let what = format!("version {}: read as far as known", entry.format_version);
            findings.push(Finding { severity: Severity::Unchecked, file: place, what });
        } else if let Err(why) = versions::sound(entry) {
            findings.push(failed(&place, why));
        } else if entry.body == EntryBody::Uninterpreted && KINDS.contains(&entry.kind.as_str()) {
            let what =
                format!("its `[{}]` cannot be understood: it counts for nothing", entry.kind);
            findings.push(Finding { severity: Severity::Unchecked, file: place, what });
        }
    }
    Ok(entries)
}

/// A file that no format knows; one that a writer was killed over is only worth knowing.
pub(super) fn stray(place: &str) -> Finding {
    let name = place.rsplit('/').next().unwrap_or(place);
    if name.starts_with('.') {
        return note(place, "a hidden file: not checked");
    }
    if place.ends_with(PARTIAL) {
        return note(place, "left over by a writer that was killed; it can be deleted");
    }
    failed(place, "a stray file: no format knows it".to_owned())
}

pub(super) fn failed(file: &str, what: String) -> Finding {
    Finding { severity: Severity::Failed, file: file.to_owned(), what }
}

pub(super) fn note(file: &str, what: &str) -> Finding {
    Finding { severity: Severity::Note, file: file.to_owned(), what: what.to_owned() }
}
