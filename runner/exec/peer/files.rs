//! The files of another engine: its program, and what of its arguments is a file. They are not
//! copied, since programs look for libraries and scripts beside themselves; they are hashed instead,
//! and looked at again at each round.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::exec::executable::hash_file;
use crate::failure::Failure;
use crate::manifest::Peer;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::exec) struct Files {
    /// The program, absolute; `None` for a server that is not started.
    pub(in crate::exec) program: Option<PathBuf>,
    /// File name and BLAKE3 of each, the program first, then in the order of the arguments.
    pub(in crate::exec) hashes: Vec<(String, String)>,
    /// BLAKE3 over all of them.
    pub(in crate::exec) blake3: String,
}

/// Finds and hashes the files of a peer.
///
/// # Errors
/// A refusal when the program is not there or cannot be run; a failure when a file cannot be read.
pub(in crate::exec) fn files_of(peer: &Peer, root: &Path) -> Result<Files, Failure> {
    let argv = peer.argv();
    let program = match argv.first() {
        None => None,
        Some(name) => Some(find(name, root)?),
    };
    let named = argv.iter().skip(1).map(|argument| root.join(argument));
    let paths = program.iter().cloned().chain(named.filter(|path| path.is_file()));
    let mut hasher = blake3::Hasher::new();
    let mut hashes = Vec::new();
    for path in paths {
        let hash = hash_file(&path).map_err(|error| cannot_read(&path, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        hasher.update(format!("{hash} {name}\n").as_bytes());
        hashes.push((name, hash));
    }
    Ok(Files { program, hashes, blake3: hasher.finalize().to_hex().to_string() })
}

/// A name without a slash is looked for on PATH, as a shell would.
fn find(name: &str, root: &Path) -> Result<PathBuf, Failure> {
    let missing = |hint: &str| {
        Failure::refused("the peer's program is not there").at(name).hint(hint.to_owned())
    };
    if name.contains('/') {
        let path = root.join(name);
        return match fs::metadata(&path) {
            Err(_) => Err(missing(
                "build it, or correct `argv`: a relative path starts at the project's root",
            )),
            Ok(metadata) if !metadata.is_file() => Err(missing("`argv` begins with a program")),
            Ok(metadata) if metadata.permissions().mode() & 0o111 == 0 => {
                Err(Failure::refused("the peer's program may not be executed")
                    .at(name)
                    .hint("`chmod +x` lets it, or put its interpreter in front of it"))
            }
            Ok(_) => Ok(path),
        };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| {
            fs::metadata(path)
                .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        })
        .ok_or_else(|| missing("PATH has no program of this name: write its path"))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("a file of the peer cannot be read: {error}")).at(path.display())
}
