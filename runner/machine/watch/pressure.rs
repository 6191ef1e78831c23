//! `/proc/pressure/cpu`: how long somebody waited for a processor.

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// The line `some`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pressure {
    /// Average over the last ten seconds, percent. Holds what ended seconds ago, too.
    pub(super) last_ten_seconds_percent: f64,
    /// Microseconds since boot.
    pub(super) total_microseconds: u64,
}

pub(super) fn pressure(root: &MachineRoot) -> Reading<Pressure> {
    root.text("proc/pressure/cpu")
        .and_then(|text| Reading::from_option(parse(&text), "/proc/pressure/cpu is malformed"))
}

fn parse(text: &str) -> Option<Pressure> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let value = |key: &str| some.split_whitespace().find_map(|word| word.strip_prefix(key));
    Some(Pressure {
        last_ten_seconds_percent: value("avg10=")?.parse().ok()?,
        total_microseconds: value("total=")?.parse().ok()?,
    })
}
