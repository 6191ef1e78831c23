//! One value into one file of the kernel, and whether it stayed.

use std::io::Write;

use serde::Serialize;

use crate::machine::root::MachineRoot;

/// A file that was not changed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The file, `/sys/…`.
    pub path: String,
    /// A lower-case fragment.
    pub why: String,
}

/// The file's bytes as text.
pub(super) fn held(root: &MachineRoot, path: &str) -> Result<String, Refused> {
    std::fs::read_to_string(root.path(path)).map_err(|error| refused(path, &error))
}

/// Writes a value and reads it back: the kernel may take another one, or none.
pub(super) fn write(root: &MachineRoot, path: &str, value: &str) -> Result<(), Refused> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).truncate(true);
    options
        .open(root.path(path))
        .and_then(|mut file| file.write_all(value.as_bytes()))
        .map_err(|error| refused(path, &error))?;
    let now = held(root, path)?;
    if now.trim() == value.trim() {
        return Ok(());
    }
    let why = format!("`{}` was written, and it holds `{}`", value.trim(), now.trim());
    Err(Refused { path: format!("/{path}"), why })
}

fn refused(path: &str, error: &std::io::Error) -> Refused {
    use std::io::ErrorKind;
    let why = match error.kind() {
        ErrorKind::PermissionDenied => "not writable for this user".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "it is mounted read-only".to_owned(),
        ErrorKind::NotFound => "not there".to_owned(),
        _ => error.to_string(),
    };
    Refused { path: format!("/{path}"), why }
}
