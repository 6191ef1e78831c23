//! Compiles many files at a time, and only those whose objects are not in the cache.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, thread};

use super::fault::Fault;
use super::files;
use super::toolchain::{Language, Toolchain};
use super::units::{Question, Units};
use super::{depfile, message};

/// One file to compile.
pub struct Unit {
    /// The file.
    pub source: PathBuf,
    /// Its language.
    pub language: Language,
    /// Flags that decide what comes out, without those of the user's environment.
    pub flags: Vec<String>,
    /// Folders of headers.
    pub folders: Vec<PathBuf>,
    /// What the flags for a processor mean: a hash of the macros predefined under them.
    pub macros: String,
    /// Where the object goes.
    pub object: PathBuf,
    /// A guess of how long it takes, in bytes of source: long ones go first.
    pub weight: u64,
}

/// How long an idle thread waits before it asks for a token again.
const WAIT_FOR_TOKEN: Duration = Duration::from_millis(50);

/// Whose files are compiled: it decides what a failure means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The engine's own sources.
    Engine,
    /// The shim, which must fit the engine's headers.
    Shim,
}

/// What compiling needs.
pub struct Workshop<'a> {
    /// The compilers.
    pub toolchain: &'a Toolchain,
    /// The cache of objects.
    pub units: &'a Units,
    /// Compilations at a time.
    pub jobs: usize,
    /// Whose files they are.
    pub owner: Owner,
}

/// Makes the objects that are not there yet: from the cache, or on as many processors as cargo
/// allows. Says on standard output, which cargo keeps, how many were compiled.
pub fn compile(mut units: Vec<Unit>, workshop: &Workshop<'_>) -> Result<(), Fault> {
    let all = units.len();
    units.retain(|unit| !unit.object.is_file() && !taken(unit, workshop));
    println!("objects of the {}: {} of {all} to compile", workshop.owner.name(), units.len());
    for unit in &units {
        println!("to compile: {}", unit.source.display());
    }
    // The end of the list is taken first.
    units.sort_by_key(|unit| unit.weight);
    let threads = workshop.jobs.min(units.len());
    let tokens = tokens();
    let work = Work { queue: Mutex::new(units), fault: Mutex::new(None), workshop };
    thread::scope(|scope| {
        for index in 0..threads {
            let (work, tokens) = (&work, tokens.as_ref());
            // Every process may run one compilation without a token.
            scope.spawn(move || if index == 0 { work.run(None) } else { work.run(tokens) });
        }
    });
    let fault = work.fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    fault.map_or(Ok(()), Err)
}

/// Cargo's job server, which keeps all that runs in parallel within `-j`.
#[expect(unsafe_code, reason = "the only way to use cargo's job server")]
fn tokens() -> Option<jobserver::Client> {
    // SAFETY: cargo hands the file descriptors named in the environment to this process, and
    // nothing here has opened or closed any of them.
    unsafe { jobserver::Client::from_env() }
}

struct Work<'a> {
    queue: Mutex<Vec<Unit>>,
    fault: Mutex<Option<Fault>>,
    workshop: &'a Workshop<'a>,
}

impl Work<'_> {
    fn run(&self, tokens: Option<&jobserver::Client>) {
        while !self.finished() {
            let token = match tokens.map(jobserver::Client::try_acquire) {
                Some(Ok(Some(token))) => Some(token),
                Some(Ok(None)) => {
                    thread::sleep(WAIT_FOR_TOKEN);
                    continue;
                }
                // No job server, or one that cannot be asked without blocking: waiting for it
                // could outlast the work.
                Some(Err(_)) | None => None,
            };
            let Some(unit) = self.next() else { return };
            if let Err(fault) = compile_one(&unit, self.workshop) {
                let mut first =
                    self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                first.get_or_insert(fault);
            }
            drop(token);
        }
    }

    fn finished(&self) -> bool {
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let fault = self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        queue.is_empty() || fault.is_some()
    }

    fn next(&self) -> Option<Unit> {
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop()
    }
}

impl Owner {
    fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Shim => "shim",
        }
    }
}

/// What decides the object of a unit.
fn question<'a>(unit: &'a Unit, workshop: &'a Workshop<'_>, own: &'a [String]) -> Question<'a> {
    let mut facts = vec![workshop.toolchain.compiler(unit.language).version.as_str()];
    facts.extend([unit.language.name(), &unit.macros]);
    facts.extend(own.iter().chain(&unit.flags).map(String::as_str));
    Question { facts, source: &unit.source, folders: &unit.folders }
}

/// Takes an object from the cache; false if it is not there.
fn taken(unit: &Unit, workshop: &Workshop<'_>) -> bool {
    let own = workshop.toolchain.compiler(unit.language).environment_flags();
    let question = question(unit, workshop, &own);
    let key = workshop.units.key(&question);
    key.is_some_and(|key| workshop.units.take(&key, &question, &unit.object))
}

fn compile_one(unit: &Unit, workshop: &Workshop<'_>) -> Result<(), Fault> {
    let compiler = workshop.toolchain.compiler(unit.language);
    let temporary = files::with_suffix(&unit.object, ".writing");
    let rule = files::with_suffix(&unit.object, ".d");
    let mut command = compiler.command();
    command.args(&unit.flags);
    command.args(unit.folders.iter().map(|folder| format!("-I{}", folder.display())));
    command.args(workshop.units.roots().prefix_maps());
    command.arg("-MMD").arg("-MF").arg(&rule).arg("-o").arg(&temporary);
    command.arg("-c").arg(&unit.source).stdin(Stdio::null());
    // Messages are searched for `error:`.
    command.env("LANGUAGE", "en");
    let output = command.output().map_err(|error| Fault::file("run", compiler.path(), error))?;
    if !output.status.success() {
        let _ = fs::remove_file(&temporary);
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(message::fault(unit, workshop, compiler.path(), output.status, &text));
    }
    keep(unit, workshop, &temporary, &rule)?;
    files::rename(&temporary, &unit.object)
}

fn keep(unit: &Unit, workshop: &Workshop<'_>, object: &Path, rule: &Path) -> Result<(), Fault> {
    // A compiler that writes no such file, or an odd one, is used without the cache.
    let Some(read) = fs::read_to_string(rule).ok().as_deref().and_then(depfile::dependencies)
    else {
        return Ok(());
    };
    let own = workshop.toolchain.compiler(unit.language).environment_flags();
    let question = question(unit, workshop, &own);
    match workshop.units.key(&question) {
        Some(key) => workshop.units.keep(&key, &question, &read, object),
        None => Ok(()),
    }
}
