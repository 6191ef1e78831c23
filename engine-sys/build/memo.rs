//! What is known of files, asked once a build: many units depend on the same headers.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Hashes of files that do not change during a build.
#[derive(Default)]
pub struct Memo {
    hashes: Mutex<HashMap<PathBuf, Option<String>>>,
    present: Mutex<HashMap<PathBuf, bool>>,
}

impl Memo {
    /// The BLAKE3 of a file's content, hexadecimal; none if it cannot be read.
    pub fn hash(&self, path: &Path) -> Option<String> {
        recall(&self.hashes, path, || fs::read(path).ok().map(|content| hash(&content)))
    }

    /// Whether there is such a file.
    pub fn is_file(&self, path: &Path) -> bool {
        recall(&self.present, path, || path.is_file())
    }
}

/// The BLAKE3 of bytes, hexadecimal.
pub fn hash(content: &[u8]) -> String {
    blake3::hash(content).to_hex().to_string()
}

fn recall<T: Clone>(
    known: &Mutex<HashMap<PathBuf, T>>,
    path: &Path,
    find: impl FnOnce() -> T,
) -> T {
    if let Some(value) = known.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
        return value.clone();
    }
    let value = find();
    known.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), value.clone());
    value
}
