//! Makes a run a record: everything to temporary names, synced, renamed, `record.toml` last.

use std::collections::BTreeMap;
use std::path::Path;

use super::attempt;
use super::claims::sealed_claims;
use super::finite;
use super::hash::{ContentHash, RunName};
use super::manifest_source::ManifestSource;
use super::provenance::Provenance;
use super::read::{MANIFEST_FILE, PROVENANCE_FILE, TABLE_FILE};
use super::registered::Registered;
use super::runs::{self, JOURNAL_FILE, RECORD_FILE};
use super::seal_line;
use super::sealed::{RECORD_VERSION, Record, SamplesSeal, Sealed};
use super::store::{self, Pending};
use crate::failure::Failure;
use crate::project::Project;
use crate::verdict::{Analysis, Evidence};

/// What a record's files may take in all. More is sealed too, with a warning.
pub const RECORD_BYTES: u64 = 200_000;

/// A run that ended, with its judgement.
#[derive(Debug)]
pub struct SealRequest<'run> {
    /// The registration that was run.
    pub registered: &'run Registered,
    /// The run's name; its folder may exist already, with its journal.
    pub run: &'run RunName,
    /// The manifest's text, as it was read.
    pub manifest_source: &'run ManifestSource,
    /// Samples, and all else that was found.
    pub evidence: &'run Evidence,
    /// The judgement of that evidence.
    pub analysis: &'run Analysis,
    /// From start to end.
    pub provenance: &'run Provenance,
}

/// A record that was just sealed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRecord {
    /// As it was written.
    pub record: Record,
    /// Its size, in all.
    pub bytes: u64,
    /// What a person should know, such as a size over [`RECORD_BYTES`].
    pub warnings: Vec<String>,
}

/// Seals a run. `table` renders `table.md` (reports stand above records). The journal is removed
/// afterwards; until `record.toml` bears its name the run counts as unfinished.
///
/// # Errors
/// When the run is sealed already, a number is not finite, or a file cannot be written: the
/// journal is then still there.
pub fn seal(
    project: &Project,
    finished: &SealRequest<'_>,
    table: &dyn Fn(&Record) -> String,
) -> Result<NewRecord, Failure> {
    let plan = finished.registered.plan();
    let folder = runs::run_folder(project, &plan.id, finished.run);
    let record_path = folder.join(RECORD_FILE);
    if record_path.exists() {
        return Err(Failure::failed("this run is sealed already").at(record_path.display()));
    }
    store::make_folder(&folder)?;
    let samples_name = format!("samples.{}", sample_table::PREFERRED.extension());
    let samples = sample_table::encode(&folder.join(&samples_name), &finished.evidence.samples)
        .map_err(|error| Failure::failed(error.to_string()))?;
    let mut record = draft(project, finished, &samples_name)?;
    let provenance = as_toml(finished.provenance, PROVENANCE_FILE)?;
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert(MANIFEST_FILE.to_owned(), finished.manifest_source.text().as_bytes().to_vec());
    files.insert(PROVENANCE_FILE.to_owned(), provenance.into_bytes());
    files.insert(samples_name, samples);
    files.insert(TABLE_FILE.to_owned(), table(&record).into_bytes());
    record.sealed.files =
        files.iter().map(|(name, bytes)| (name.clone(), ContentHash::of(bytes))).collect();
    let content = as_toml(&record.sealed, RECORD_FILE)?;
    let sealed = seal_line::with_seal(&content);
    let bytes = files.values().map(Vec::len).sum::<usize>() + sealed.len();
    write_all(&folder, &files, sealed.as_bytes())?;
    remove_journal(&folder)?;
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    Ok(NewRecord { record, bytes, warnings: size_warning(bytes) })
}

fn draft(
    project: &Project,
    finished: &SealRequest<'_>,
    samples_name: &str,
) -> Result<Record, Failure> {
    let registered = finished.registered;
    let plan = registered.plan();
    let earlier = attempt::earlier_runs_anywhere(project, &plan.id, finished.run)?;
    let attempt = u32::try_from(earlier.len()).unwrap_or(u32::MAX).saturating_add(1);
    let rows = &finished.evidence.samples;
    let sealed = Sealed {
        format_version: RECORD_VERSION,
        id: plan.id.clone(),
        run: finished.run.clone(),
        attempt,
        manifest_hash: *registered.manifest_hash(),
        registration: registered.entry().clone(),
        rules_version: finished.analysis.rules_version,
        claims: sealed_claims(finished.analysis, attempt, &earlier),
        earlier,
        samples: SamplesSeal {
            file: samples_name.to_owned(),
            rows: u64::try_from(rows.len()).unwrap_or(u64::MAX),
            rows_blake3: ContentHash::of(&sample_table::canonical_rows(rows)),
        },
        facts: finished.evidence.facts.clone(),
        analysis: finished.analysis.clone(),
        files: BTreeMap::new(),
    };
    Ok(Record {
        sealed,
        provenance: finished.provenance.clone(),
        plan: plan.clone(),
        registered: registered.circumstances().clone(),
    })
}

/// All files are on disk under temporary names before the first gets its own; `record.toml` gets
/// its own last.
fn write_all(
    folder: &Path,
    files: &BTreeMap<String, Vec<u8>>,
    record: &[u8],
) -> Result<(), Failure> {
    let mut pending = Vec::new();
    for (name, bytes) in files {
        pending.push(Pending::write(&folder.join(name), bytes)?);
    }
    let last = Pending::write(&folder.join(RECORD_FILE), record)?;
    for file in pending {
        file.name()?;
    }
    last.name()
}

fn remove_journal(folder: &Path) -> Result<(), Failure> {
    let journal = folder.join(JOURNAL_FILE);
    match std::fs::remove_file(&journal) {
        Ok(()) => store::sync_folder(&journal),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(store::cannot("removed", &journal, &error)),
    }
}

fn size_warning(bytes: u64) -> Vec<String> {
    if bytes <= RECORD_BYTES {
        return Vec::new();
    }
    vec![format!(
        "the record takes {bytes} bytes; one that is committed should take {RECORD_BYTES} or less"
    )]
}

/// TOML, when every number in it is finite.
pub(super) fn as_toml<T: serde::Serialize>(value: &T, file: &str) -> Result<String, Failure> {
    let tree = toml::Value::try_from(value)
        .map_err(|error| Failure::failed(format!("cannot be written: {error}")).at(file))?;
    if let Some(key) = finite::first_not_finite(&tree) {
        return Err(Failure::failed(format!("`{key}` is no finite number")).at(file));
    }
    toml::to_string(value)
        .map_err(|error| Failure::failed(format!("cannot be written: {error}")).at(file))
}
