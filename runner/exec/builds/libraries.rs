//! Prebuilt libraries: what they are, by their content.

use std::path::{Path, PathBuf};

use super::source::hash_files;
use crate::failure::Failure;

/// How far below the folder the worker's own build looks.
const DEPTH: usize = 4;

/// BLAKE3 over all libraries below a folder and all headers in some others, hexadecimal.
pub(super) fn hash(folder: &Path, headers: &[PathBuf]) -> Result<String, Failure> {
    let mut parts = vec![hash_files(folder, &files(folder, &["a", "so", "dylib"], DEPTH)?)?];
    for headers in headers {
        parts.push(hash_files(headers, &files(headers, &["h", "hpp"], 0)?)?);
    }
    Ok(blake3::hash(parts.join("\n").as_bytes()).to_hex().to_string())
}

fn files(folder: &Path, extensions: &[&str], depth: usize) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut todo = vec![(folder.to_path_buf(), 0)];
    while let Some((path, level)) = todo.pop() {
        let entries = std::fs::read_dir(&path).map_err(|error| {
            Failure::refused(format!("cannot be listed: {error}")).at(path.display()).hint(
                "correct `libraries` and `headers`: relative paths start at the project's root",
            )
        })?;
        for entry in entries.flatten() {
            let path = entry.path();
            let known =
                path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known));
            if path.is_dir() {
                if level < depth {
                    todo.push((path, level + 1));
                }
            } else if known && let Ok(name) = path.strip_prefix(folder) {
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}
