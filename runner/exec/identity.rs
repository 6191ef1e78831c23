//! Which process is meant: a pid alone is used again by others, a pid with its start time is not.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A process by pid and start time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessIdentity {
    /// The process id.
    pub pid: u32,
    /// Clock ticks since boot (`/proc/<pid>/stat`, field 22); `None` where it cannot be read.
    pub start_ticks: Option<u64>,
}

impl ProcessIdentity {
    /// The process that has this pid now.
    #[must_use]
    pub fn of(pid: u32) -> ProcessIdentity {
        ProcessIdentity { pid, start_ticks: start_ticks(pid) }
    }

    /// Whether that very process still runs. A process whose start time was not known is never
    /// taken for running: nobody is ended on a guess.
    #[must_use]
    pub fn runs(&self) -> bool {
        match (self.start_ticks, start_ticks(self.pid)) {
            (Some(then), Some(now)) => then == now && !is_zombie(self.pid),
            _ => false,
        }
    }

    /// Ends that very process, if it still runs.
    pub(super) fn end(&self) {
        if !self.runs() {
            return;
        }
        let pid = i32::try_from(self.pid).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended by itself since: then there is nothing left to do.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// The fields of `/proc/<pid>/stat` from the third on: the second, the name, may hold anything.
fn stat_fields(pid: u32) -> Option<Vec<String>> {
    let path: PathBuf = ["/proc", &pid.to_string(), "stat"].iter().collect();
    let text = std::fs::read_to_string(path).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

fn start_ticks(pid: u32) -> Option<u64> {
    stat_fields(pid)?.get(19)?.parse().ok()
}

fn is_zombie(pid: u32) -> bool {
    stat_fields(pid).is_some_and(|fields| fields.first().is_some_and(|state| state == "Z"))
}

/// This boot of the machine; pids and ticks of another boot say nothing.
pub(super) fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_under_the_same_pid_is_not_taken_for_it() {
        let own = ProcessIdentity::of(std::process::id());
        assert!(own.runs());
        let other = ProcessIdentity { start_ticks: own.start_ticks.map(|ticks| ticks + 1), ..own };
        assert!(!other.runs());
        assert!(!ProcessIdentity { start_ticks: None, ..own }.runs());
    }
}
