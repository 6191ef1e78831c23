//! The ledgers of a project, as far as they can be read.

use crate::failure::Failure;
use crate::manifest::ExperimentId;
use crate::project::Project;
use crate::record::{Entry, EntryBody, Retraction, experiments, read_ledger};

/// An experiment's entries, oldest first.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Whose.
    pub id: ExperimentId,
    /// Entries, or why they cannot be read.
    entries: Result<Vec<Entry>, String>,
}

/// A manifest that was frozen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenVersion<'entry> {
    /// What froze it: `register of 2026-11-29`.
    pub by: String,
    /// Hash of the manifest.
    pub hash: String,
    /// The manifest itself.
    pub canonical: &'entry str,
}

impl Ledger {
    /// Its entries; none where they cannot be read.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        self.entries.as_deref().unwrap_or(&[])
    }

    /// Why they cannot be read.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.entries.as_ref().err().map(String::as_str)
    }

    /// The file of an entry, relative to the project's root.
    #[must_use]
    pub fn file(&self, entry: &Entry) -> String {
        format!("results/{}/ledger/{}.toml", self.id, entry.hash)
    }

    /// What was struck, oldest first.
    pub fn retractions(&self) -> impl Iterator<Item = (&Entry, &Retraction)> {
        self.entries().iter().filter_map(|entry| match &entry.body {
            EntryBody::Retract(body) => Some((entry, body)),
            _ => None,
        })
    }

    /// Every manifest that was frozen, each once.
    #[must_use]
    pub fn versions(&self) -> Vec<FrozenVersion<'_>> {
        let mut versions: Vec<FrozenVersion<'_>> = Vec::new();
        for entry in self.entries() {
            let (hash, canonical) = match &entry.body {
                EntryBody::Register(body) => (body.manifest_hash, &body.canonical_manifest),
                EntryBody::Amend(body) => (body.manifest_hash, &body.canonical_manifest),
                EntryBody::Deviate(body) => (body.manifest_hash, &body.canonical_manifest),
                _ => continue,
            };
            let hash = hash.hex();
            if versions.iter().any(|known| known.hash == hash) {
                continue;
            }
            let at = &entry.circumstances.at;
            let by = format!("{} of {}", entry.kind, at.get(..10).unwrap_or(at));
            versions.push(FrozenVersion { by, hash, canonical });
        }
        versions
    }
}

/// All ledgers of a project.
///
/// # Errors
/// When results/ itself cannot be read.
pub fn ledgers(project: &Project) -> Result<Vec<Ledger>, Failure> {
    let all = experiments(project)?.into_iter().map(|id| Ledger {
        entries: read_ledger(project, &id).map_err(|failure| failure.to_string()),
        id,
    });
    Ok(all.collect())
}
