//! Where the lock of the machine lies: one timed run at a time, whoever starts it.

use std::path::PathBuf;

use super::root::MachineRoot;

/// The lock's path, the same for every user and project of the machine: in `/var/tmp`, which all may
/// write, else in `/tmp`. (`/run/lock` belongs to root on many distributions.)
///
/// These folders are open to all and sticky, and Linux may refuse `O_CREAT` on a file there that
/// belongs to someone else (`fs.protected_regular`): open an existing file without it, read-only
/// is enough for a lock.
#[must_use]
pub fn lock_path(root: &MachineRoot) -> PathBuf {
    let folder = if root.path("var/tmp").is_dir() { "var/tmp" } else { "tmp" };
    root.path(folder).join("runner-timed-run.lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::Fixture;

    #[test]
    fn the_lock_lies_where_every_user_may_write() {
        let fixture = Fixture::new();
        fixture.folder("tmp");
        assert!(lock_path(&fixture.root()).ends_with("tmp/runner-timed-run.lock"));
        fixture.folder("var/tmp");
        assert!(lock_path(&fixture.root()).ends_with("var/tmp/runner-timed-run.lock"));
    }
}
