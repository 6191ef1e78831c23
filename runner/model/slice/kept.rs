//! Slices that are at hand, each held against its description before it is used.

use std::path::{Path, PathBuf};

use super::cut::cut;
use super::description::{Description, SCHEMA};
use crate::failure::{Failure, FailureKind};
use crate::model::hash::{Sha256Hex, Verification, file_hash};
use crate::project::Project;

/// The file of a slice, whose hash was computed now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceFile {
    /// The GGUF file.
    pub path: PathBuf,
    /// Its hash.
    pub sha256: Sha256Hex,
    /// Its length.
    pub bytes: u64,
    /// How many of the first layers it has.
    pub layers: u32,
    /// How many the file has that it was cut of.
    pub of_layers: u32,
}

/// The file of the first `layers` layers of the model in `source`, whose SHA-256 is `sha256`. It is
/// kept in the cache under both with a description beside it, and written when it is not there yet.
///
/// # Errors
/// Refused when the model has no more layers than that or does not say how many it has, and when the
/// file in the cache is not the one that was made; failed when a file cannot be read or written.
pub fn slice(
    source: &Path,
    sha256: &Sha256Hex,
    layers: u32,
    project: &Project,
) -> Result<SliceFile, Failure> {
    let folder = project.cache.join("models/slices");
    let path = folder.join(format!("{sha256}-{layers}.gguf"));
    let description = path.with_extension("toml");
    // without a description nothing tells a whole file from a changed one
    if path.is_file() && description.is_file() {
        return as_described(&path, (sha256, layers), project).map_err(|failure| {
            let remedy = format!(
                "take {} and the file beside it away; the next run makes the slice anew",
                description.display()
            );
            failure.hint(remedy)
        });
    }
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::failed(format!("cannot be made: {error}"))
            .at(folder.display())
            .hint("set RUNNER_CACHE_DIR to a folder with room that you may write to")
    })?;
    let of_layers = cut(source, &path, layers)?;
    let made = found(&path, (layers, of_layers), project)?;
    Description {
        schema: SCHEMA,
        source_sha256: sha256.clone(),
        layers,
        of_layers,
        sha256: made.sha256.clone(),
        bytes: made.bytes,
    }
    .write(&description)?;
    Ok(made)
}

/// Reads every byte of a slice that was made before.
fn as_described(
    path: &Path,
    (source, layers): (&Sha256Hex, u32),
    project: &Project,
) -> Result<SliceFile, Failure> {
    let description = Description::read(&path.with_extension("toml"))?;
    let refused = |what: String| Failure::refused(what).at(path.display());
    if (&description.source_sha256, description.layers) != (source, layers) {
        return Err(refused(format!(
            "the slice's description speaks of the first {} layers of the file with SHA-256 {}",
            description.layers, description.source_sha256
        )));
    }
    let seen = found(path, (layers, description.of_layers), project)
        .map_err(|failure| Failure { kind: FailureKind::Refused, ..failure })?;
    if seen.sha256 != description.sha256 || seen.bytes != description.bytes {
        return Err(refused(format!(
            "the slice's file was changed since it was made: SHA-256 {} ({} bytes), described is \
             {} ({} bytes)",
            seen.sha256, seen.bytes, description.sha256, description.bytes
        )));
    }
    Ok(seen)
}

fn found(
    path: &Path,
    (layers, of_layers): (u32, u32),
    project: &Project,
) -> Result<SliceFile, Failure> {
    let metadata = std::fs::metadata(path)
        .map_err(|error| Failure::failed(format!("cannot be read: {error}")).at(path.display()))?;
    Ok(SliceFile {
        path: path.to_path_buf(),
        sha256: file_hash(path, Verification::Full, project)?,
        bytes: metadata.len(),
        layers,
        of_layers,
    })
}
