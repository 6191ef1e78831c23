//! `/proc/stat`: processor time of the whole machine since boot.

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Ticks since boot, all processors together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CpuTime {
    /// User, nice, system and interrupts. Guests are part of user already.
    pub(super) busy: u64,
    /// Time that the hypervisor gave to others.
    pub(super) steal: u64,
    /// Processors with a line of their own.
    pub(super) processors: u32,
    /// Context switches, all processors together.
    pub(super) context_switches: u64,
}

pub(super) fn cpu_time(root: &MachineRoot) -> Reading<CpuTime> {
    root.text("proc/stat")
        .and_then(|text| Reading::from_option(parse(&text), "/proc/stat is malformed"))
}

fn parse(text: &str) -> Option<CpuTime> {
    let mut lines = text.lines();
    let total = lines.next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> =
        total.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    // user nice system idle iowait irq softirq steal guest guest_nice (proc_stat(5))
    let [user, nice, system, _idle, _wait, interrupt, soft, steal, ..] = ticks[..] else {
        return None;
    };
    let per_processor = |line: &&str| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let processors = u32::try_from(text.lines().filter(per_processor).count()).ok()?;
    let context_switches =
        text.lines().find_map(|line| line.strip_prefix("ctxt "))?.trim().parse().ok()?;
    let busy = [nice, system, interrupt, soft]
        .iter()
        .try_fold(user, |sum, part| sum.checked_add(*part))?;
    Some(CpuTime { busy, steal, processors, context_switches })
}
