//! `/proc/vmstat`: major faults and swapping.

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Counted since boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MemoryEvents {
    /// Pages that had to be read from a file or from swap.
    pub(super) major_faults: u64,
    /// Pages swapped in and out.
    pub(super) swapped_pages: u64,
}

pub(super) fn memory_events(root: &MachineRoot) -> Reading<MemoryEvents> {
    root.text("proc/vmstat").and_then(|text| {
        let value = |key: &str| -> Option<u64> {
            text.lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
        };
        let events = value("pgmajfault").zip(value("pswpin").zip(value("pswpout"))).and_then(
            |(major_faults, (swapped_in, swapped_out))| {
                let swapped_pages = swapped_in.checked_add(swapped_out)?;
                Some(MemoryEvents { major_faults, swapped_pages })
            },
        );
        Reading::from_option(events, "/proc/vmstat lacks a counter")
    })
}
