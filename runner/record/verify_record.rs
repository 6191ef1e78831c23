//! Verifies one record: files, seal, registration, samples, verdict.

use std::collections::{BTreeMap, BTreeSet};

use super::attempt::earlier_runs;
use super::claims::sealed_claims;
use super::entries::Registration;
use super::entry::Entry;
use super::hash::{ContentHash, RunName};
use super::provenance::Provenance;
use super::read::{self, PROVENANCE_FILE};
use super::runs::{JOURNAL_FILE, RECORD_FILE, RunFolder};
use super::seal::as_toml;
use super::seal_line;
use super::sealed::{EarlierRun, RECORD_VERSION, Sealed};
use super::store;
use super::verify::{Checks, Finding, Severity, failed, note, stray};
use super::versions;
use crate::failure::Failure;
use crate::project::Project;
use crate::verdict::Evidence;

/// Adds what is to be said of a finished run.
pub(super) fn verify_record(
    project: &Project,
    folder: &RunFolder,
    entries: &[Entry],
    checks: &Checks<'_>,
    findings: &mut Vec<Finding>,
) -> Result<(), Failure> {
    let place = |name: &str| format!("{}/{}/{name}", folder.id, folder.run);
    let record_path = folder.path.join(RECORD_FILE);
    let sealed = match read::sealed(&record_path) {
        Ok(sealed) => sealed,
        Err(failure) => {
            return unreadable(folder, &place, failure, findings);
        }
    };
    if sealed.id != folder.id || sealed.run != folder.run {
        let what = format!("it is the record of {}/{}", sealed.id, sealed.run);
        findings.push(failed(&place(RECORD_FILE), what));
    }
    files(folder, &sealed.files, &place, findings)?;
    attempt(project, folder, &sealed, &place(RECORD_FILE), findings)?;
    if usize::try_from(sealed.attempt).ok() != Some(sealed.earlier.len() + 1) {
        let what = format!(
            "attempt {} after {} earlier runs: it is one more than their number",
            sealed.attempt,
            sealed.earlier.len()
        );
        findings.push(failed(&place(RECORD_FILE), what));
    }
    if sealed.format_version > RECORD_VERSION {
        findings.push(newer(&place(RECORD_FILE), sealed.format_version));
        return Ok(());
    }
    let followed = entries.iter().find(|entry| entry.hash == sealed.registration);
    let registration = followed.and_then(|entry| Some((entry, versions::registration_of(entry)?)));
    let Some((entry, registration)) = registration else {
        let what = format!("its registration {} is not in the ledger", sealed.registration);
        findings.push(failed(&place(RECORD_FILE), what));
        return Ok(());
    };
    if registration.manifest_hash != sealed.manifest_hash {
        let what = "its manifest hash is not that of its registration".to_owned();
        findings.push(failed(&place(RECORD_FILE), what));
    }
    provenance(folder, &place(PROVENANCE_FILE), findings);
    let verdict = judged(folder, &sealed, entry, &registration, checks);
    findings.extend(verdict.into_iter().map(|(severity, name, what)| Finding {
        severity,
        file: place(&name),
        what,
    }));
    Ok(())
}

/// Every file that the record names is there and unchanged, and there is no other.
fn files(
    folder: &RunFolder,
    sealed: &BTreeMap<String, ContentHash>,
    place: &dyn Fn(&str) -> String,
    findings: &mut Vec<Finding>,
) -> Result<(), Failure> {
    let names = store::names_in(&folder.path)?;
    for name in sealed.keys() {
        let path = folder.path.join(name);
        if !names.contains(name) {
            findings.push(failed(&place(name), "missing".to_owned()));
            continue;
        }
        let checked = store::read_bytes(&path)
            .and_then(|bytes| read::check_file(sealed, name, &bytes, &path));
        if let Err(failure) = checked {
            findings.push(failed(&place(name), failure.what));
        }
    }
    for name in names {
        if name == JOURNAL_FILE {
            findings.push(note(&place(&name), "left over beside a whole record; delete it"));
        } else if name != RECORD_FILE && !sealed.contains_key(&name) {
            findings.push(stray(&place(&name)));
        }
    }
    Ok(())
}

fn provenance(folder: &RunFolder, place: &str, findings: &mut Vec<Finding>) {
    let text = store::read_text(&folder.path.join(PROVENANCE_FILE));
    let parsed = text.and_then(|text| {
        toml::from_str::<Provenance>(&text)
            .map_err(|error| Failure::failed(error.message().to_owned()))
    });
    match parsed {
        Ok(provenance) if provenance.computed_stack_key() == provenance.stack_key => {}
        Ok(_) => findings.push(failed(place, "its stack key is not that of its facts".to_owned())),
        Err(failure) => findings.push(failed(place, failure.what)),
    }
}

type Said = (Severity, String, String);

/// The samples against their hash, the verdict against the samples.
fn judged(
    folder: &RunFolder,
    sealed: &Sealed,
    entry: &Entry,
    registration: &Registration,
    checks: &Checks<'_>,
) -> Vec<Said> {
    let samples = &sealed.samples;
    let path = folder.path.join(&samples.file);
    let say = |severity, name: &str, what: String| vec![(severity, name.to_owned(), what)];
    let Some(sealed_file) = sealed.files.get(&samples.file) else {
        return say(Severity::Failed, RECORD_FILE, "it names no file of samples".to_owned());
    };
    // A reader of columns is only given bytes that are known to be the sealed ones.
    match store::read_bytes(&path) {
        Ok(bytes) if ContentHash::of(&bytes) == *sealed_file => {}
        _ => return Vec::new(), // said already
    }
    let rows = match sample_table::read(&path) {
        Ok(rows) => rows,
        Err(sample_table::TableError::WithoutParquet { .. }) => {
            let what = "this build has no Parquet: samples and verdict are not checked".to_owned();
            return say(Severity::Unchecked, &samples.file, what);
        }
        Err(error) => return say(Severity::Failed, &samples.file, error.to_string()),
    };
    if sample_table::rows_hash(&rows) != samples.rows_blake3.as_str() {
        let what = "its rows are not those that were sealed".to_owned();
        return say(Severity::Failed, &samples.file, what);
    }
    let plan = match versions::as_registered(entry, registration) {
        Ok(registered) => registered.plan().clone(),
        Err(failure) => return say(Severity::Failed, RECORD_FILE, failure.what),
    };
    let evidence = Evidence { samples: rows, facts: sealed.facts.clone() };
    let Some(again) = (checks.judge)(sealed.rules_version, &plan, &evidence) else {
        let what = format!(
            "judged by rules version {}, which this program does not know: the verdict is not \
             recomputed",
            sealed.rules_version
        );
        return say(Severity::Unchecked, RECORD_FILE, what);
    };
    let mut said = Vec::new();
    if registration.frozen.rules_version != sealed.rules_version {
        let what = format!(
            "judged by rules version {}, registered under {}",
            sealed.rules_version, registration.frozen.rules_version
        );
        said.extend(say(Severity::Failed, RECORD_FILE, what));
    }
    match (as_toml(&again, RECORD_FILE), as_toml(&sealed.analysis, RECORD_FILE)) {
        (Ok(again), Ok(then)) if again == then => {}
        (Ok(again), Ok(then)) => {
            let what = format!(
                "the verdict does not follow from the samples: {}",
                first_difference(&then, &again)
            );
            said.extend(say(Severity::Failed, RECORD_FILE, what));
        }
        (Err(failure), _) | (_, Err(failure)) => {
            said.extend(say(Severity::Failed, RECORD_FILE, failure.what));
        }
    }
    let claims = sealed_claims(&sealed.analysis, sealed.attempt, &sealed.earlier);
    if claims != sealed.claims {
        let what = "its claims do not follow from its verdicts".to_owned();
        said.extend(say(Severity::Failed, RECORD_FILE, what));
    }
    said
}

fn first_difference(then: &str, again: &str) -> String {
    let mut lines = then.lines().zip(again.lines());
    match lines.find(|(one, other)| one != other) {
        Some((one, other)) => format!("sealed `{one}`, recomputed `{other}`"),
        None => "one of the two is longer".to_owned(),
    }
}

/// A newer version's files are still held against their hashes.
fn unreadable(
    folder: &RunFolder,
    place: &dyn Fn(&str) -> String,
    failure: Failure,
    findings: &mut Vec<Finding>,
) -> Result<(), Failure> {
    #[derive(serde::Deserialize)]
    struct Files {
        files: BTreeMap<String, ContentHash>,
    }
    let text = store::read_text(&folder.path.join(RECORD_FILE));
    let content = text.as_ref().ok().and_then(|text| seal_line::without_seal(text).ok());
    match content.and_then(read::version) {
        Some(version) if version > RECORD_VERSION => {
            findings.push(newer(&place(RECORD_FILE), version));
            match content.map(toml::from_str::<Files>) {
                Some(Ok(form)) => files(folder, &form.files, place, findings),
                _ => Ok(()),
            }
        }
        _ => {
            findings.push(failed(&place(RECORD_FILE), failure.what));
            Ok(())
        }
    }
}

/// Branches that were merged, or runs that were taken away, can make an attempt's count differ.
fn attempt(
    project: &Project,
    folder: &RunFolder,
    sealed: &Sealed,
    place: &str,
    findings: &mut Vec<Finding>,
) -> Result<(), Failure> {
    let Ok(now) = earlier_runs(project, &folder.id, &folder.run) else {
        return Ok(()); // the earlier record has a finding of its own
    };
    let names = |runs: &[EarlierRun]| -> BTreeSet<RunName> {
        runs.iter().map(|run| run.run.clone()).collect()
    };
    let (then, now) = (names(&sealed.earlier), names(&now));
    for run in then.difference(&now) {
        findings.push(note(place, &format!("it names the earlier run {run}, which is not here")));
    }
    for run in now.difference(&then) {
        findings.push(note(place, &format!("its attempt does not count the earlier run {run}")));
    }
    Ok(())
}

fn newer(place: &str, version: u32) -> Finding {
    let what = format!("version {version}, this program knows {RECORD_VERSION}: not recomputed");
    Finding { severity: Severity::Unchecked, file: place.to_owned(), what }
}
