//! How much memory this process and its children may take: main memory, or the container's limit,
//! whichever is less.

use super::memory;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Most bytes; swap is not counted.
#[must_use]
pub fn memory_limit(root: &MachineRoot) -> Reading<u64> {
    memory::total(root).map(|total| container(root).map_or(total, |limit| limit.min(total)))
}

/// The narrowest limit on the way from this process's group to the root, cgroup version 2
/// (`memory.max`) and 1 (`memory.limit_in_bytes`); `max` and what is not there are none.
fn container(root: &MachineRoot) -> Option<u64> {
    let groups = root.text("proc/self/cgroup").known()?.clone();
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or(""));
        if controllers.is_empty() {
            along(root, "sys/fs/cgroup", path, "memory.max")
        } else if controllers.split(',').any(|controller| controller == "memory") {
            along(root, "sys/fs/cgroup/memory", path, "memory.limit_in_bytes")
        } else {
            Vec::new()
        }
    });
    limits.min()
}

/// The limits of a group and of all that it lies in.
fn along(root: &MachineRoot, mount: &str, path: &str, file: &str) -> Vec<u64> {
    let mut rest = path.trim_matches('/');
    let mut limits = Vec::new();
    loop {
        let folder = if rest.is_empty() { mount.to_owned() } else { format!("{mount}/{rest}") };
        let text = root.text(&format!("{folder}/{file}"));
        limits.extend(text.known().and_then(|text| text.parse::<u64>().ok()));
        if rest.is_empty() {
            return limits;
        }
        rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(files: &[(&str, &str)]) -> Reading<u64> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        memory_limit(&MachineRoot::below(folder.path()))
    }

    const MEMORY: (&str, &str) = ("proc/meminfo", "MemTotal:       16000000 kB\n");

    #[test]
    fn the_narrowest_of_memory_and_container_counts() {
        let all = Reading::Known(16_000_000 * 1024);
        assert_eq!(limit(&[MEMORY]), all);
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let files = [MEMORY, group, ("sys/fs/cgroup/a/b/memory.max", "max\n")];
        assert_eq!(limit(&files), all);
        let files = [MEMORY, group, ("sys/fs/cgroup/a/memory.max", "500000000\n")];
        assert_eq!(limit(&files), Reading::Known(500_000_000));
        let group = ("proc/self/cgroup", "9:memory:/c\n");
        let files = [MEMORY, group, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n")];
        assert_eq!(limit(&files), Reading::Known(7000));
        assert!(limit(&[]).known().is_none());
    }
}
