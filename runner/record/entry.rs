//! One entry of the ledger: a small TOML file, named by its hash, naming its parents.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::entries::{
    Amendment, Deviation, FloorAnchor, Overruling, Registration, Retraction, StaleMark, Withdrawal,
};
use super::hash::EntryHash;
use super::registered::{Circumstances, CommitState};
use crate::failure::Failure;
use crate::manifest::ExperimentId;

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
    /// Another manifest in its place, of which nothing was seen yet.
    Amend(Box<Amendment>),
    /// Another analysis, after an outcome was seen: exploratory.
    Deviate(Box<Deviation>),
    /// A decision otherwise than the verdict, which stays.
    Override(Overruling),
    /// It will not be run.
    Withdraw(Withdrawal),
    /// Strikes a record.
    Retract(Retraction),
    /// What a record depends on has changed.
    Stale(StaleMark),
    /// Sets or moves a floor.
    Anchor(Box<FloorAnchor>),
    /// A kind, or a version, that this program does not interpret.
    Uninterpreted,
}

impl EntryBody {
    /// Its kind, which names its table; `None` for what is not interpreted.
    #[must_use]
    pub fn kind(&self) -> Option<&'static str> {
        Some(match self {
            EntryBody::Register(_) => "register",
            EntryBody::Amend(_) => "amend",
            EntryBody::Deviate(_) => "deviate",
            EntryBody::Override(_) => "override",
            EntryBody::Withdraw(_) => "withdraw",
            EntryBody::Retract(_) => "retract",
            EntryBody::Stale(_) => "stale",
            EntryBody::Anchor(_) => "anchor",
            EntryBody::Uninterpreted => return None,
        })
    }
}

/// An entry as it is written: one table is there, that of its kind.
#[derive(Debug, Default, Serialize)]
struct WrittenForm<'entry> {
    format_version: u32,
    kind: &'static str,
    experiment: &'entry str,
    parents: Vec<EntryHash>,
    at: &'entry str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'entry str>,
    state: CommitState,
    #[serde(skip_serializing_if = "Option::is_none")]
    register: Option<&'entry Registration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amend: Option<&'entry Amendment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviate: Option<&'entry Deviation>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "override")]
    overruling: Option<&'entry Overruling>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdraw: Option<&'entry Withdrawal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retract: Option<&'entry Retraction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<&'entry StaleMark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<&'entry FloorAnchor>,
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
    #[serde(default)]
    state: CommitState,
}

/// The bytes of an entry.
///
/// # Errors
/// When it cannot be written as TOML, or is of a kind that this program does not interpret.
pub(super) fn written(
    experiment: &ExperimentId,
    parents: Vec<EntryHash>,
    circumstances: &Circumstances,
    body: &EntryBody,
) -> Result<String, Failure> {
    let Some(kind) = body.kind() else {
        return Err(Failure::failed("an entry of an unknown kind cannot be written"));
    };
    let mut form = WrittenForm {
        format_version: ENTRY_VERSION,
        kind,
        experiment: experiment.as_str(),
        parents,
        at: &circumstances.at,
        commit: circumstances.commit.as_deref(),
        state: circumstances.state,
        ..WrittenForm::default()
    };
    match body {
        EntryBody::Register(body) => form.register = Some(body),
        EntryBody::Amend(body) => form.amend = Some(body),
        EntryBody::Deviate(body) => form.deviate = Some(body),
        EntryBody::Override(body) => form.overruling = Some(body),
        EntryBody::Withdraw(body) => form.withdraw = Some(body),
        EntryBody::Retract(body) => form.retract = Some(body),
        EntryBody::Stale(body) => form.stale = Some(body),
        EntryBody::Anchor(body) => form.anchor = Some(body),
        EntryBody::Uninterpreted => {}
    }
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
    let no_entry = |error: toml::de::Error| {
        Failure::failed(format!("not a ledger entry: {}", error.message())).at(path.display())
    };
    let mut table: toml::Table = toml::from_str(text).map_err(no_entry)?;
    let form: Form = toml::from_str(text).map_err(no_entry)?;
    let content = table.remove(&form.kind);
    let body = interpreted(&form, content, path)?;
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

/// The table of a kind that is known.
fn interpreted(
    form: &Form,
    content: Option<toml::Value>,
    path: &Path,
) -> Result<EntryBody, Failure> {
    let of = Content { form, content, path };
    match form.kind.as_str() {
        "register" => of.read(|body| EntryBody::Register(Box::new(body))),
        "amend" => of.read(|body| EntryBody::Amend(Box::new(body))),
        "deviate" => Ok(of.read_if_known(|body| EntryBody::Deviate(Box::new(body)))),
        "override" => Ok(of.read_if_known(EntryBody::Override)),
        "withdraw" => Ok(of.read_if_known(EntryBody::Withdraw)),
        "retract" => Ok(of.read_if_known(EntryBody::Retract)),
        "stale" => Ok(of.read_if_known(EntryBody::Stale)),
        "anchor" => Ok(of.read_if_known(|body| EntryBody::Anchor(Box::new(body)))),
        _ => Ok(EntryBody::Uninterpreted),
    }
}

/// Kinds that this program interprets.
pub(super) const KINDS: [&str; 8] =
    ["register", "amend", "deviate", "override", "withdraw", "retract", "stale", "anchor"];

struct Content<'entry> {
    form: &'entry Form,
    content: Option<toml::Value>,
    path: &'entry Path,
}

impl Content<'_> {
    /// An entry that freezes nothing and cannot be understood stays readable; `record verify` names it.
    fn read_if_known<Body: serde::de::DeserializeOwned>(
        self,
        wrap: impl Fn(Body) -> EntryBody,
    ) -> EntryBody {
        self.read(wrap).unwrap_or(EntryBody::Uninterpreted)
    }

    /// What a newer version wrote is read as far as it has the fields of this one.
    fn read<Body: serde::de::DeserializeOwned>(
        self,
        wrap: impl Fn(Body) -> EntryBody,
    ) -> Result<EntryBody, Failure> {
        let is_newer = self.form.format_version > ENTRY_VERSION;
        let kind = &self.form.kind;
        match self.content.map(toml::Value::try_into::<Body>) {
            Some(Ok(body)) => Ok(wrap(body)),
            _ if is_newer => Ok(EntryBody::Uninterpreted),
            None => Err(Failure::failed(format!("no `[{kind}]` table in an entry of that kind"))
                .at(self.path.display())),
            Some(Err(error)) => Err(Failure::failed(format!(
                "its `[{kind}]` cannot be understood: {}",
                error.message()
            ))
            .at(self.path.display())),
        }
    }
}
