//! BLAKE3 over sorted trees of files.

use std::path::{Path, PathBuf};

use super::choices::Choices;
use super::devices;
use super::fault::Fault;
use super::files;

/// The parts of a llama.cpp tree that are compiled or included, and what says their versions.
const ENGINE_PARTS: [&str; 6] =
    ["CMakeLists.txt", "ggml/CMakeLists.txt", "ggml/include", "ggml/src", "include", "src"];

/// The backend that is always compiled. Others count only where they are: so a tree without them
/// has the same hash.
const ALWAYS: &str = "ggml-cpu";

/// The backend that calls a BLAS library.
const BLAS: &str = "ggml-blas";

/// The hash of a package as it was published: every file but those that cargo adds itself.
pub fn package_hash(root: &Path) -> Result<String, Fault> {
    let mut listed = files::below(root)?;
    listed.retain(|(name, _)| !is_cargos_own(name));
    hash(&listed)
}

/// Files that cargo adds when it publishes, extracts or vendors a package, or leaves out.
pub fn is_cargos_own(name: &str) -> bool {
    matches!(
        name.rsplit('/').next().unwrap_or(name),
        ".cargo-ok"
            | ".cargo_vcs_info.json"
            | ".cargo-checksum.json"
            | "Cargo.toml.orig"
            | ".gitignore"
            | ".gitattributes"
    )
}

/// The hash of what an engine is compiled from: the same for the same sources, from wherever.
pub fn engine_hash(root: &Path, choices: &Choices) -> Result<String, Fault> {
    hash(&engine_files(root, choices)?)
}

/// The files that `engine_hash` covers.
fn engine_files(root: &Path, choices: &Choices) -> Result<Vec<(String, PathBuf)>, Fault> {
    let compiled = |folder: &str| {
        folder == ALWAYS
            || (folder == BLAS && choices.blas.is_some())
            || devices::FOLDERS.contains(&folder)
    };
    let mut listed = Vec::new();
    for part in ENGINE_PARTS {
        let path = root.join(part);
        if path.is_dir() {
            for (name, file) in files::below(&path)? {
                let foreign_backend = part == "ggml/src"
                    && name.split_once('/').is_some_and(|(folder, _)| !compiled(folder));
                if !foreign_backend {
                    listed.push((format!("{part}/{name}"), file));
                }
            }
        } else if path.is_file() {
            listed.push((part.to_owned(), path));
        }
    }
    listed.sort();
    Ok(listed)
}

/// The hash of a list of files: name, length and content of each, in the order given.
pub fn hash(listed: &[(String, PathBuf)]) -> Result<String, Fault> {
    let mut hasher = blake3::Hasher::new();
    for (name, path) in listed {
        let content = files::read_bytes(path)?;
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update(&(content.len() as u64).to_le_bytes());
        hasher.update(&content);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// The hash of texts, each with its length, so that no two lists run together.
pub fn hash_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// Tells cargo to look at the engine's parts of a tree.
pub fn watch(root: &Path) {
    for part in ENGINE_PARTS {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
}
