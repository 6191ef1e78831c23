//! One timed run a machine: a locked file that says who holds it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::clock;
use crate::failure::Failure;

/// Held while a run may time something. The operating system lets go of it when this process
/// ends, however it ends.
#[derive(Debug)]
pub(super) struct MachineLock {
    file: File,
}

/// Who holds the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    pid: u32,
    experiment: String,
    since: String,
}

impl MachineLock {
    /// Takes the lock for an experiment.
    ///
    /// # Errors
    /// A refusal that names the holder when it is held; a failure when the file cannot be opened.
    pub(super) fn take(path: &Path, experiment: &str) -> Result<MachineLock, Failure> {
        let fault = |error: std::io::Error| {
            Failure::failed(format!("the machine's lock cannot be used: {error}"))
                .at(path.display())
        };
        let (mut file, access) = open(path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held(&mut file, path)),
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        let holder = Holder {
            pid: std::process::id(),
            experiment: experiment.to_owned(),
            since: clock::utc_now(),
        };
        let text = serde_json::to_string(&holder).unwrap_or_default();
        if access == Access::LockOnly {
            return Ok(MachineLock { file });
        }
        file.set_len(0).and_then(|()| writeln!(file, "{text}")).map_err(fault)?;
        Ok(MachineLock { file })
    }
}

/// What may be done with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Locked, and the holder's name written.
    NameHolder,
    /// Locked only: the file belongs to another user.
    LockOnly,
}

/// Opens the file, or makes it. A file that is there is opened without asking for its making:
/// in a sticky folder Linux refuses that for another user's file.
fn open(path: &Path) -> std::io::Result<(File, Access)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.open(path) {
        Ok(file) => Ok((file, Access::NameHolder)),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Ok((File::open(path)?, Access::LockOnly))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            // Another run may make it at the same moment: the same file then.
            let file = options.create(true).truncate(false).open(path)?;
            Ok((file, Access::NameHolder))
        }
        Err(error) => Err(error),
    }
}

impl Drop for MachineLock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn held(file: &mut File, path: &Path) -> Failure {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(4096).read_to_string(&mut text));
    let who = match read.ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok()) {
        Some(holder) => format!(
            "process {} runs experiment `{}` since {}",
            holder.pid, holder.experiment, holder.since
        ),
        None => "its holder is not named".to_owned(),
    };
    Failure::refused(format!("another timed run holds this machine: {who}"))
        .at(path.display())
        .hint("wait for it to end: two timed runs on one machine would spoil each other")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;

    #[test]
    fn the_second_is_refused_and_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = MachineLock::take(&path, "first-one").unwrap();
        let refused = MachineLock::take(&path, "second").unwrap_err();
        assert_eq!(refused.kind, FailureKind::Refused);
        assert!(refused.what.contains("`first-one`"), "{refused}");
        assert!(refused.what.contains(&std::process::id().to_string()), "{refused}");
        drop(first);
        MachineLock::take(&path, "second").unwrap();
    }
}
