//! Compiles many files at a time.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, thread};

use super::fault::Fault;
use super::files;
use super::toolchain::{Language, Toolchain};

/// One file to compile.
pub struct Unit {
    /// The file.
    pub source: PathBuf,
    /// Its language.
    pub language: Language,
    /// Flags without source and object.
    pub arguments: Vec<String>,
    /// Where the object goes.
    pub object: PathBuf,
    /// A guess of how long it takes, in bytes of source: long ones go first.
    pub weight: u64,
}

/// How long an idle thread waits before it asks for a token again.
const WAIT_FOR_TOKEN: Duration = Duration::from_millis(50);

/// Lines of a compiler's message that are shown.
const SHOWN_LINES: usize = 40;

/// Compiles all units that have no object yet, on as many processors as cargo allows.
pub fn compile(mut units: Vec<Unit>, toolchain: &Toolchain, jobs: usize) -> Result<(), Fault> {
    units.retain(|unit| !unit.object.is_file());
    // The end of the list is taken first.
    units.sort_by_key(|unit| unit.weight);
    let threads = jobs.min(units.len());
    let tokens = tokens();
    let work = Work { queue: Mutex::new(units), fault: Mutex::new(None), toolchain };
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
    toolchain: &'a Toolchain,
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
            if let Err(fault) = compile_one(&unit, self.toolchain) {
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

fn compile_one(unit: &Unit, toolchain: &Toolchain) -> Result<(), Fault> {
    let compiler = toolchain.compiler(unit.language);
    let temporary = files::with_suffix(&unit.object, ".writing");
    let mut command = compiler.command();
    command.args(&unit.arguments).arg("-o").arg(&temporary);
    command.arg("-c").arg(&unit.source).stdin(Stdio::null());
    let output = command.output().map_err(|error| Fault::file("run", compiler.path(), error))?;
    if output.status.success() {
        return files::rename(&temporary, &unit.object);
    }
    let _ = fs::remove_file(&temporary);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown: Vec<&str> = message.lines().take(SHOWN_LINES).collect();
    Err(Fault::new(format!(
        "{} could not compile {} ({}):\n{}",
        compiler.path().display(),
        unit.source.display(),
        output.status,
        shown.join("\n")
    ))
    .hint(hint(&unit.source, output.status.code())))
}

fn hint(source: &Path, code: Option<i32>) -> String {
    let folder = source.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    if code.is_none() {
        return "the compiler was killed, perhaps for memory: try again with fewer jobs \
                (cargo build -j 1)"
            .to_owned();
    }
    format!("the source lies in {folder}; what was compiled so far is kept")
}
