//! The copies of the workers' executables that a run keeps: a rebuild in the middle changes
//! nothing, and a changed copy is seen.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::manifest::{Build, WorkerChoice};

/// A kept copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptExecutable {
    /// Which worker it is.
    pub choice: WorkerChoice,
    /// File name in the run's private folder.
    pub file: String,
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
}

/// What is started for a worker: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    /// The executable.
    pub(super) path: PathBuf,
    /// Its arguments.
    pub(super) arguments: Vec<String>,
}

/// Where worker executables are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executables {
    /// Relative paths of worker executables start here: the project's root.
    pub root: PathBuf,
    /// This program's own file, when it holds the native engine (it is started with the
    /// argument `worker`).
    pub native: Option<PathBuf>,
    /// The workers of declared builds that are there.
    pub built: BTreeMap<Build, PathBuf>,
}

impl Executables {
    /// The program of a choice, not copied.
    ///
    /// # Errors
    /// A refusal when the native engine is not built in, or the file is not there.
    pub(super) fn program(&self, choice: &WorkerChoice) -> Result<Program, Failure> {
        let (path, arguments) = match choice {
            WorkerChoice::Native => {
                let native = self.native.clone().ok_or_else(|| {
                    Failure::refused("this program was built without the native engine")
                        .hint("build it with its default features, or name a worker executable")
                })?;
                (native, arguments(choice))
            }
            WorkerChoice::Executable(path) => (self.root.join(path), arguments(choice)),
            WorkerChoice::Build(build) => {
                let built = self.built.get(build.as_ref()).cloned().ok_or_else(|| {
                    Failure::refused("it is not built")
                        .at(format!("build `{}`", build.name))
                        .hint(format!("`runner engine build {}` builds it", build.name))
                })?;
                (built, arguments(choice))
            }
        };
        if !path.is_file() {
            return Err(Failure::refused("the worker executable is not there")
                .at(path.display())
                .hint(
                    "build it, or correct `worker`: a relative path starts at the project's root",
                ));
        }
        Ok(Program { path, arguments })
    }
}

fn arguments(choice: &WorkerChoice) -> Vec<String> {
    match choice {
        WorkerChoice::Native => vec!["worker".to_owned()],
        WorkerChoice::Executable(_) | WorkerChoice::Build(_) => Vec::new(),
    }
}

/// Copies each distinct worker into `folder`. What `kept` names and is still there unchanged is
/// used as it is, so that a resumed run goes on with the very executables it began with.
///
/// # Errors
/// A refusal when an executable is missing, or when the kept copy is gone and the original is
/// not what the run began with; a failure when the copy cannot be written.
pub(super) fn keep<'plan>(
    choices: impl Iterator<Item = &'plan WorkerChoice>,
    executables: &Executables,
    folder: &Path,
    kept: &[KeptExecutable],
) -> Result<BTreeMap<WorkerChoice, KeptExecutable>, Failure> {
    let mut copies = BTreeMap::new();
    for choice in choices {
        if copies.contains_key(choice) {
            continue;
        }
        let before = kept.iter().find(|copy| copy.choice == *choice);
        if let Some(before) = before
            && hash_file(&folder.join(&before.file)).is_ok_and(|hash| hash == before.blake3)
        {
            copies.insert(choice.clone(), before.clone());
            continue;
        }
        let original = executables.program(choice)?.path;
        let copy = copy_one(choice, &original, folder, copies.len())?;
        if before.is_some_and(|before| before.blake3 != copy.blake3) {
            return Err(Failure::refused(
                "this is not the worker that the unfinished run began with, and its kept copy is gone",
            )
            .at(original.display())
            .hint("put the former executable back, or move the unfinished run's folder away"));
        }
        copies.insert(choice.clone(), copy);
    }
    Ok(copies)
}

fn copy_one(
    choice: &WorkerChoice,
    original: &Path,
    folder: &Path,
    number: usize,
) -> Result<KeptExecutable, Failure> {
    let file = format!("worker-{number}");
    let target = folder.join(&file);
    let copied = (|| -> io::Result<String> {
        // A leftover is not writable, so it is taken away first.
        if target.exists() {
            fs::remove_file(&target)?;
        }
        fs::copy(original, &target)?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o500);
        fs::set_permissions(&target, mode)?;
        hash_file(&target)
    })();
    let blake3 = copied.map_err(|error| {
        Failure::failed(format!("the worker executable cannot be copied for the run: {error}"))
            .at(original.display())
    })?;
    Ok(KeptExecutable { choice: choice.clone(), file, blake3 })
}

impl KeptExecutable {
    /// The program to start.
    pub(super) fn program(&self, folder: &Path) -> Program {
        Program { path: folder.join(&self.file), arguments: arguments(&self.choice) }
    }

    /// Whether the copy is still what was copied.
    pub(super) fn unchanged(&self, folder: &Path) -> bool {
        hash_file(&folder.join(&self.file)).is_ok_and(|hash| hash == self.blake3)
    }
}

/// BLAKE3 of a file, read in pieces.
pub(super) fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}
