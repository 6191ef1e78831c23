//! Forms that are at hand, each held against its description.

use std::path::{Path, PathBuf};

use engine_protocol::Form;

use super::name::form_name;
use super::share;
use super::sidecar::Sidecar;
use crate::failure::{Failure, FailureKind};
use crate::model::gguf::inspect;
use crate::model::hash::{Sha256Hex, Verification, file_hash};
use crate::model::resolve::ModelFile;
use crate::project::Project;

/// Ending of a description.
const DESCRIPTION: &str = "toml";

/// A form whose file fits its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFile {
    /// The GGUF file.
    pub path: PathBuf,
    /// What it is.
    pub sidecar: Sidecar,
}

/// Where all forms of a source lie.
pub(super) fn folder(source: &Sha256Hex, project: &Project) -> PathBuf {
    project.cache.join("models/forms").join(source.as_str())
}

/// All forms of a model that are at hand, sorted by form, then by when they were made. One that
/// does not fit its description is an error in its place.
///
/// # Errors
/// When a folder cannot be read.
pub fn kept_forms(
    source: &ModelFile,
    project: &Project,
    verification: Verification,
) -> Result<Vec<Result<FormFile, Failure>>, Failure> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for description in descriptions(source, project)? {
        match checked(&description, source, project, verification) {
            Ok(form) => good.push(form),
            Err(failure) => bad.push(Err(failure)),
        }
    }
    good.sort_by(|one, other| order(&one.sidecar).cmp(&order(&other.sidecar)));
    Ok(good.into_iter().map(Ok).chain(bad).collect())
}

fn order(sidecar: &Sidecar) -> (Form, &str, &str) {
    (sidecar.form, &sidecar.made_at, &sidecar.engine.source_blake3)
}

/// A form of a model, or `None` where it was not made yet. Several engines may have made it: the
/// file with the hash that is asked for is taken, else the one that was made last.
///
/// # Errors
/// A refusal when the file does not fit its description; a failure when a folder cannot be read.
pub fn kept_form(
    source: &ModelFile,
    form: Form,
    wanted: Option<&str>,
    project: &Project,
    verification: Verification,
) -> Result<Option<FormFile>, Failure> {
    let own = descriptions(source, project)?
        .into_iter()
        .filter(|path| path.file_stem().is_some_and(|stem| stem == form_name(form)));
    let mut read = Vec::new();
    for path in own {
        read.push((Sidecar::read(&path).map_err(|failure| remedy(failure, &path))?, path));
    }
    read.sort_by(|one, other| order(&one.0).cmp(&order(&other.0)));
    let as_wanted = read
        .iter()
        .find(|(sidecar, _)| wanted.is_some_and(|wanted| sidecar.sha256.as_str() == wanted));
    match as_wanted.or(read.last()) {
        Some((_, path)) => checked(path, source, project, verification).map(Some),
        None => Ok(None),
    }
}

/// Paths of the descriptions of a source's forms, sorted.
fn descriptions(source: &ModelFile, project: &Project) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for engine in entries(&folder(&source.sha256, project))? {
        if engine.is_dir() {
            let is_description =
                |path: &PathBuf| path.extension().is_some_and(|end| end == DESCRIPTION);
            found.extend(entries(&engine)?.into_iter().filter(is_description));
        }
    }
    found.sort();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error: std::io::Error| {
        Failure::failed(format!("cannot be read: {error}")).at(folder.display())
    };
    match std::fs::read_dir(folder) {
        Ok(entries) => {
            entries.map(|entry| entry.map(|entry| entry.path()).map_err(cannot)).collect()
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(cannot(error)),
    }
}

/// Holds a form's file against its description.
pub(super) fn checked(
    description: &Path,
    source: &ModelFile,
    project: &Project,
    verification: Verification,
) -> Result<FormFile, Failure> {
    fits(description, source, project, verification).map_err(|failure| remedy(failure, description))
}

fn fits(
    description: &Path,
    source: &ModelFile,
    project: &Project,
    verification: Verification,
) -> Result<FormFile, Failure> {
    let sidecar = Sidecar::read(description)?;
    let path = description.with_extension("gguf");
    let refused = |what: String| Failure::refused(what).at(path.display());
    if description.file_stem().is_none_or(|stem| stem != form_name(sidecar.form)) {
        return Err(Failure::refused(format!(
            "the description speaks of the form {}",
            form_name(sidecar.form)
        ))
        .at(description.display()));
    }
    if sidecar.source.sha256 != source.sha256 {
        return Err(refused(format!(
            "the form was made of another file: SHA-256 {}, not {}",
            sidecar.source.sha256, source.sha256
        )));
    }
    if !path.is_file() {
        return Err(refused("the form's file is gone, and only its description is there".into()));
    }
    let as_refusal = |failure: Failure| Failure { kind: FailureKind::Refused, ..failure };
    let facts = inspect(&path).map_err(as_refusal)?;
    let hash = file_hash(&path, verification, project).map_err(as_refusal)?;
    if hash != sidecar.sha256 || facts.file_bytes != sidecar.bytes {
        return Err(refused(format!(
            "the form's file was changed since it was made: SHA-256 {hash} ({} bytes), described is \
             {} ({} bytes)",
            facts.file_bytes, sidecar.sha256, sidecar.bytes
        )));
    }
    if facts.tensor_types != sidecar.tensor_types {
        return Err(refused(format!(
            "the form's description names other tensor types than its file has: {}, not {}",
            share::shares(&sidecar.tensor_types),
            share::shares(&facts.tensor_types)
        )));
    }
    share::hold(sidecar.form, &sidecar.tensor_types)
        .map_err(|failure| failure.at(path.display()))?;
    Ok(FormFile { path, sidecar })
}

fn remedy(failure: Failure, description: &Path) -> Failure {
    let remedy = format!(
        "take {} and the file beside it away, then make the form again (`runner model forms`)",
        description.display()
    );
    failure.hint(remedy)
}
