//! `/proc/pressure/cpu` and `/proc/pressure/memory`: how long somebody waited for a processor, or
//! for memory to be freed or read back. The kernel's documentation: "PSI - Pressure Stall
//! Information".

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource {
    Processor,
    Memory,
}

impl Resource {
    fn file(self) -> &'static str {
        match self {
            Resource::Processor => "proc/pressure/cpu",
            Resource::Memory => "proc/pressure/memory",
        }
    }
}

/// The line `some`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pressure {
    /// Average over the last ten seconds, percent. Holds what ended seconds ago, too.
    pub(super) last_ten_seconds_percent: f64,
    /// Microseconds since boot.
    pub(super) total_microseconds: u64,
}

pub(super) fn pressure(root: &MachineRoot, resource: Resource) -> Reading<Pressure> {
    let file = resource.file();
    root.text(file)
        .and_then(|text| Reading::from_option(parse(&text), format!("/{file} is malformed")))
}

fn parse(text: &str) -> Option<Pressure> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let value = |key: &str| some.split_whitespace().find_map(|word| word.strip_prefix(key));
    Some(Pressure {
        last_ten_seconds_percent: value("avg10=")?.parse().ok()?,
        total_microseconds: value("total=")?.parse().ok()?,
    })
}
