//! What the ledgers say of figures after they were born: struck, stale, withdrawn, and every
//! version of a manifest that was frozen.

use serde::Deserialize;

use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;
use crate::record::{experiments, ledger_folder};

/// What an audit reads of one entry. Keys that it does not know are left alone.
#[derive(Debug, Clone, Deserialize)]
pub struct LedgerEntry {
    /// What it is.
    pub kind: String,
    /// UTC, RFC 3339.
    pub at: String,
    /// Its file, relative to the project's root.
    #[serde(skip)]
    pub file: String,
    #[serde(default)]
    register: Option<Frozen>,
    #[serde(default)]
    amend: Option<Frozen>,
    #[serde(default)]
    deviate: Option<Frozen>,
    #[serde(default)]
    retract: Option<Retraction>,
    #[serde(default)]
    stale: Option<Staleness>,
    #[serde(default)]
    withdraw: Option<Withdrawal>,
}

/// A manifest that was frozen.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Frozen {
    /// Its hash.
    pub manifest_hash: String,
    /// The manifest itself.
    pub canonical_manifest: String,
}

/// A figure that was struck.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Retraction {
    /// Whose.
    pub run: String,
    /// Of which arm; all of them without one.
    #[serde(default)]
    pub arm: Option<String>,
    /// At which condition; all of them without one.
    #[serde(default)]
    pub condition: Option<String>,
    /// Why.
    pub cause: String,
    /// What stands in its place: `id/run`.
    #[serde(default)]
    pub replacement: Option<String>,
}

/// What a figure depends on has changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Staleness {
    /// Whose.
    pub run: String,
    /// Facts; none when it is current again.
    #[serde(default)]
    pub changed: Vec<ChangedFact>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedFact {
    /// Its name.
    pub fact: String,
}

/// An experiment that will not be run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Withdrawal {
    /// Why.
    pub reason: String,
}

impl LedgerEntry {
    /// The manifest that it freezes.
    #[must_use]
    pub fn frozen(&self) -> Option<&Frozen> {
        match self.kind.as_str() {
            "register" => self.register.as_ref(),
            "amend" => self.amend.as_ref(),
            "deviate" => self.deviate.as_ref(),
            _ => None,
        }
    }

    /// What it strikes.
    #[must_use]
    pub fn retraction(&self) -> Option<&Retraction> {
        self.retract.as_ref().filter(|_| self.kind == "retract")
    }

    /// What it marks as stale, or as current again.
    #[must_use]
    pub fn staleness(&self) -> Option<&Staleness> {
        self.stale.as_ref().filter(|_| self.kind == "stale")
    }

    /// Why the experiment was withdrawn.
    #[must_use]
    pub fn withdrawal(&self) -> Option<&Withdrawal> {
        self.withdraw.as_ref().filter(|_| self.kind == "withdraw")
    }
}

/// An experiment's entries, oldest first.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Whose.
    pub id: ExperimentId,
    /// Entries.
    pub entries: Vec<LedgerEntry>,
}

/// The ledgers of a project. An entry that is no TOML is left out: `record verify` names it.
///
/// # Errors
/// When a folder cannot be read.
pub fn ledgers(project: &Project) -> Result<Vec<Ledger>, Failure> {
    let mut ledgers = Vec::new();
    for id in experiments(project)? {
        let folder = ledger_folder(project, &id);
        let listed = std::fs::read_dir(&folder).map_err(|error| {
            Failure::failed(format!("cannot be read: {error}")).at(folder.display())
        })?;
        let mut entries: Vec<LedgerEntry> = Vec::new();
        for file in listed.flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".toml") {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
            let Ok(mut entry) = toml::from_str::<LedgerEntry>(&text) else { continue };
            entry.file = format!("results/{id}/ledger/{name}");
            entries.push(entry);
        }
        entries.sort_by(|one, other| (&one.at, &one.file).cmp(&(&other.at, &other.file)));
        ledgers.push(Ledger { id, entries });
    }
    Ok(ledgers)
}
