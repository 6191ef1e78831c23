//! Reads records. A newer version is read as far as this program knows it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::hash::{ContentHash, EntryHash, RunName};
use super::ledger;
use super::provenance::Provenance;
use super::runs::{self, RECORD_FILE, RunFolder};
use super::seal_line;
use super::sealed::{RECORD_VERSION, Record, Sealed};
use super::store;
use super::versions;
use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;
use crate::verdict::Verdict;

/// Name of the provenance's file.
pub const PROVENANCE_FILE: &str = "provenance.toml";
/// Name of the manifest's file, as it was frozen.
pub const MANIFEST_FILE: &str = "manifest.toml";
/// Name of the rendered table's file.
pub const TABLE_FILE: &str = "table.md";

/// What is read of a record of any version, for lists and attempts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Version of the record's form.
    pub format_version: u32,
    /// Which attempt.
    pub attempt: u32,
    /// The ledger entry.
    pub registration: EntryHash,
    /// Rules that it was judged by.
    pub rules_version: u32,
    /// Number of samples.
    pub sample_rows: u64,
    /// Verdicts.
    pub comparisons: Vec<HeadComparison>,
}

/// What is read of a comparison of any version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadComparison {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// What came out.
    pub verdict: Verdict,
}

#[derive(Deserialize)]
struct HeadForm {
    format_version: u32,
    attempt: u32,
    registration: EntryHash,
    rules_version: u32,
    samples: HeadSamples,
    analysis: HeadAnalysis,
}

#[derive(Deserialize)]
struct HeadSamples {
    rows: u64,
}

#[derive(Deserialize)]
struct HeadAnalysis {
    #[serde(default)]
    comparisons: Vec<HeadVerdict>,
}

#[derive(Deserialize)]
struct HeadVerdict {
    arm: String,
    #[serde(default)]
    condition: String,
    verdict: Verdict,
}

/// The head of a finished run, its seal checked.
pub(super) fn head(folder: &RunFolder) -> Result<Head, Failure> {
    let path = folder.path.join(RECORD_FILE);
    let text = store::read_text(&path)?;
    let content = unsealed(&text, &path)?;
    let form: HeadForm = toml::from_str(content).map_err(|error| no_record(&error, &path))?;
    let comparisons = form.analysis.comparisons.into_iter().map(|comparison| HeadComparison {
        arm: comparison.arm,
        condition: comparison.condition,
        verdict: comparison.verdict,
    });
    Ok(Head {
        format_version: form.format_version,
        attempt: form.attempt,
        registration: form.registration,
        rules_version: form.rules_version,
        sample_rows: form.samples.rows,
        comparisons: comparisons.collect(),
    })
}

/// A record, whole. Its seal and the hash of its provenance are checked; [`super::verify`] checks
/// the rest.
///
/// # Errors
/// When there is none, it was changed, or it is of a newer version that this program cannot read.
pub fn read(project: &Project, id: &ExperimentId, run: &RunName) -> Result<Record, Failure> {
    let folder = runs::run_folder(project, id, run);
    let path = folder.join(RECORD_FILE);
    if !path.is_file() {
        return Err(Failure::failed("there is no such record")
            .at(format!("{id}/{run}"))
            .hint("`runner list` names all records"));
    }
    let sealed = sealed(&path)?;
    let provenance_path = folder.join(PROVENANCE_FILE);
    let text = store::read_text(&provenance_path)?;
    check_file(&sealed.files, PROVENANCE_FILE, text.as_bytes(), &provenance_path)?;
    let provenance: Provenance =
        toml::from_str(&text).map_err(|error| no_record(&error, &provenance_path))?;
    let entries = ledger::read_ledger(project, id)?;
    let followed = entries.iter().find(|entry| entry.hash == sealed.registration);
    let registered = followed
        .and_then(|entry| Some(versions::as_registered(entry, &versions::registration_of(entry)?)));
    let Some(registered) = registered else {
        return Err(Failure::failed(format!(
            "its registration {} is not in the ledger",
            sealed.registration.short()
        ))
        .at(path.display())
        .hint("restore the ledger from version control"));
    };
    let registered = registered?;
    Ok(Record {
        sealed,
        provenance,
        plan: registered.plan().clone(),
        registered: registered.circumstances().clone(),
    })
}

/// `record.toml`, its seal checked.
pub(super) fn sealed(path: &Path) -> Result<Sealed, Failure> {
    let text = store::read_text(path)?;
    let content = unsealed(&text, path)?;
    toml::from_str(content).map_err(|error| match version(content) {
        Some(version) if version > RECORD_VERSION => Failure::failed(format!(
            "a record of version {version}; this program reads version {RECORD_VERSION}"
        ))
        .at(path.display())
        .hint("use the newer release of runner"),
        _ => no_record(&error, path),
    })
}

/// The version that a record says it has.
pub(super) fn version(content: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Version {
        format_version: u32,
    }
    toml::from_str::<Version>(content).ok().map(|version| version.format_version)
}

/// A file of the record must hash to what `record.toml` says.
pub(super) fn check_file(
    sealed: &BTreeMap<String, ContentHash>,
    name: &str,
    bytes: &[u8],
    path: &Path,
) -> Result<(), Failure> {
    let actual = ContentHash::of(bytes);
    match sealed.get(name) {
        Some(hash) if *hash == actual => Ok(()),
        Some(hash) => Err(Failure::failed(format!(
            "changed after it was sealed: it hashes to {actual}, sealed was {hash}"
        ))
        .at(path.display())
        .hint("restore it from version control")),
        None => Err(Failure::failed("the record does not name it").at(path.display())),
    }
}

fn unsealed<'text>(text: &'text str, path: &Path) -> Result<&'text str, Failure> {
    seal_line::without_seal(text).map_err(|why| {
        Failure::failed(why).at(path.display()).hint("restore it from version control")
    })
}

fn no_record(error: &toml::de::Error, path: &Path) -> Failure {
    Failure::failed(format!("cannot be understood: {}", error.message())).at(path.display())
}
