//! Files that the user names: written whole or not at all, and never over what is sealed.

use std::path::{Component, Path, PathBuf};

use runner::project::Project;
use runner::{Failure, record};

/// Writes a file; the folder above it is made, where it is missing.
pub fn write_with_folder(project: &Project, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    refuse_results(project, path)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::failed(format!("cannot be written: {error}")).at(path.display())
        })?;
    }
    write(project, path, bytes)
}

/// Writes a file in a folder that is there.
pub fn write(project: &Project, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    refuse_results(project, path)?;
    if path.exists() && !path.is_file() {
        // a device or a pipe has no name to be given afterwards
        return std::fs::write(path, bytes).map_err(|error| {
            Failure::failed(format!("it cannot be written: {error}")).at(path.display())
        });
    }
    record::write_file(path, bytes)
}

/// Refuses a place in the folder of results.
pub fn refuse_results(project: &Project, path: &Path) -> Result<(), Failure> {
    if plain(path).starts_with(plain(&project.results)) {
        return Err(Failure::usage(
            "results/ holds sealed records and what `runner report` writes",
        )
        .at(path.display())
        .hint("name a file outside of it"));
    }
    Ok(())
}

/// Absolute, without `.` and `..`; links are followed as far as they are there.
fn plain(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
        if let Ok(real) = plain.canonicalize() {
            plain = real;
        }
    }
    plain
}
