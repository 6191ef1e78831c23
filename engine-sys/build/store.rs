//! Compiled objects, kept across profiles: a folder for each key, made whole or not at all.
//!
//! While it is being made a folder is called `<key>.partial`. Everything in it is a function of
//! the key and written by way of temporary names, so an interrupted build goes on where it was.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::files;

/// The folder of a key; `make` fills it if it is not there. Builds of several profiles wait for
/// each other.
pub fn get(
    store: &Path,
    key: &str,
    make: impl FnOnce(&Path) -> Result<(), Fault>,
) -> Result<PathBuf, Fault> {
    let finished = store.join(key);
    // Deleting the cache by hand brings it back.
    println!("cargo::rerun-if-changed={}", finished.display());
    if finished.is_dir() {
        return Ok(finished);
    }
    files::make_folder(store)?;
    let lock_path = store.join(format!("{key}.lock"));
    let lock = File::create(&lock_path).map_err(|error| Fault::file("make", &lock_path, error))?;
    lock.lock().map_err(|error| Fault::file("lock", &lock_path, error))?;
    if !finished.is_dir() {
        let partial = store.join(format!("{key}.partial"));
        files::make_folder(&partial)?;
        make(&partial)?;
        files::rename(&partial, &finished)?;
    }
    Ok(finished)
}
