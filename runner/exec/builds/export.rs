//! Copies a commit, or a checkout as it stands, into the cache: what is compiled is never in the
//! user's tree, and nothing of that tree changes.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{Place, short};
use super::source::{Source, hash_files};
use crate::failure::Failure;

/// What an engine's tree must have.
const WANTED: [&str; 3] = ["include/llama.h", "ggml/include/ggml.h", "ggml/src/ggml.c"];

/// A source in the cache.
pub(super) enum Exported {
    /// The folder with its tree.
    Tree(PathBuf),
    /// It is no tree.
    NoTree,
    /// A tree, and not one of an engine.
    Foreign(Failure),
}

/// A source's tree, copied where it is not there.
pub(super) fn tree(source: &Source, place: &Place) -> Result<Exported, Failure> {
    let (name, original) = match source {
        Source::Pinned | Source::Package { .. } | Source::Libraries { .. } => {
            return Ok(Exported::NoTree);
        }
        Source::Commit { commit, repository } => (commit.clone(), repository),
        Source::Changed { commit, difference, folder, .. } => {
            let commit = commit.as_deref().map_or("none", short);
            (format!("{commit}-{}", short(difference)), folder)
        }
    };
    let folder = place.tree(&name);
    if !folder.is_dir() {
        let partial = folder.with_extension("partial");
        if partial.exists() {
            std::fs::remove_dir_all(&partial).map_err(|error| not_copied(original, &error))?;
        }
        std::fs::create_dir_all(&partial).map_err(|error| not_copied(original, &error))?;
        match source {
            Source::Commit { repository, commit } => check_out(repository, commit, &partial)?,
            Source::Changed { folder, files, differing, difference, .. } => {
                copy(folder, files, &partial)?;
                // what was copied is what was hashed before
                if hash_files(&partial, differing)? != *difference {
                    return Err(Failure::refused("the tree changed while it was copied")
                        .at(folder.display())
                        .hint("run the same command again when nobody edits it"));
                }
            }
            Source::Pinned | Source::Package { .. } | Source::Libraries { .. } => {}
        }
        std::fs::rename(&partial, &folder).map_err(|error| not_copied(original, &error))?;
    }
    for wanted in WANTED {
        if !folder.join(wanted).is_file() {
            let foreign = Failure::refused(format!("no tree of llama.cpp: it has no {wanted}"))
                .at(original.display())
                .hint("name a checkout of llama.cpp, at a revision that has ggml in it");
            return Ok(Exported::Foreign(foreign));
        }
    }
    Ok(Exported::Tree(folder))
}

/// Writes the files of a commit with an index of its own, so that the repository's stays.
fn check_out(repository: &Path, commit: &str, to: &Path) -> Result<(), Failure> {
    let index = to.with_extension("index");
    let git = |arguments: &[&std::ffi::OsStr]| -> Result<(), Failure> {
        let output = Command::new("git")
            .arg("-C")
            .arg(repository)
            .args(arguments)
            .env("GIT_INDEX_FILE", &index)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .output()
            .map_err(|error| Failure::failed(format!("`git` cannot be run: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        Err(Failure::failed(format!(
            "the commit cannot be copied: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))
        .at(repository.display()))
    };
    let mut prefix = std::ffi::OsString::from("--prefix=");
    prefix.push(to);
    prefix.push("/");
    let done = git(&["read-tree".as_ref(), commit.as_ref()])
        .and_then(|()| git(&["checkout-index".as_ref(), "--all".as_ref(), prefix.as_ref()]));
    // only a scratch file of git's
    let _ = std::fs::remove_file(&index);
    done
}

fn copy(from: &Path, files: &[String], to: &Path) -> Result<(), Failure> {
    for name in files {
        let (source, target) = (from.join(name), to.join(name));
        if !source.is_file() {
            continue;
        }
        let copied = std::fs::create_dir_all(target.parent().unwrap_or(to))
            .and_then(|()| std::fs::copy(&source, &target));
        copied.map_err(|error| not_copied(&source, &error))?;
    }
    Ok(())
}

fn not_copied(original: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot be copied into the cache: {error}"))
        .at(original.display())
        .hint("make room, or name another folder in RUNNER_CACHE_DIR")
}
