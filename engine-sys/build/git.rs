//! What git knows of a tree.

use std::path::Path;
use std::process::Command;

/// A commit, and whether tracked files differ from it.
#[derive(Debug, Clone)]
pub struct Checkout {
    /// Full hash of the commit.
    pub commit: String,
    /// Whether tracked files below the folder have changes.
    pub dirty: bool,
    /// BLAKE3 of those changes, where somebody said it.
    pub difference: Option<String>,
}

/// The checkout that tracks `file` in `folder`; none if git does not track it. A tree that merely
/// lies inside some repository, as one in a target folder does, is not that repository's commit.
pub fn checkout(folder: &Path, file: &str) -> Option<Checkout> {
    git(folder, &["ls-files", "--error-unmatch", "--", file])?;
    let commit = git(folder, &["rev-parse", "HEAD"])?;
    let changes = git(folder, &["status", "--porcelain", "--untracked-files=no", "--", "."])?;
    let log = git(folder, &["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    // Committing changes no file of the tree, but what is said about it.
    if let Some(log) = log.filter(|log| Path::new(log).is_file()) {
        println!("cargo::rerun-if-changed={log}");
    }
    Some(Checkout { commit, dirty: !changes.is_empty(), difference: None })
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    // Set when cargo is run from a git hook; they would point at our own repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
