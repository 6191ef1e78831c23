//! From a declared source to the very one that is meant: a commit, a state of a checkout, a hash.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::libraries;
use crate::exec::tool;
use crate::failure::Failure;
use crate::manifest::{Build, BuildSource};
use crate::project::Project;

/// Longest wait for git: a history of a hundred thousand commits answers within seconds.
pub(in crate::exec) const GIT_LIMIT: Duration = Duration::from_secs(120);

/// A source of which every byte is settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// The package that the worker's sources pin.
    Pinned,
    /// Another version of that package.
    Package { version: String, blake3: String },
    /// A commit of a repository.
    Commit { repository: PathBuf, commit: String },
    /// A checkout with changes, or one outside git.
    Changed {
        folder: PathBuf,
        /// Of the repository, where there is one.
        commit: Option<String>,
        /// Its files, relative to the folder, sorted.
        files: Vec<String>,
        /// Those that differ from the commit; all of them outside git.
        differing: Vec<String>,
        /// BLAKE3 over the differing ones, hexadecimal.
        difference: String,
    },
    /// Libraries that were built elsewhere.
    Libraries { folder: PathBuf, headers: Vec<PathBuf>, blake3: String },
}

impl Source {
    /// Settles what a build is made from.
    pub(super) fn of(build: &Build, project: &Project) -> Result<Source, Failure> {
        let at = |failure: Failure| failure.at(format!("build `{}`", build.name));
        match &build.spec.source {
            BuildSource::Pinned => Ok(Source::Pinned),
            BuildSource::Package { version, blake3 } => {
                Ok(Source::Package { version: version.clone(), blake3: blake3.clone() })
            }
            BuildSource::Revision { checkout, revision } => {
                let repository = project.resolve(checkout);
                let commit = commit_of(&repository, revision).map_err(at)?;
                Ok(Source::Commit { repository, commit })
            }
            BuildSource::WorkingTree { checkout } => {
                working_tree(&project.resolve(checkout)).map_err(at)
            }
            BuildSource::Libraries { folder, headers } => {
                let folder = project.resolve(folder);
                let headers: Vec<PathBuf> =
                    headers.iter().map(|header| project.resolve(header)).collect();
                let blake3 = libraries::hash(&folder, &headers).map_err(at)?;
                Ok(Source::Libraries { folder, headers, blake3 })
            }
        }
    }

    /// What it is, in a line that names no folder of the user's.
    pub(super) fn line(&self) -> String {
        match self {
            Source::Pinned => "source pinned".to_owned(),
            Source::Package { version, blake3 } => format!("source package {version} {blake3}"),
            Source::Commit { commit, .. } => format!("source commit {commit}"),
            Source::Changed { commit, difference, .. } => {
                let commit = commit.as_deref().unwrap_or("none");
                format!("source commit {commit} changed {difference}")
            }
            Source::Libraries { blake3, .. } => format!("source libraries {blake3}"),
        }
    }
}

/// The commit that a revision of a repository names.
///
/// # Errors
/// A refusal when the folder is no repository, or has no such revision.
pub fn commit_of(repository: &Path, revision: &str) -> Result<String, Failure> {
    require_folder(repository)?;
    let wanted = format!("{revision}^{{commit}}");
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
    let output = tool::run("git", &arguments, repository, GIT_LIMIT)?;
    if output.succeeded {
        return Ok(output.stdout.trim().to_owned());
    }
    let inside = tool::run("git", &["rev-parse", "--git-dir"], repository, GIT_LIMIT)?;
    if !inside.succeeded {
        return Err(Failure::refused(format!(
            "{} is no git repository, so it has no revision `{revision}`",
            repository.display()
        ))
        .hint(
            "name a checkout made with git, or leave `revision` out to take the folder as it is",
        ));
    }
    Err(Failure::refused(format!("{} has no revision `{revision}`", repository.display())).hint(
        "`git log` there shows which it has; a shallow clone has few: `git fetch --unshallow`",
    ))
}

fn require_folder(folder: &Path) -> Result<(), Failure> {
    if folder.is_dir() {
        return Ok(());
    }
    Err(Failure::refused(format!("there is no folder {}", folder.display()))
        .hint("correct `checkout`: a relative path starts at the project's root"))
}

/// A checkout as it stands: its commit where nothing differs from it.
fn working_tree(folder: &Path) -> Result<Source, Failure> {
    require_folder(folder)?;
    let folder = std::fs::canonicalize(folder)
        .map_err(|error| Failure::failed(error.to_string()).at(folder.display()))?;
    let top = tool::run("git", &["rev-parse", "--show-toplevel"], &folder, GIT_LIMIT)?;
    // a folder that merely lies inside another repository is not that repository's commit
    if !top.succeeded || Path::new(top.stdout.trim_end_matches('\n')) != folder {
        let files = files_below(&folder)?;
        let difference = hash_files(&folder, &files)?;
        return Ok(Source::Changed {
            folder,
            commit: None,
            differing: files.clone(),
            files,
            difference,
        });
    }
    let commit = commit_of(&folder, "HEAD")?;
    let changed = names(&folder, &["diff", "--name-only", "-z", "--no-renames", "HEAD"])?;
    let new = names(&folder, &["ls-files", "-z", "--others", "--exclude-standard"])?;
    if changed.is_empty() && new.is_empty() {
        return Ok(Source::Commit { repository: folder, commit });
    }
    let mut differing: Vec<String> = changed.into_iter().chain(new).collect();
    differing.sort();
    differing.dedup();
    let difference = hash_files(&folder, &differing)?;
    let mut files = names(
        &folder,
        &["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    )?;
    files.sort();
    Ok(Source::Changed { folder, commit: Some(commit), files, differing, difference })
}

fn names(folder: &Path, arguments: &[&str]) -> Result<Vec<String>, Failure> {
    let output = tool::run("git", arguments, folder, GIT_LIMIT)?;
    if !output.succeeded {
        return Err(Failure::failed(format!(
            "git {} failed: {}",
            arguments.first().unwrap_or(&""),
            output.stderr.trim()
        ))
        .at(folder.display()));
    }
    Ok(output.stdout.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// BLAKE3 over names and contents; a file that is gone counts as one that is gone.
pub(super) fn hash_files(folder: &Path, files: &[String]) -> Result<String, Failure> {
    let mut hasher = blake3::Hasher::new();
    for name in files {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        let path = folder.join(name);
        match std::fs::read(&path) {
            Ok(content) => {
                hasher.update(&[1]);
                hasher.update(blake3::hash(&content).as_bytes());
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                hasher.update(&[0]);
            }
            // a submodule's folder
            Err(_) if path.is_dir() => {
                hasher.update(&[2]);
            }
            Err(error) => {
                return Err(Failure::failed(format!("cannot be read: {error}")).at(path.display()));
            }
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// What an engine is compiled from, in a tree outside git: the rest of it may be anything.
const PARTS: [&str; 6] =
    ["CMakeLists.txt", "ggml/CMakeLists.txt", "ggml/include", "ggml/src", "include", "src"];

fn files_below(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    let mut todo: Vec<PathBuf> = PARTS.iter().map(|part| folder.join(part)).collect();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path)
                .map_err(|error| Failure::failed(error.to_string()).at(path.display()))?;
            todo.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.is_file()
            && let Ok(name) = path.strip_prefix(folder)
        {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}
