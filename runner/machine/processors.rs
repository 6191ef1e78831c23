//! The processors by number: `cpu10` comes after `cpu9`, and `cpufreq` is none of them.

use std::collections::BTreeSet;

use super::root::MachineRoot;

/// Where the kernel lists them.
pub(super) const CPUS: &str = "sys/devices/system/cpu";

/// Most processors that a list may name: Linux is built for 8192 at most (`NR_CPUS` of x86).
const MOST: u32 = 8192;

/// Numbers of all processors that have a folder, in order.
pub(super) fn processors(root: &MachineRoot) -> Vec<u32> {
    let mut numbers: Vec<u32> =
        root.names(CPUS).iter().filter_map(|name| number_of(name, "cpu")).collect();
    numbers.sort_unstable();
    numbers
}

/// The folder of one.
pub(super) fn processor_folder(number: u32) -> String {
    format!("{CPUS}/cpu{number}")
}

/// The number in a name such as `cpu10` or `node1`; none in `cpufreq`.
pub(super) fn number_of(name: &str, stem: &str) -> Option<u32> {
    let digits = name.strip_prefix(stem)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// A list such as `0-3,8,10-11`.
pub(super) fn processor_set(text: &str) -> Option<BTreeSet<u32>> {
    let mut set = BTreeSet::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u32 = first.trim().parse().ok()?;
        let last: u32 = last.trim().parse().ok()?;
        if last < first || last >= MOST {
            return None;
        }
        set.extend(first..=last);
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::Fixture;

    #[test]
    fn processors_come_by_number_and_folders_of_other_things_are_left_out() {
        let fixture = Fixture::new();
        for name in ["cpu0", "cpu10", "cpu2", "cpu9", "cpufreq", "cpuidle", "online"] {
            fixture.folder(&format!("{CPUS}/{name}"));
        }
        assert_eq!(processors(&fixture.root()), [0, 2, 9, 10]);
        assert_eq!(processor_folder(10), format!("{CPUS}/cpu10"));
    }

    #[test]
    fn a_list_becomes_a_set_and_an_absurd_one_nothing() {
        assert_eq!(processor_set("0-2,10\n"), Some(BTreeSet::from([0, 1, 2, 10])));
        assert_eq!(processor_set("3-1"), None);
        assert_eq!(processor_set("0-4294967295"), None);
        assert_eq!(processor_set(""), None);
    }
}
