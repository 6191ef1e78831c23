//! From a manifest's choice to a file whose hash was checked.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::catalogue::{Entry, Obtain, find};
use super::gguf::{MetadataValue, inspect};
use super::hash::{Sha256Hex, Verification, file_hash};
use super::tiny::{TINY, TINY_EXPERTS, write_model};
use crate::failure::{Failure, FailureKind};
use crate::manifest::ModelChoice;
use crate::project::Project;

/// A model file that is there, is a whole GGUF and has the hash it should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFile {
    /// In the catalogue; the file's name for a user's own file.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Of the file.
    pub sha256: Sha256Hex,
    /// Length of the file.
    pub bytes: u64,
    /// SPDX expression; `None` for a user's own file.
    pub licence: Option<String>,
    /// What the weights derive from; `None` for a user's own file.
    pub derived_from: Option<String>,
}

/// Whether a model of the catalogue is at hand. Nothing is hashed for this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelState {
    /// A file of the right length lies where it should.
    Present,
    /// It will be written when first used.
    Writable,
    /// `runner model fetch` gets it.
    Fetchable,
    /// A file that the catalogue names by path is not there.
    Missing,
}

/// As [`resolve_with`], where a file that did not change since its last hashing is not read again.
///
/// # Errors
/// As [`resolve_with`].
pub fn resolve(choice: &ModelChoice, project: &Project) -> Result<ModelFile, Failure> {
    resolve_with(choice, project, Verification::Remembered)
}

/// Finds a model's file and checks it; writes a built-in one into the cache when it is missing.
///
/// # Errors
/// Usage (exit 2) for an unknown name or a hash that is none. Refused (exit 3) for a file that is
/// missing, not yet fetched, truncated, no GGUF, or of another hash.
pub fn resolve_with(
    choice: &ModelChoice,
    project: &Project,
    verification: Verification,
) -> Result<ModelFile, Failure> {
    match choice {
        ModelChoice::Named(name) => named(&find(name, project)?, project, verification),
        ModelChoice::File { path, sha256 } => {
            let sha256 =
                Sha256Hex::try_from(sha256.clone()).map_err(|why| Failure::usage(why).at(path))?;
            let full = project.resolve(path);
            let bytes = checked(&full, &sha256, verification, project)?;
            let name = full
                .file_name()
                .map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
            Ok(ModelFile { name, path: full, sha256, bytes, licence: None, derived_from: None })
        }
    }
}

/// Whether a model is at hand.
#[must_use]
pub fn state(entry: &Entry, project: &Project) -> ModelState {
    let length = std::fs::metadata(place_of(entry, project)).map(|metadata| metadata.len());
    match (&entry.obtain, length) {
        (_, Ok(length)) if length == entry.bytes => ModelState::Present,
        (Obtain::Written { .. }, _) => ModelState::Writable,
        (Obtain::Wheel { .. }, _) => ModelState::Fetchable,
        (Obtain::File { .. }, _) => ModelState::Missing,
    }
}

/// Where an entry's file lies or will lie.
pub(super) fn place_of(entry: &Entry, project: &Project) -> PathBuf {
    match &entry.obtain {
        Obtain::File { path } => project.resolve(path),
        Obtain::Written { .. } | Obtain::Wheel { .. } => {
            project.cache.join("models").join(entry.sha256.as_str()).join(&entry.file)
        }
    }
}

/// The description of an entry whose file was checked.
pub(super) fn model_file(entry: &Entry, path: PathBuf) -> ModelFile {
    ModelFile {
        name: entry.name.clone(),
        path,
        sha256: entry.sha256.clone(),
        bytes: entry.bytes,
        licence: Some(entry.licence.clone()),
        derived_from: Some(entry.weights_derived_from.clone()),
    }
}

fn named(
    entry: &Entry,
    project: &Project,
    verification: Verification,
) -> Result<ModelFile, Failure> {
    let path = place_of(entry, project);
    match &entry.obtain {
        Obtain::Written { writer } => {
            let good = path.is_file()
                && file_hash(&path, verification, project).is_ok_and(|hash| hash == entry.sha256);
            if !good {
                write_entry(entry, writer, &path)?;
            }
        }
        Obtain::Wheel { .. } => {
            let fetch = format!("run `runner model fetch {}`", entry.name);
            if !path.exists() {
                let what = format!("the model `{}` was not fetched yet", entry.name);
                return Err(Failure::refused(what).hint(fetch));
            }
            checked(&path, &entry.sha256, verification, project)
                .map_err(|failure| failure.hint(format!("{fetch} to get it again")))?;
        }
        Obtain::File { .. } => {
            checked(&path, &entry.sha256, verification, project)?;
        }
    }
    Ok(model_file(entry, path))
}

/// Checks a file that is already there; gives its length in bytes.
fn checked(
    path: &Path,
    expected: &Sha256Hex,
    verification: Verification,
    project: &Project,
) -> Result<u64, Failure> {
    if !path.exists() {
        return Err(Failure::refused("the model file is missing").at(path.display()).hint(
            "put it there, or correct the path: a relative one starts at the project's root",
        ));
    }
    // First the header: "truncated" says more than "wrong hash".
    let refused = |failure: Failure| Failure {
        kind: FailureKind::Refused,
        hint: failure.hint.or_else(|| Some("name a GGUF file, with its own SHA-256".to_owned())),
        ..failure
    };
    let facts = inspect(path).map_err(refused)?;
    if let Some(MetadataValue::Unsigned(parts @ 2..)) = facts.metadata.get("split.count") {
        let what = format!("is one of {parts} parts of a model: the other parts have no hash here");
        return Err(Failure::refused(what)
            .at(path.display())
            .hint("join them to one file first (`llama-gguf-split --merge`)"));
    }
    let hash = file_hash(path, verification, project).map_err(refused)?;
    if hash != *expected {
        let what =
            format!("the model file has another SHA-256 than registered: {hash}, not {expected}");
        return Err(Failure::refused(what)
            .at(path.display())
            .hint("it is another model, or was changed: name the right file, or its hash"));
    }
    Ok(facts.file_bytes)
}

fn write_entry(entry: &Entry, writer: &str, path: &Path) -> Result<(), Failure> {
    let shape = match writer {
        "tiny" => &TINY,
        "tiny-experts" => &TINY_EXPERTS,
        _ => {
            let what = format!("no writer is called `{writer}` (`tiny` and `tiny-experts` are)");
            return Err(Failure::usage(what)
                .at(format!("model `{}`", entry.name))
                .hint(super::catalogue::FORMAT));
        }
    };
    let content = write_model(shape);
    let hash = Sha256Hex::of(&content);
    if hash != entry.sha256 {
        let what = format!(
            "the model `{}` came out with SHA-256 {hash}, not {}: this build computes differently",
            entry.name, entry.sha256
        );
        return Err(Failure::refused(what));
    }
    store(path, |file| file.write_all(&content))
}

/// Writes a file under a temporary name, syncs it and moves it into place. On any failure nothing
/// is left behind.
pub(super) fn store(
    path: &Path,
    write: impl FnOnce(&mut std::fs::File) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let broken = |error: std::io::Error| {
        Failure::failed(format!("cannot be written: {error}"))
            .at(path.display())
            .hint("set RUNNER_CACHE_DIR to a folder with room that you may write to")
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(broken)?;
    let written = (|| {
        let mut file = tempfile::Builder::new().suffix(".partial").tempfile_in(folder)?;
        write(file.as_file_mut())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        sync_folder(folder)
    })();
    if written.is_err() {
        // Goes only when it is empty, that is when this call made it.
        let _ = std::fs::remove_dir(folder);
    }
    written.map_err(broken)
}

/// Makes the new name durable, where folders can be synced.
pub(super) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
