//! Main memory, swap and huge pages.

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Bytes of main memory.
pub(super) fn total(root: &MachineRoot) -> Reading<u64> {
    meminfo(root, "MemTotal:")
}

/// Bytes of swap space; 0 is a known value.
pub(super) fn swap(root: &MachineRoot) -> Reading<u64> {
    meminfo(root, "SwapTotal:")
}

fn meminfo(root: &MachineRoot, key: &str) -> Reading<u64> {
    root.text("proc/meminfo").and_then(|text| {
        let kilobytes = text.lines().find_map(|line| {
            line.strip_prefix(key)?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        });
        Reading::from_option(
            kilobytes.and_then(|kilobytes| kilobytes.checked_mul(1024)),
            format!("/proc/meminfo has no `{key}`"),
        )
    })
}

/// The word in brackets of `always [madvise] never`.
pub(super) fn transparent_huge_pages(root: &MachineRoot) -> Reading<String> {
    root.text("sys/kernel/mm/transparent_hugepage/enabled").and_then(|text| {
        let chosen = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
        Reading::from_option(chosen.map(|(word, _)| word.to_owned()), "no choice is marked")
    })
}
