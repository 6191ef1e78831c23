//! The ledger of an experiment: append-only, several heads are legal.

use std::path::PathBuf;

use super::difference::changed_keys;
use super::entry::{self, ENTRY_VERSION, Entry, EntryBody, Registration};
use super::frozen::Frozen;
use super::hash::{EntryHash, RunName};
use super::identity::Identity;
use super::registered::{Circumstances, Registered};
use super::runs::{self, LEDGER_FOLDER, RunState};
use super::store;
use crate::failure::Failure;
use crate::manifest::{ExperimentId, Plan, QuestionKey};
use crate::project::Project;

/// What [`register`] did.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRegistration {
    /// Ready to run.
    pub registered: Registered,
    /// Whether an entry was written.
    pub outcome: RegistrationOutcome,
    /// The entry's file.
    pub file: PathBuf,
    /// Other experiments on the same question.
    pub prior: Vec<PriorExperiment>,
}

/// Whether [`register`] wrote anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistrationOutcome {
    /// A new entry was written.
    Written,
    /// The same manifest was registered already.
    AlreadyThere,
}

/// Another experiment, or run, on the same question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorExperiment {
    /// Its id.
    pub id: ExperimentId,
    /// Its run; `None` when it is registered and was never run.
    pub run: Option<RunName>,
    /// What is there; `None` without a run.
    pub state: Option<RunState>,
}

/// Freezes a plan. Registering the same plan again does nothing.
///
/// # Errors
/// Refused when the id is registered with another manifest (an id is never reused), or the same
/// manifest with other frozen facts, or when the ledger holds entries of a newer version.
pub fn register(
    project: &Project,
    plan: &Plan,
    frozen: &Frozen,
    circumstances: &Circumstances,
) -> Result<NewRegistration, Failure> {
    let identity = Identity::of(plan);
    let entries = read_ledger(project, &plan.id)?;
    let folder = ledger_folder(project, &plan.id);
    let prior = other_experiments(project, &identity.question_key, &plan.id)?;
    if let Some(registered) = sole_registration(&entries, &plan.id)? {
        if registered.manifest_hash != identity.manifest_hash {
            return Err(id_reused(plan, &registered, &identity));
        }
        registered.confirm(frozen)?;
        let file = folder.join(format!("{}.toml", registered.entry));
        let outcome = RegistrationOutcome::AlreadyThere;
        return Ok(NewRegistration { registered, outcome, file, prior });
    }
    refuse_newer(&entries, &plan.id)?;
    let registration = Registration {
        manifest_hash: identity.manifest_hash,
        question_key: identity.question_key,
        canonical_manifest: identity.canonical,
        frozen: sorted(frozen),
    };
    let text = entry::register_entry(&plan.id, heads(&entries), circumstances, &registration)?;
    let hash = EntryHash::of(text.as_bytes());
    let file = folder.join(format!("{hash}.toml"));
    store::make_folder(&folder)?;
    store::write_whole(&file, text.as_bytes())?;
    let written = entry::parse(&format!("{hash}.toml"), text.as_bytes(), &file)?;
    let registered = as_registered(&written, &registration)?;
    Ok(NewRegistration { registered, outcome: RegistrationOutcome::Written, file, prior })
}

/// The registration of a plan: in the ledger of the results in use, else in that of the project's
/// own, so that what is committed can be run with its record kept elsewhere.
///
/// # Errors
/// Refused (exit 3) when its id is not registered, or the manifest has changed since: then both
/// hashes and the changed keys are named.
pub fn find_registration(project: &Project, plan: &Plan) -> Result<Registered, Failure> {
    let registration_in = |place: &Project| {
        read_ledger(place, &plan.id).and_then(|entries| sole_registration(&entries, &plan.id))
    };
    let found = match registration_in(project)? {
        Some(registered) => Some(registered),
        None => registration_in(&project.with_own_results())?,
    };
    let Some(registered) = found else {
        return Err(Failure::refused("this experiment is not registered")
            .at(format!("experiment {}", plan.id))
            .hint("run `runner register FILE`, or `runner exec FILE --register`"));
    };
    let identity = Identity::of(plan);
    if registered.manifest_hash != identity.manifest_hash {
        return Err(manifest_changed(plan, &registered, &identity));
    }
    Ok(registered)
}

/// Which experiment on its question comes after these: one more than the runs among them that
/// stored a sample or ended.
#[must_use]
pub fn experiment_number(prior: &[PriorExperiment]) -> usize {
    let counts = |state: Option<RunState>| {
        matches!(state, Some(RunState::Finished | RunState::UnfinishedWithBlocks))
    };
    prior.iter().filter(|hit| counts(hit.state)).count() + 1
}

/// All experiments and runs on a question, by id and then run.
///
/// # Errors
/// When a ledger cannot be read.
pub fn prior_experiments(
    project: &Project,
    question: &QuestionKey,
) -> Result<Vec<PriorExperiment>, Failure> {
    let mut hits = Vec::new();
    for id in runs::experiments(project)? {
        let entries = read_ledger(project, &id)?;
        let same = entries.iter().any(|entry| match &entry.body {
            EntryBody::Register(registration) => registration.question_key == *question,
            EntryBody::Uninterpreted => false,
        });
        if !same {
            continue;
        }
        let runs = runs::runs_of(project, &id)?;
        if runs.is_empty() {
            hits.push(PriorExperiment { id: id.clone(), run: None, state: None });
        }
        hits.extend(runs.into_iter().map(|folder| PriorExperiment {
            id: folder.id,
            run: Some(folder.run),
            state: Some(folder.state),
        }));
    }
    Ok(hits)
}

fn other_experiments(
    project: &Project,
    question: &QuestionKey,
    own: &ExperimentId,
) -> Result<Vec<PriorExperiment>, Failure> {
    let hits = prior_experiments(project, question)?;
    Ok(hits.into_iter().filter(|hit| hit.id != *own).collect())
}

/// Where the entries of an experiment lie.
#[must_use]
pub fn ledger_folder(project: &Project, id: &ExperimentId) -> PathBuf {
    runs::experiment_folder(project, id).join(LEDGER_FOLDER)
}

/// All entries of an experiment, by time and then hash.
///
/// # Errors
/// When an entry's name is not the hash of its bytes, or it cannot be read.
pub fn read_ledger(project: &Project, id: &ExperimentId) -> Result<Vec<Entry>, Failure> {
    let folder = ledger_folder(project, id);
    let mut entries = Vec::new();
    for name in store::names_in(&folder)? {
        if !name.ends_with(".toml") {
            continue;
        }
        let path = folder.join(&name);
        entries.push(entry::parse(&name, &store::read_bytes(&path)?, &path)?);
    }
    entries.sort_by(|one, other| {
        (&one.circumstances.at, &one.hash).cmp(&(&other.circumstances.at, &other.hash))
    });
    Ok(entries)
}

/// Entries that no other names as its parent, sorted.
#[must_use]
pub fn heads(entries: &[Entry]) -> Vec<EntryHash> {
    let mut heads: Vec<EntryHash> = entries
        .iter()
        .filter(|entry| !entries.iter().any(|other| other.parents.contains(&entry.hash)))
        .map(|entry| entry.hash.clone())
        .collect();
    heads.sort();
    heads
}

/// The oldest registration; refuses when there are two of different manifests (two branches that
/// were merged).
pub(super) fn sole_registration(
    entries: &[Entry],
    id: &ExperimentId,
) -> Result<Option<Registered>, Failure> {
    let mut first: Option<Registered> = None;
    for entry in entries {
        let EntryBody::Register(registration) = &entry.body else { continue };
        match &first {
            None => first = Some(as_registered(entry, registration)?),
            Some(known) if known.manifest_hash != registration.manifest_hash => {
                return Err(Failure::refused(format!(
                    "two different manifests are registered under one id: {} and {}",
                    known.manifest_hash, registration.manifest_hash
                ))
                .at(format!("experiment {id}"))
                .hint("an id is never reused: register the later one again under a new id"));
            }
            Some(_) => {}
        }
    }
    Ok(first)
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
    let EntryBody::Register(registration) = &entry.body else { return Ok(()) };
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

fn refuse_newer(entries: &[Entry], id: &ExperimentId) -> Result<(), Failure> {
    match entries.iter().find(|entry| entry.format_version > ENTRY_VERSION) {
        None => Ok(()),
        Some(entry) => Err(Failure::refused(format!(
            "the ledger holds an entry of version {}, and this program writes version \
             {ENTRY_VERSION}",
            entry.format_version
        ))
        .at(format!("experiment {id}, entry {}", entry.hash.short()))
        .hint("use the newer release of runner")),
    }
}

fn sorted(frozen: &Frozen) -> Frozen {
    let mut frozen = frozen.clone();
    frozen.engines.sort();
    frozen
}

fn id_reused(plan: &Plan, registered: &Registered, identity: &Identity) -> Failure {
    Failure::refused(format!(
        "the id is registered already, with another manifest (registered {}, this one {}); {}",
        registered.manifest_hash,
        identity.manifest_hash,
        changes(registered, plan)
    ))
    .at(format!("experiment {}", plan.id))
    .hint("an id is never reused: take a new id")
}

fn manifest_changed(plan: &Plan, registered: &Registered, identity: &Identity) -> Failure {
    Failure::refused(format!(
        "the manifest has changed since its registration of {} (registered {}, now {}); {}",
        registered.circumstances.at,
        registered.manifest_hash,
        identity.manifest_hash,
        changes(registered, plan)
    ))
    .at(format!("experiment {}", plan.id))
    .hint("put the registered manifest back, or register the changed one under a new id")
}

fn changes(registered: &Registered, plan: &Plan) -> String {
    let keys = changed_keys(&registered.plan, plan);
    if keys.is_empty() {
        return "no key differs: the canonical form itself has changed".to_owned();
    }
    format!("changed: {}", keys.join("; "))
}
