//! The versions of a manifest that were frozen under one id: its registration, and what amended it
//! before anything was seen. The last one counts.

use super::entries::{Registration, Withdrawal};
use super::entry::{Entry, EntryBody};
use super::hash::EntryHash;
use super::identity::Identity;
use super::registered::{Circumstances, Registered};
use crate::failure::Failure;
use crate::manifest::ExperimentId;

/// What is frozen under an id.
#[derive(Debug, Clone, PartialEq)]
pub struct FrozenVersions {
    first: Registered,
    amended: Vec<Registered>,
    withdrawn: Option<(Circumstances, Withdrawal)>,
}

impl FrozenVersions {
    /// The version that is run.
    #[must_use]
    pub fn current(&self) -> &Registered {
        self.amended.last().unwrap_or(&self.first)
    }

    /// The first registration.
    #[must_use]
    pub fn first(&self) -> &Registered {
        &self.first
    }

    /// All, the first registration first.
    pub fn all(&self) -> impl Iterator<Item = &Registered> {
        std::iter::once(&self.first).chain(&self.amended)
    }

    /// When and why it was withdrawn.
    #[must_use]
    pub fn withdrawn(&self) -> Option<&(Circumstances, Withdrawal)> {
        self.withdrawn.as_ref()
    }
}

/// The versions in a ledger; `None` where nothing is registered.
///
/// # Errors
/// Refused when there are two registrations of different manifests, or two amendments of one version
/// (two branches that were merged).
pub fn frozen_versions(
    entries: &[Entry],
    id: &ExperimentId,
) -> Result<Option<FrozenVersions>, Failure> {
    let Some((first, equal)) = first_registration(entries, id)? else { return Ok(None) };
    let mut amended: Vec<Registered> = Vec::new();
    let mut places = equal;
    loop {
        let next: Vec<&Entry> = entries
            .iter()
            .filter(|entry| matches!(&entry.body, EntryBody::Amend(body) if places.contains(&body.previous)))
            .collect();
        let Some(chosen) = next.first() else { break };
        let version = frozen_by(chosen)?;
        for other in &next {
            let other = frozen_by(other)?;
            if other.manifest_hash != version.manifest_hash {
                return Err(two_manifests(id, &version, &other));
            }
        }
        places = next.iter().map(|entry| entry.hash.clone()).collect();
        amended.push(version);
        if amended.len() > entries.len() {
            break; // a chain is never longer than its ledger
        }
    }
    let withdrawn = entries.iter().find_map(|entry| match &entry.body {
        EntryBody::Withdraw(body) => Some((entry.circumstances.clone(), body.clone())),
        _ => None,
    });
    Ok(Some(FrozenVersions { first, amended, withdrawn }))
}

/// The oldest registration, and the hashes of all that register the same manifest.
fn first_registration(
    entries: &[Entry],
    id: &ExperimentId,
) -> Result<Option<(Registered, Vec<EntryHash>)>, Failure> {
    let mut found: Option<(Registered, Vec<EntryHash>)> = None;
    for entry in entries {
        let EntryBody::Register(_) = &entry.body else { continue };
        let version = frozen_by(entry)?;
        match &mut found {
            None => found = Some((version, vec![entry.hash.clone()])),
            Some((first, _)) if first.manifest_hash != version.manifest_hash => {
                return Err(two_manifests(id, first, &version));
            }
            Some((_, equal)) => equal.push(entry.hash.clone()),
        }
    }
    Ok(found)
}

fn two_manifests(id: &ExperimentId, one: &Registered, other: &Registered) -> Failure {
    Failure::refused(format!(
        "two different manifests are registered under one id: {} and {}",
        one.manifest_hash, other.manifest_hash
    ))
    .at(format!("experiment {id}"))
    .hint("an id is never reused: register the later one again under a new id")
}

/// The version that one entry freezes.
fn frozen_by(entry: &Entry) -> Result<Registered, Failure> {
    match registration_of(entry) {
        Some(registration) => as_registered(entry, &registration),
        None => Err(Failure::failed("the entry freezes nothing").at(format!(
            "experiment {}, entry {}",
            entry.experiment,
            entry.hash.short()
        ))),
    }
}

/// What an entry freezes: a registration, or an amendment.
pub(super) fn registration_of(entry: &Entry) -> Option<Registration> {
    match &entry.body {
        EntryBody::Register(registration) => Some(registration.as_ref().clone()),
        EntryBody::Amend(amendment) => Some(amendment.registration()),
        _ => None,
    }
}

pub(super) fn as_registered(
    entry: &Entry,
    registration: &Registration,
) -> Result<Registered, Failure> {
    Ok(Registered {
        plan: Identity::plan(&registration.canonical_manifest)?,
        manifest_hash: registration.manifest_hash,
        question_key: registration.question_key,
        entry: entry.hash.clone(),
        frozen: registration.frozen.clone(),
        circumstances: entry.circumstances.clone(),
    })
}

/// Whether a registration's hash is that of the manifest in it.
pub(super) fn sound(entry: &Entry) -> Result<(), String> {
    let Some(registration) = registration_of(entry) else { return Ok(()) };
    let plan = Identity::plan(&registration.canonical_manifest).map_err(|failure| failure.what)?;
    let identity = Identity::of(&plan);
    if identity.manifest_hash != registration.manifest_hash {
        return Err("its manifest hash is not that of the manifest in it".to_owned());
    }
    if plan.id.as_str() != entry.experiment {
        return Err(format!("the manifest in it has the id `{}`", plan.id));
    }
    Ok(())
}
