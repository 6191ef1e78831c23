//! Control groups of this process that may limit its processor time: version 2, and the `cpu`
//! controller of version 1.

use super::reading::Reading;
use super::root::MachineRoot;

/// Which files a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// `cpu.cfs_quota_us`, `cpu.cfs_period_us`.
    One,
    /// `cpu.max`.
    Two,
}

/// A folder that may be that of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) folder: String,
    pub(super) version: Version,
}

/// The group of this process and all that it lies in, wherever they are usually mounted. Within a
/// container the path of the group is often that of the host and not there; then only what is there
/// counts.
pub(super) fn groups(root: &MachineRoot) -> Reading<Vec<Group>> {
    root.text("proc/self/cgroup").map(|text| {
        let mut found = Vec::new();
        for line in text.lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
            if controllers.is_empty() {
                for mount in ["sys/fs/cgroup", "sys/fs/cgroup/unified"] {
                    along(mount, path, Version::Two, &mut found);
                }
            } else if controllers.split(',').any(|controller| controller == "cpu") {
                along("sys/fs/cgroup/cpu", path, Version::One, &mut found);
                if controllers != "cpu" {
                    let joined = format!("sys/fs/cgroup/{controllers}");
                    along(&joined, path, Version::One, &mut found);
                }
            }
        }
        found
    })
}

/// A group and all that it lies in.
fn along(mount: &str, path: &str, version: Version, found: &mut Vec<Group>) {
    let mut rest = path.trim_matches('/');
    loop {
        let folder = if rest.is_empty() { mount.to_owned() } else { format!("{mount}/{rest}") };
        found.push(Group { folder, version });
        if rest.is_empty() {
            return;
        }
        rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
    }
}
