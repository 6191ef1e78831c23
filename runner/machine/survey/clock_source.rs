//! Where the kernel takes the time from.

use super::finding::Finding;
use crate::machine::facts::Facts;

/// Sources that need a system call and a read of a device for each reading of the clock: some
/// microseconds, against some tens of nanoseconds (kernel documentation, "timekeeping").
const SLOW: [&str; 5] = ["hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"];

pub(super) fn finding(facts: &Facts) -> Finding {
    let wanted = "one that is read without a system call";
    Finding::judged("clock_source", facts.clock_source.clone(), wanted, |source| {
        SLOW.contains(&source).then(|| {
            "each reading of the clock takes microseconds: see why the kernel gave up the processor's \
             own counter (`dmesg`), and measure longer pieces"
                .to_owned()
        })
    })
}
