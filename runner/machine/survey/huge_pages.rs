//! Huge pages: who gathers them, and whether some are set aside.

use super::finding::Finding;
use crate::machine::facts::Facts;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

pub(super) fn transparent(facts: &Facts) -> Finding {
    let always = facts.transparent_huge_pages.known().is_some_and(|choice| choice == "always");
    let finding = Finding::words("transparent_huge_pages", facts.transparent_huge_pages.clone());
    finding.advising(always.then(|| {
        "the kernel may gather huge pages in the middle of a block: `madvise` leaves it to the \
         engine; whichever it is, keep it the same for what is compared"
            .to_owned()
    }))
}

pub(super) fn reserved(root: &MachineRoot) -> Finding {
    let value = root.text("proc/meminfo").and_then(|text| {
        let count = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok())
        };
        let words = count("HugePages_Total:")
            .zip(count("HugePages_Free:"))
            .map(|(total, free)| format!("{total} set aside, {free} free"));
        Reading::from_option(words, "/proc/meminfo does not count them")
    });
    Finding::words("huge_pages", value)
}
