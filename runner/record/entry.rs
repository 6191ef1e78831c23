//! One entry of the ledger: a small TOML file, named by its hash, naming its parents.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::frozen::Frozen;
use super::hash::EntryHash;
use super::registered::{Circumstances, CommitState};
use crate::failure::Failure;
use crate::manifest::{ExperimentId, ManifestHash, QuestionKey};

/// The version of ledger entries that this program writes.
pub const ENTRY_VERSION: u32 = 1;

/// An entry as read.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// BLAKE3 of its bytes, which is its name.
    pub hash: EntryHash,
    /// Version of its form. Over [`ENTRY_VERSION`] only what is known is read.
    pub format_version: u32,
    /// `register`, `amend`, `withdraw`, `retract`, `override`, …
    pub kind: String,
    /// Whose ledger it stands in.
    pub experiment: String,
    /// Hashes of the entries that were heads when it was written.
    pub parents: Vec<EntryHash>,
    /// When, and at which commit.
    pub circumstances: Circumstances,
    /// What it says, where this program knows the kind.
    pub body: EntryBody,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryBody {
    /// Freezes a manifest.
    Register(Box<Registration>),
    /// A kind, or a version, that this program does not interpret.
    Uninterpreted,
}

/// The body of a `register` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// Hash of the canonical manifest.
    pub manifest_hash: ManifestHash,
    /// Finds earlier runs of the same question.
    pub question_key: QuestionKey,
    /// The canonical manifest itself.
    pub canonical_manifest: String,
    /// What was frozen beside it.
    pub frozen: Frozen,
}

/// A registration as it is written.
#[derive(Debug, Serialize)]
struct WrittenForm<'entry> {
    format_version: u32,
    kind: &'static str,
    experiment: &'entry str,
    parents: Vec<EntryHash>,
    at: &'entry str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'entry str>,
    state: CommitState,
    register: &'entry Registration,
}

/// The parts of an entry that every kind has, as they are read.
#[derive(Debug, Deserialize)]
struct Form {
    format_version: u32,
    kind: String,
    experiment: String,
    parents: Vec<EntryHash>,
    at: String,
    #[serde(default)]
    commit: Option<String>,
    #[serde(default = "unknown")]
    state: CommitState,
    #[serde(default)]
    register: Option<toml::Value>,
}

fn unknown() -> CommitState {
    CommitState::Unknown
}

/// The bytes of a `register` entry.
pub(super) fn register_entry(
    experiment: &ExperimentId,
    parents: Vec<EntryHash>,
    circumstances: &Circumstances,
    registration: &Registration,
) -> Result<String, Failure> {
    let form = WrittenForm {
        format_version: ENTRY_VERSION,
        kind: "register",
        experiment: experiment.as_str(),
        parents,
        at: &circumstances.at,
        commit: circumstances.commit.as_deref(),
        state: circumstances.state,
        register: registration,
    };
    toml::to_string(&form)
        .map_err(|error| Failure::failed(format!("cannot be written as TOML: {error}")))
}

/// Reads an entry; its name must be the hash of its bytes.
pub(super) fn parse(name: &str, bytes: &[u8], path: &Path) -> Result<Entry, Failure> {
    let hash = EntryHash::of(bytes);
    if name.strip_suffix(".toml") != Some(hash.as_str()) {
        return Err(Failure::failed(format!(
            "a ledger entry that was changed: its content hashes to {}, not to its name",
            hash.short()
        ))
        .at(path.display())
        .hint("restore it from version control: entries are never edited"));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Failure::failed(format!("not UTF-8: {error}")).at(path.display()))?;
    let form: Form = toml::from_str(text).map_err(|error| {
        Failure::failed(format!("not a ledger entry: {}", error.message())).at(path.display())
    })?;
    let body = match form.register {
        Some(value) if form.kind == "register" => register_body(value, form.format_version, path)?,
        None if form.kind == "register" && form.format_version <= ENTRY_VERSION => {
            return Err(
                Failure::failed("a registration without its `[register]` table").at(path.display())
            );
        }
        _ => EntryBody::Uninterpreted,
    };
    Ok(Entry {
        hash,
        format_version: form.format_version,
        kind: form.kind,
        experiment: form.experiment,
        parents: form.parents,
        circumstances: Circumstances { at: form.at, commit: form.commit, state: form.state },
        body,
    })
}

/// A newer version's registration is read as far as it has the fields of this one.
fn register_body(value: toml::Value, version: u32, path: &Path) -> Result<EntryBody, Failure> {
    match value.try_into::<Registration>() {
        Ok(registration) => Ok(EntryBody::Register(Box::new(registration))),
        Err(_) if version > ENTRY_VERSION => Ok(EntryBody::Uninterpreted),
        Err(error) => {
            Err(Failure::failed(format!("not a registration: {}", error.message()))
                .at(path.display()))
        }
    }
}
