//! Where `/proc`, `/sys` and `/etc` are read.

use std::path::{Path, PathBuf};

use super::reading::Reading;

/// Files larger than this are no sensor (`/proc/stat` of a thousand processors is some 100 kB).
const MOST_BYTES: u64 = 16 << 20;

/// The root of the file system that describes the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineRoot {
    folder: PathBuf,
}

impl MachineRoot {
    /// This machine.
    #[must_use]
    pub fn live() -> MachineRoot {
        MachineRoot { folder: PathBuf::from("/") }
    }

    /// A tree of files that describes some other one.
    #[must_use]
    pub fn below(folder: &Path) -> MachineRoot {
        MachineRoot { folder: folder.to_path_buf() }
    }

    /// Whether this is the machine that the program runs on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.folder == Path::new("/")
    }

    /// A path such as `proc/stat`, with or without a slash in front.
    #[must_use]
    pub fn path(&self, relative: &str) -> PathBuf {
        self.folder.join(relative.trim_start_matches('/'))
    }

    /// A file's text without white space at its ends; an empty one is unknown.
    #[must_use]
    pub fn text(&self, relative: &str) -> Reading<String> {
        use std::io::Read;
        let read = std::fs::File::open(self.path(relative)).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(MOST_BYTES).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
        });
        match read {
            Ok(text) if text.is_empty() => Reading::unknown(format!("/{relative} is empty")),
            Ok(text) => Reading::Known(text),
            Err(error) => Reading::unknown(format!("/{relative}: {}", plain(&error))),
        }
    }

    /// Names in a folder, sorted; none when it cannot be read.
    #[must_use]
    pub fn names(&self, relative: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(relative));
        let mut names: Vec<String> = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// The same words on every platform.
fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "not there".into(),
        std::io::ErrorKind::PermissionDenied => "not readable for this user".into(),
        _ => error.to_string(),
    }
}
