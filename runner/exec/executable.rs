//! The copies of the workers' executables that a run keeps: a rebuild in the middle changes
//! nothing, and a changed copy is seen.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::peer::{PeerSpec, files_of};
use crate::failure::Failure;
use crate::manifest::{Build, Peer, WorkerChoice};

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
    /// Of another engine: its arguments here, and BLAKE3 over its files, which are not copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<KeptPeer>,
}

/// Another engine as the run began with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptPeer {
    /// Relative paths start here.
    pub root: PathBuf,
    /// What is started is started with these.
    pub arguments: Vec<String>,
    /// BLAKE3 over its program and what of its arguments is a file.
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
            WorkerChoice::Peer(peer) => return peer_program(peer, &self.root),
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
        WorkerChoice::Executable(_) | WorkerChoice::Build(_) | WorkerChoice::Peer(_) => Vec::new(),
    }
}

/// A peer that speaks the protocol is started as it is; before any other stands this program.
fn peer_program(peer: &Peer, root: &Path) -> Result<Program, Failure> {
    let files = files_of(peer, root)?;
    if let (true, Some(program)) = (peer.alternates(), files.program) {
        return Ok(Program {
            path: program,
            arguments: peer.argv().iter().skip(1).cloned().collect(),
        });
    }
    let own = std::env::current_exe()
        .map_err(|error| Failure::failed(format!("this program does not find itself: {error}")))?;
    let spec = PeerSpec { peer: peer.clone(), root: root.to_path_buf() };
    let spec = serde_json::to_string(&spec)
        .map_err(|error| Failure::failed(format!("a peer cannot be written down: {error}")))?;
    Ok(Program { path: own, arguments: vec!["peer".to_owned(), spec] })
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
            && before.unchanged(folder)
        {
            copies.insert(choice.clone(), before.clone());
            continue;
        }
        let program = executables.program(choice)?;
        let original = program.path.clone();
        let copy = match choice {
            WorkerChoice::Peer(peer) => {
                kept_peer((choice, peer), program, executables, (folder, copies.iter()))?
            }
            _ => copy_one(choice, &original, folder, copies.len())?,
        };
        if before.is_some_and(|before| before.blake3 != copy.blake3 || before.peer != copy.peer) {
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

/// A peer that speaks the protocol lies where it lies; the adapter before any other is copied once.
fn kept_peer<'kept>(
    (choice, peer): (&WorkerChoice, &Peer),
    program: Program,
    executables: &Executables,
    (folder, copied): (&Path, impl Iterator<Item = (&'kept WorkerChoice, &'kept KeptExecutable)>),
) -> Result<KeptExecutable, Failure> {
    let files = files_of(peer, &executables.root)?;
    let kept = KeptPeer {
        root: executables.root.clone(),
        arguments: program.arguments,
        blake3: files.blake3,
    };
    if peer.alternates() {
        let blake3 = hash_file(&program.path).map_err(|error| {
            Failure::failed(format!("the peer's program cannot be read: {error}"))
                .at(program.path.display())
        })?;
        let file = program.path.to_string_lossy().into_owned();
        return Ok(KeptExecutable { choice: choice.clone(), file, blake3, peer: Some(kept) });
    }
    let mut number = 0;
    for (other, copy) in copied {
        number += 1;
        let is_adapter = matches!(other, WorkerChoice::Peer(other) if !other.alternates());
        if is_adapter {
            let copy = KeptExecutable { choice: choice.clone(), peer: Some(kept), ..copy.clone() };
            return Ok(copy);
        }
    }
    let copy = copy_one(choice, &program.path, folder, number)?;
    Ok(KeptExecutable { peer: Some(kept), ..copy })
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
    Ok(KeptExecutable { choice: choice.clone(), file, blake3, peer: None })
}

impl KeptExecutable {
    /// The program to start.
    pub(super) fn program(&self, folder: &Path) -> Program {
        // a path that is absolute stays what it is
        let path = folder.join(&self.file);
        let own = self.peer.as_ref().map(|peer| peer.arguments.clone());
        Program { path, arguments: own.unwrap_or_else(|| arguments(&self.choice)) }
    }

    /// BLAKE3 of what computes: of another engine that is all of its files.
    pub(super) fn computing_blake3(&self) -> &str {
        self.peer.as_ref().map_or(&self.blake3, |peer| &peer.blake3)
    }

    /// Whether the copy is still what was copied, and another engine what it was.
    pub(super) fn unchanged(&self, folder: &Path) -> bool {
        let peer_changed = match (&self.choice, &self.peer) {
            (WorkerChoice::Peer(peer), Some(kept)) => {
                !files_of(peer, &kept.root).is_ok_and(|files| files.blake3 == kept.blake3)
            }
            _ => false,
        };
        !peer_changed && hash_file(&folder.join(&self.file)).is_ok_and(|hash| hash == self.blake3)
    }
}

/// BLAKE3 of a file, read in pieces.
pub(super) fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}
