//! A model's own weights in 32-bit floats.

use std::path::{Path, PathBuf};

use engine_protocol::{Form, RequantiseRequest};

use super::session::Session;
use crate::exec::executable::Program;
use crate::failure::Failure;
use crate::model::{Document, Sha256Hex};

/// The type that every tensor has then.
const FLOAT: &str = "f32";

/// Whether a model file holds nothing but 32-bit floats.
pub(super) fn is_floats(document: &Document) -> bool {
    document.facts().tensors.iter().all(|tensor| tensor.tensor_type == FLOAT)
}

/// The file itself when it holds 32-bit floats already; else one that the worker's quantiser wrote
/// into the cache from it, found again by the hash of the file it was made from and by the sources
/// of the engine that made it.
pub(super) fn floats_of(
    document: &Document,
    sha256: &Sha256Hex,
    program: &Program,
    cache: &Path,
) -> Result<PathBuf, Failure> {
    if is_floats(document) {
        return Ok(document.path().to_path_buf());
    }
    let session = Session::start(program, cache)?;
    let engine = session.engine_source.clone();
    session.end();
    if engine.is_empty() || !engine.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return Err(Failure::refused("the worker does not say what its engine was built from"));
    }
    let folder = cache.join("parity").join(sha256.as_str()).join(engine);
    let path = folder.join("f32.gguf");
    if Document::read(&path).is_ok_and(|made| is_floats(&made)) {
        return Ok(path);
    }
    requantised(document.path(), &path, Form::F32, program)?;
    Ok(path)
}

/// Writes a form of a model file; a half-written one is never taken for a whole one.
pub(super) fn requantised(
    source: &Path,
    target: &Path,
    form: Form,
    program: &Program,
) -> Result<(), Failure> {
    let folder = target.parent().unwrap_or(Path::new("."));
    let cannot = |error: std::io::Error| {
        Failure::failed(format!("cannot be written: {error}")).at(target.display())
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let temporary = tempfile::Builder::new().prefix("form-").tempdir_in(folder).map_err(cannot)?;
    let half = temporary.path().join("form.gguf");
    let mut session = Session::start(program, temporary.path())?;
    let made = session.requantise(RequantiseRequest {
        source_path: source.to_string_lossy().into_owned(),
        target_path: half.to_string_lossy().into_owned(),
        form,
        threads: 2,
    });
    session.end();
    made?;
    std::fs::rename(&half, target).map_err(cannot)
}
