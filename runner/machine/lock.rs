//! Where the lock of the machine lies: one timed run at a time, whoever starts it.

use std::path::PathBuf;

use super::root::MachineRoot;

/// The lock's path, the same for every user and project of the machine: in `/run/lock` where there
/// is one, else in `/var/tmp` or `/tmp`.
///
/// These folders are open to all and sticky, and Linux may refuse `O_CREAT` on a file there that
/// belongs to someone else (`fs.protected_regular`): open an existing file without it, read-only
/// is enough for a lock.
#[must_use]
pub fn lock_path(root: &MachineRoot) -> PathBuf {
    let folder = ["run/lock", "var/tmp", "tmp"]
        .into_iter()
        .find(|folder| root.path(folder).is_dir())
        .unwrap_or("tmp");
    root.path(folder).join("runner-timed-run.lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::Fixture;

    #[test]
    fn the_first_folder_that_is_there_holds_the_lock() {
        let fixture = Fixture::new();
        fixture.folder("tmp");
        assert!(lock_path(&fixture.root()).ends_with("tmp/runner-timed-run.lock"));
        fixture.folder("run/lock");
        assert!(lock_path(&fixture.root()).ends_with("run/lock/runner-timed-run.lock"));
    }
}
