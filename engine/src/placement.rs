//! Which threads compute, where they may run, and how they are scheduled: read back from the
//! operating system, since the engine only warns when a request fails. Linux; elsewhere `None`.

use std::collections::BTreeSet;
use std::fs;

use engine_protocol::Priority;

use crate::ProcessorMask;

/// A thread of this process as the kernel sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ThreadPlacement {
    pub(crate) allowed: ProcessorMask,
    /// Number of the scheduling policy (`SCHED_OTHER` is 0, `SCHED_FIFO` 1, `SCHED_BATCH` 3).
    pub(crate) policy: u32,
    pub(crate) realtime_priority: u32,
}

/// Threads of this process; empty where that cannot be read.
pub(crate) fn threads() -> BTreeSet<u32> {
    let Ok(entries) = fs::read_dir("/proc/self/task") else { return BTreeSet::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The calling thread.
#[cfg(target_os = "linux")]
pub(crate) fn own_thread() -> Option<u32> {
    u32::try_from(rustix::thread::gettid().as_raw_nonzero().get()).ok()
}

/// The calling thread.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_thread() -> Option<u32> {
    None
}

/// Processors that the calling thread may run on.
pub(crate) fn allowed_processors() -> Option<ProcessorMask> {
    allowed_in(&fs::read_to_string("/proc/thread-self/status").ok()?)
}

/// Bytes of this process that are locked in memory.
pub(crate) fn locked_bytes() -> Option<u64> {
    locked_in(&fs::read_to_string("/proc/self/status").ok()?)
}

/// How one thread is placed; `None` when it is gone, or the platform does not tell.
pub(crate) fn placement_of(thread: u32) -> Option<ThreadPlacement> {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/status")).ok()?;
    let stat = fs::read_to_string(format!("/proc/self/task/{thread}/stat")).ok()?;
    let (realtime_priority, policy) = schedule_in(&stat)?;
    Some(ThreadPlacement { allowed: allowed_in(&status)?, policy, realtime_priority })
}

/// Policy and real-time priority that ggml asks for on Linux (`ggml_thread_apply_priority`);
/// `None` for the normal priority, which leaves a thread as it is.
pub(crate) fn schedule_for(priority: Priority) -> Option<(u32, u32)> {
    match priority {
        Priority::Normal => None,
        Priority::Low => Some((3, 0)),
        Priority::Medium => Some((1, 40)),
        Priority::High => Some((1, 80)),
        Priority::Realtime => Some((1, 90)),
    }
}

fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// `Cpus_allowed` is hexadecimal in groups: `ff,ffffffff`.
fn allowed_in(status: &str) -> Option<ProcessorMask> {
    let digits = field(status, "Cpus_allowed")?.replace(',', "");
    ProcessorMask::parse(&format!("0x{digits}")).ok()
}

/// `VmLck` is in kibibytes: `0 kB`.
fn locked_in(status: &str) -> Option<u64> {
    let kibibytes: u64 = field(status, "VmLck")?.strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Fields 40 and 41 of proc(5)'s `stat`; the second field is a name in brackets that may contain
/// anything, so counting starts after it with field 3.
fn schedule_in(stat: &str) -> Option<(u32, u32)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(37);
    let realtime_priority = fields.next()?.parse().ok()?;
    let policy = fields.next()?.parse().ok()?;
    Some((realtime_priority, policy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_in_groups_is_read() {
        let status = "Name:\tx\nCpus_allowed:\t1,00000003\nCpus_allowed_list:\t0-1,32\n";
        assert_eq!(allowed_in(status).unwrap().iter().collect::<Vec<_>>(), [0, 1, 32]);
    }

    #[test]
    fn locked_memory_is_read_in_bytes() {
        assert_eq!(locked_in("VmPin:\t0 kB\nVmLck:\t     12 kB\n"), Some(12288));
        assert_eq!(locked_in("Name:\tx\n"), None);
    }

    #[test]
    fn the_schedule_is_found_behind_a_hostile_name() {
        let mut stat = "7 (a) b (c) S".to_owned();
        for number in 4..=52 {
            stat.push_str(&format!(" {number}"));
        }
        assert_eq!(schedule_in(&stat), Some((40, 41)));
        assert_eq!(schedule_in("7 (a) S 1 2"), None);
    }
}
