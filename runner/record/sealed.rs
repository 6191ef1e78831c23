//! A record: what a run concluded, and all it rests on.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::claims::SealedClaim;
use super::hash::{ContentHash, EntryHash, RunName};
use super::provenance::Provenance;
use super::registered::Circumstances;
use crate::manifest::{ExperimentId, ManifestHash, Plan};
use crate::verdict::{Analysis, RunFacts, Verdict};

/// The version of records that this program writes.
pub const RECORD_VERSION: u32 = 1;

/// A record, whole: `record.toml` with what it points to.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// `record.toml`.
    pub sealed: Sealed,
    /// `provenance.toml`.
    pub provenance: Provenance,
    /// The plan, from the ledger.
    pub plan: Plan,
    /// When it was registered, and at which commit.
    pub registered: Circumstances,
}

/// What `record.toml` says, its seal left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// Version of this form: 1.
    pub format_version: u32,
    /// The experiment.
    pub id: ExperimentId,
    /// The run; its folder's name.
    pub run: RunName,
    /// 1 for the first run of the registration that stored a sample, whatever its end.
    pub attempt: u32,
    /// Hash of the canonical manifest.
    pub manifest_hash: ManifestHash,
    /// The ledger entry.
    pub registration: EntryHash,
    /// Rules that the analysis was made by.
    pub rules_version: u32,
    /// Earlier runs of the same registration that stored a sample, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierRun>,
    /// The samples.
    pub samples: SamplesSeal,
    /// All evidence that is no sample.
    pub facts: RunFacts,
    /// The judgement.
    pub analysis: Analysis,
    /// The sentences that may be written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<SealedClaim>,
    /// BLAKE3 of every other file of the record, by name.
    pub files: BTreeMap<String, ContentHash>,
}

/// The samples' file and the hash over its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplesSeal {
    /// `samples.parquet` or `samples.jsonl`.
    pub file: String,
    /// Number of rows.
    pub rows: u64,
    /// BLAKE3 of the canonical rows, whatever the file's format.
    pub rows_blake3: ContentHash,
}

/// A run of the same registration that stored a sample before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierRun {
    /// Its name.
    pub run: RunName,
    /// Its verdicts; none when it was never finished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<EarlierVerdict>,
}

/// A verdict of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierVerdict {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// What came out.
    pub verdict: Verdict,
}
