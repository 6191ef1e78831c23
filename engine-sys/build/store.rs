//! Compiled objects, kept across profiles: a folder for each key, made whole or not at all.
//!
//! While it is being made a folder is called `<key>.partial`. Everything in it is a function of
//! the key and written by way of temporary names, so an interrupted build goes on where it was.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::fault::Fault;
use super::files;

/// A file for cargo to watch, so that a folder deleted by hand is made anew.
const MARK: &str = "complete";

/// The folder of a key; `make` fills it if it is not there. Builds of several profiles wait for
/// each other.
pub fn get(
    store: &Path,
    key: &str,
    make: impl FnOnce(&Path) -> Result<(), Fault>,
) -> Result<PathBuf, Fault> {
    let finished = store.join(key);
    println!("cargo::rerun-if-changed={}", finished.join(MARK).display());
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
        mark(&partial.join(MARK))?;
        files::rename(&partial, &finished)?;
    }
    Ok(finished)
}

/// An old file: cargo takes one that is younger than the start of the build script for a change.
fn mark(path: &Path) -> Result<(), Fault> {
    let made = File::create(path).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH));
    made.map_err(|error| Fault::file("mark with", path, error))
}
