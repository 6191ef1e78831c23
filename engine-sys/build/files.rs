//! Files: reading, writing whole or not at all, listing.

use std::fs;
use std::path::{Path, PathBuf};

use super::fault::Fault;

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Fault> {
    fs::read_to_string(path).map_err(|error| Fault::file("read", path, error))
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    fs::read(path).map_err(|error| Fault::file("read", path, error))
}

/// Writes by way of a temporary name, so that no half-written file bears the name.
pub fn write(path: &Path, content: &str) -> Result<(), Fault> {
    let temporary = with_suffix(path, ".writing");
    fs::write(&temporary, content).map_err(|error| Fault::file("write", &temporary, error))?;
    rename(&temporary, path)
}

/// Writes only what differs, so that the file's time changes with its content alone.
pub fn write_if_changed(path: &Path, content: &str) -> Result<(), Fault> {
    if fs::read_to_string(path).is_ok_and(|existing| existing == content) {
        return Ok(());
    }
    write(path, content)
}

/// Renames within one folder.
pub fn rename(from: &Path, to: &Path) -> Result<(), Fault> {
    fs::rename(from, to).map_err(|error| Fault::file("rename to", to, error))
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), Fault> {
    fs::create_dir_all(path).map_err(|error| Fault::file("make the folder", path, error))
}

/// A path with text added to its last part.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The files of one folder that have one of these extensions, sorted by name; none if there is no
/// such folder.
pub fn in_folder(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.is_file()
                && path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted))
        })
        .collect();
    files.sort();
    files
}

/// All files below a folder, with their paths relative to it in `/` notation, sorted by it.
pub fn below(folder: &Path) -> Result<Vec<(String, PathBuf)>, Fault> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        let entries =
            fs::read_dir(&current).map_err(|error| Fault::file("list", &current, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Fault::file("list", &current, error))?;
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((relative(&path, folder), path));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn relative(path: &Path, folder: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
