//! Makes the builds that a plan names, where they are missing.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

use super::cargo::{self, Compiled, Recipe};
use super::export::{self, Exported};
use super::identity::{Identity, compilers};
use super::place::{BuiltFacts, BuiltWorker, Place};
use super::source::Source;
use super::{embedded, instruction_set, refusals};
use crate::exec::executable::{Executables, hash_file};
use crate::exec::greet::greet;
use crate::exec::prepare::{executables, workers};
use crate::failure::Failure;
use crate::manifest::{Build, Plan, WorkerChoice};
use crate::project::Project;

/// What happens while builds are made.
#[derive(Debug, Clone, PartialEq)]
pub enum BuildStep<'step> {
    /// Somebody else makes a build: this one waits.
    Waiting,
    /// A build begins; minutes.
    Begins {
        /// Which.
        build: &'step Build,
        /// Where all that is said goes.
        log: &'step Path,
    },
    /// A build is there now.
    Done {
        /// Which.
        build: &'step Build,
        /// Wall time, seconds.
        seconds: f64,
    },
}

/// Somebody who watches builds.
pub type BuildWatcher<'watcher> = dyn FnMut(BuildStep<'_>) + 'watcher;

/// The declared builds of a plan, each once, sorted.
fn builds_of(plan: &Plan) -> Vec<&Build> {
    let choices = workers(plan).into_iter();
    let declared = choices.filter_map(|choice| match choice {
        WorkerChoice::Build(build) => Some(build.as_ref()),
        WorkerChoice::Native | WorkerChoice::Executable(_) | WorkerChoice::Peer(_) => None,
    });
    declared.collect()
}

/// Where worker executables are found, the builds of a plan among them as far as they are there.
///
/// # Errors
/// When the program's own file is not known.
pub fn ready(plan: &Plan, project: &Project) -> Result<Executables, Failure> {
    let mut found = executables(&project.root)?;
    for build in builds_of(plan) {
        // what cannot even be looked for is not there
        if let Ok(Some(worker)) = built(build, project) {
            found.built.insert(build.clone(), worker.executable);
        }
    }
    Ok(found)
}

/// The same, after missing builds were made, and each is one that this processor can run.
///
/// # Errors
/// A refusal that names the build: its revision is not there, it does not compile (the log is
/// kept), or this processor cannot run it.
pub fn ready_for(
    plan: &Plan,
    project: &Project,
    watcher: &mut BuildWatcher<'_>,
) -> Result<Executables, Failure> {
    let mut found = executables(&project.root)?;
    for build in builds_of(plan) {
        // before minutes of compiling
        let compiled = instruction_set::of(build, &compilers(&build.spec).0);
        instruction_set::require(&place_of(build), &compiled.unwrap_or_default())?;
        let worker = self::build(build, project, watcher)?;
        instruction_set::require(&place_of(build), &worker.facts.instruction_set)?;
        found.built.insert(build.clone(), worker.executable);
    }
    Ok(found)
}

/// A build, if it is there: made of what it would be made of now.
///
/// # Errors
/// When its source cannot be told, or there is no compiler.
pub fn built(build: &Build, project: &Project) -> Result<Option<BuiltWorker>, Failure> {
    let source = Source::of(build, project)?;
    let identity = Identity::of(build, &source)?;
    let place = Place::below(&project.cache);
    Ok(BuiltWorker::in_folder(&place.build(build, &identity.key)))
}

/// A build, made where it is missing.
///
/// # Errors
/// A refusal when its source is not there or does not compile; a failure when the disk is full.
pub fn build(
    build: &Build,
    project: &Project,
    watcher: &mut BuildWatcher<'_>,
) -> Result<BuiltWorker, Failure> {
    match attempt(build, project, watcher)? {
        Attempt::Made(worker) => Ok(*worker),
        Attempt::BadTree(failure) => Err(failure),
    }
}

/// What came of a build.
#[derive(Debug)]
pub(in crate::exec) enum Attempt {
    /// It is there.
    Made(Box<BuiltWorker>),
    /// Its sources do not compile, or are none that the worker knows: no other try would do.
    BadTree(Failure),
}

/// A build, made where it is missing; that its sources are at fault is no error.
///
/// # Errors
/// As [`build`], but for a tree that cannot be built.
pub(in crate::exec) fn attempt(
    build: &Build,
    project: &Project,
    watcher: &mut BuildWatcher<'_>,
) -> Result<Attempt, Failure> {
    let made = |worker: BuiltWorker| Attempt::Made(Box::new(worker));
    let source = Source::of(build, project)?;
    let identity = Identity::of(build, &source)?;
    let place = Place::below(&project.cache);
    let folder = place.build(build, &identity.key);
    if let Some(worker) = BuiltWorker::in_folder(&folder) {
        return Ok(made(worker));
    }
    place.make()?;
    let lock = File::create(place.lock()).map_err(|error| not_locked(&place, &error))?;
    if lock.try_lock().is_err() {
        watcher(BuildStep::Waiting);
        lock.lock().map_err(|error| not_locked(&place, &error))?;
    }
    // who held the lock may have made it
    if let Some(worker) = BuiltWorker::in_folder(&folder) {
        return Ok(made(worker));
    }
    let begun = Instant::now();
    let tree = match export::tree(&source, &place)? {
        Exported::Tree(tree) => Some(tree),
        Exported::NoTree => None,
        Exported::Foreign(failure) => return Ok(Attempt::BadTree(failure)),
    };
    let sources = embedded::unpack(&place)?;
    let log = place.log(build, &identity.key);
    watcher(BuildStep::Begins { build, log: &log });
    let compiled = cargo::compile(&Recipe {
        build,
        source: &source,
        tree: tree.as_deref(),
        compilers: compilers(&build.spec),
        sources: &sources,
        place: &place,
        log: &log,
    })?;
    let Compiled::Worker(executable) = compiled else {
        let failure = refusals::of(build, &log);
        return if refusals::is_of_the_tree(&log) {
            Ok(Attempt::BadTree(failure))
        } else {
            Err(failure)
        };
    };
    let seconds = begun.elapsed().as_secs_f64();
    let facts = facts(build, &identity, &executable, seconds)?;
    BuiltWorker::keep(&folder, (&executable, &log), &facts)?;
    watcher(BuildStep::Done { build, seconds });
    BuiltWorker::in_folder(&folder)
        .map(made)
        .ok_or_else(|| Failure::failed("the build cannot be read again").at(folder.display()))
}

fn facts(
    build: &Build,
    identity: &Identity,
    executable: &Path,
    seconds: f64,
) -> Result<BuiltFacts, Failure> {
    let hash = |path: &Path| {
        hash_file(path).map_err(|error| Failure::failed(error.to_string()).at(path.display()))
    };
    let expected = instruction_set::of(build, &compilers(&build.spec).0).unwrap_or_default();
    let engine = match instruction_set::require(&place_of(build), &expected) {
        // never started on a processor that cannot run it
        Err(_) => None,
        Ok(()) => {
            let choice = WorkerChoice::Executable(executable.display().to_string());
            let alone = Executables {
                root: Path::new("/").to_path_buf(),
                native: None,
                built: BTreeMap::new(),
            };
            let greeting = greet(&choice, &alone);
            Some(greeting.map_err(|failure| failure.at(place_of(build)))?.engine)
        }
    };
    Ok(BuiltFacts {
        format: 1,
        build: build.clone(),
        key: identity.key.clone(),
        made_of: identity.lines.clone(),
        seconds,
        executable_blake3: hash(executable)?,
        instruction_set: engine.as_ref().map_or(expected, |engine| engine.instruction_set.clone()),
        engine,
    })
}

fn place_of(build: &Build) -> String {
    format!("build `{}`", build.name)
}

fn not_locked(place: &Place, error: &std::io::Error) -> Failure {
    Failure::failed(format!("the cache of builds cannot be locked: {error}"))
        .at(place.lock().display())
        .hint("is the folder writable? RUNNER_CACHE_DIR names another one")
}
