//! Files that are either whole or not there: temporary name, sync, rename, sync of the folder.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use sample_table::SampleRow;

use crate::failure::Failure;

/// End of the names of files that are not finished. Ignored by every reader.
pub const PARTIAL: &str = ".partial";

/// A file that is written and synced, but does not bear its name yet.
#[derive(Debug)]
pub(super) struct Pending {
    partial: PathBuf,
    path: PathBuf,
}

impl Pending {
    /// Writes `bytes` beside `path` and syncs them.
    pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<Pending, Failure> {
        let mut name = path.as_os_str().to_owned();
        name.push(PARTIAL);
        Pending::write_as(PathBuf::from(name), path, bytes)
    }

    fn write_as(partial: PathBuf, path: &Path, bytes: &[u8]) -> Result<Pending, Failure> {
        let written = File::create(&partial).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|error| cannot("written", path, &error))?;
        Ok(Pending { partial, path: path.to_path_buf() })
    }

    /// Gives the file its name.
    pub(super) fn name(self) -> Result<(), Failure> {
        fs::rename(&self.partial, &self.path)
            .map_err(|error| cannot("renamed", &self.path, &error))?;
        sync_folder(&self.path)
    }
}

/// Writes a file whole or not at all. Two programs that write the same file do not meet in the
/// temporary one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}{PARTIAL}", std::process::id()));
    Pending::write_as(PathBuf::from(name), path, bytes)?.name()
}

/// Makes a folder and all above it.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| cannot("made", path, &error))
}

/// Reads a file of text.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    regular(path)?;
    fs::read_to_string(path).map_err(|error| cannot("read", path, &error))
}

/// Reads a file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    regular(path)?;
    fs::read(path).map_err(|error| cannot("read", path, &error))
}

/// A pipe would be waited on for ever.
fn regular(path: &Path) -> Result<(), Failure> {
    let facts = fs::metadata(path).map_err(|error| cannot("read", path, &error))?;
    if facts.is_file() {
        return Ok(());
    }
    Err(Failure::failed("it is no regular file")
        .at(path.display())
        .hint("take it away, or restore it from version control"))
}

/// Reads a file of samples.
pub(super) fn read_samples(path: &Path) -> Result<Vec<SampleRow>, Failure> {
    regular(path)?;
    sample_table::read(path).map_err(|error| {
        let failure = Failure::failed(error.to_string()).at(path.display());
        match error {
            sample_table::TableError::WithoutParquet { .. } => {
                failure.hint("use a build with the feature `parquet`")
            }
            _ => failure.hint("restore it from version control"),
        }
    })
}

/// Names in a folder, sorted; none when there is no such folder.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot("read", folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| cannot("read", folder, &error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Makes a rename outlast a power failure.
pub(super) fn sync_folder(path: &Path) -> Result<(), Failure> {
    let Some(folder) = path.parent() else { return Ok(()) };
    // a bare name lies in the working directory
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| cannot("synced", folder, &error))
}

/// A file that could not be read, written, ….
pub(super) fn cannot(done: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot be {done}: {error}")).at(path.display())
}
