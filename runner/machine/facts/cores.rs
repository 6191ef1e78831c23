//! How many processors there are, and how many may be used.

use super::quota::Quota;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Online ones.
pub(super) fn online(root: &MachineRoot) -> Reading<u32> {
    root.text("sys/devices/system/cpu/online").and_then(|text| {
        Reading::from_option(list_length(&text), "the list of online processors is malformed")
    })
}

/// Those that this process may run on, cpusets of containers included.
pub(super) fn by_affinity(root: &MachineRoot) -> Reading<u32> {
    root.text("proc/self/status").and_then(|text| {
        let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Reading::from_option(
            list.and_then(|list| list_length(list.trim())),
            "/proc/self/status has no list of allowed processors",
        )
    })
}

/// Affinity and quota, whichever is less. An unknown quota leaves it unknown: half a core must not
/// pass for all of them.
pub(super) fn usable(affinity: &Reading<u32>, quota: &Reading<Quota>) -> Reading<f64> {
    affinity.clone().and_then(|affinity| {
        quota.clone().map(|quota| match quota {
            Quota::Unlimited => f64::from(affinity),
            Quota::Cores(cores) => cores.min(f64::from(affinity)),
        })
    })
}

/// Number of processors in a list such as `0-3,8,10-11`.
fn list_length(text: &str) -> Option<u32> {
    let mut total = 0_u32;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u32 = first.trim().parse().ok()?;
        let last: u32 = last.trim().parse().ok()?;
        total = total.checked_add(last.checked_sub(first)?.checked_add(1)?)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(list_length("0"), Some(1));
        assert_eq!(list_length("0-11"), Some(12));
        assert_eq!(list_length("0-3,8,10-11"), Some(7));
        assert_eq!(list_length("3-1"), None);
        assert_eq!(list_length("0-"), None);
    }
}
