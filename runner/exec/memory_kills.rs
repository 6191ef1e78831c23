//! Whether the system ended a process for want of memory.

/// How often the kernel has done so since boot (`oom_kill` in `/proc/vmstat`); `None` where it
/// cannot be read.
pub(super) fn count() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/vmstat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}
