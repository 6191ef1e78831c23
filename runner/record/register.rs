//! Registration: a manifest is frozen once under its id.

use std::path::PathBuf;

use super::append::append;
use super::difference::changed_keys;
use super::entries::Registration;
use super::entry::{Entry, EntryBody};
use super::frozen::Frozen;
use super::identity::Identity;
use super::ledger::{ledger_folder, read_ledger};
use super::prior::{PriorExperiment, other_experiments, refuse_unsaid_looks};
use super::registered::{Circumstances, Registered};
use super::versions::{FrozenVersions, as_registered, frozen_versions};
use crate::failure::Failure;
use crate::manifest::Plan;
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

/// Freezes a plan. Registering the same plan again does nothing.
///
/// # Errors
/// Refused when the id is registered with another manifest (an id is never reused), or the same
/// manifest with other frozen facts; when it was withdrawn; when the manifest says that nobody has
/// looked at its question and a look is stored in results/; or when the ledger holds entries of a
/// newer version.
pub fn register(
    project: &Project,
    plan: &Plan,
    frozen: &Frozen,
    circumstances: &Circumstances,
) -> Result<NewRegistration, Failure> {
    let identity = Identity::of(plan);
    let prior = other_experiments(project, &identity.question_key, &plan.id)?;
    let folder = ledger_folder(project, &plan.id);
    let mut known: Option<Registered> = None;
    let written = append(project, &plan.id, circumstances, |entries| {
        if let Some(registered) = already_there(entries, plan, &identity)? {
            registered.confirm(frozen)?;
            known = Some(registered);
            return Ok(None);
        }
        refuse_unsaid_looks(project, plan, frozen, &prior)?;
        Ok(Some(EntryBody::Register(Box::new(registration(&identity, frozen)))))
    })?;
    match (known, written) {
        (Some(registered), _) => {
            let file = folder.join(format!("{}.toml", registered.entry));
            let outcome = RegistrationOutcome::AlreadyThere;
            Ok(NewRegistration { registered, outcome, file, prior })
        }
        (None, Some(written)) => {
            let registered = as_registered(&written.entry, &registration(&identity, frozen))?;
            let outcome = RegistrationOutcome::Written;
            Ok(NewRegistration { registered, outcome, file: written.file, prior })
        }
        (None, None) => {
            Err(Failure::failed("nothing was registered").at(format!("experiment {}", plan.id)))
        }
    }
}

/// The registration of the same manifest.
fn already_there(
    entries: &[Entry],
    plan: &Plan,
    identity: &Identity,
) -> Result<Option<Registered>, Failure> {
    let Some(versions) = frozen_versions(entries, &plan.id)? else { return Ok(None) };
    refuse_withdrawn(&versions, plan)?;
    let registered = versions.current();
    if registered.manifest_hash != identity.manifest_hash {
        return Err(id_reused(plan, registered, identity));
    }
    Ok(Some(registered.clone()))
}

/// The body that freezes a plan.
pub(super) fn registration(identity: &Identity, frozen: &Frozen) -> Registration {
    Registration {
        manifest_hash: identity.manifest_hash,
        question_key: identity.question_key,
        canonical_manifest: identity.canonical.clone(),
        frozen: sorted(frozen),
    }
}

fn refuse_withdrawn(versions: &FrozenVersions, plan: &Plan) -> Result<(), Failure> {
    let Some((when, withdrawal)) = versions.withdrawn() else { return Ok(()) };
    Err(Failure::refused(format!(
        "this experiment was withdrawn at {}: {}",
        when.at, withdrawal.reason
    ))
    .at(format!("experiment {}", plan.id))
    .hint("an id is never reused: ask the question under a new one"))
}

/// The registration of a plan: in the ledger of the results in use, else in that of the project's
/// own, so that what is committed can be run with its record kept elsewhere.
///
/// # Errors
/// Refused (exit 3) when its id is not registered or was withdrawn, or the manifest has changed since: then both
/// hashes and the changed keys are named.
pub fn find_registration(project: &Project, plan: &Plan) -> Result<Registered, Failure> {
    let versions_in = |place: &Project| {
        read_ledger(place, &plan.id).and_then(|entries| frozen_versions(&entries, &plan.id))
    };
    let found = match versions_in(project)? {
        Some(versions) => Some(versions),
        None => versions_in(&project.with_own_results())?,
    };
    let Some(versions) = found else {
        return Err(Failure::refused("this experiment is not registered")
            .at(format!("experiment {}", plan.id))
            .hint("run `runner register FILE`, or `runner exec FILE --register`"));
    };
    refuse_withdrawn(&versions, plan)?;
    let registered = versions.current().clone();
    let identity = Identity::of(plan);
    if registered.manifest_hash != identity.manifest_hash {
        return Err(manifest_changed(plan, &registered, &identity));
    }
    Ok(registered)
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
    .hint(
        "an id is never reused: take a new id; or, while nothing was run or seen, amend it with \
         `runner record amend FILE --reason … --impact …`",
    )
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
    .hint(
        "put the registered manifest back, register the changed one under a new id, or, while \
         nothing was run or seen, amend it with `runner record amend FILE --reason … --impact …`",
    )
}

fn changes(registered: &Registered, plan: &Plan) -> String {
    let keys = changed_keys(&registered.plan, plan);
    if keys.is_empty() {
        return "no key differs: the canonical form itself has changed".to_owned();
    }
    format!("changed: {}", keys.join("; "))
}
