//! Whether resident workers are at rest while another one is measured.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between the two readings of a check. Long enough for a spinning thread to gain run time many
/// times over at nanosecond resolution, short against any chunk.
const WINDOW: Duration = Duration::from_micros(300);

/// How long a worker may take to come to rest before the block is flagged: OpenMP's threads spin
/// for some milliseconds after their last parallel region.
const SETTLE: Duration = Duration::from_millis(50);

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// All at rest.
    Idle,
    /// At least one went on computing for the whole time.
    Busy,
    /// The platform does not tell.
    Unknown,
}

/// Waits until the processes are at rest, within the limit.
pub(super) fn settle(pids: &[u32]) -> Rest {
    let begun = Instant::now();
    loop {
        match look(pids) {
            Rest::Busy if begun.elapsed() < SETTLE => {}
            seen => return seen,
        }
    }
}

/// One look: no thread is running, and no run time is gained over the window. Both are asked,
/// since the kernel adds a running thread's time to these statistics only at its ticks.
fn look(pids: &[u32]) -> Rest {
    let Some(before) = run_nanoseconds(pids) else { return Rest::Unknown };
    std::thread::sleep(WINDOW);
    let Some(after) = run_nanoseconds(pids) else { return Rest::Unknown };
    if before != after || pids.iter().any(|pid| is_running(*pid)) { Rest::Busy } else { Rest::Idle }
}

/// Run time of each process, summed over its threads. `None` when the statistics are not there.
fn run_nanoseconds(pids: &[u32]) -> Option<Vec<u64>> {
    pids.iter()
        .map(|pid| {
            let mut sum: u64 = 0;
            for task in tasks(*pid)? {
                // A thread that ended between the listing and the reading gains nothing any more.
                let Ok(statistics) = std::fs::read_to_string(task.join("schedstat")) else {
                    if task.exists() {
                        return None;
                    }
                    continue;
                };
                let run: u64 = statistics.split_whitespace().next()?.parse().ok()?;
                sum = sum.saturating_add(run);
            }
            Some(sum)
        })
        .collect()
}

/// Whether a thread of the process is running or waits for a processor.
fn is_running(pid: u32) -> bool {
    tasks(pid).into_iter().flatten().any(|task| {
        let stat = std::fs::read_to_string(task.join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'))
    })
}

/// The folders of a process's threads.
fn tasks(pid: u32) -> Option<Vec<PathBuf>> {
    let folder = Path::new("/proc").join(pid.to_string()).join("task");
    std::fs::read_dir(folder).ok()?.map(|task| Some(task.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_sleeping_process_is_idle_and_a_spinning_one_is_not() {
        let mut sleeping = Command::new("sleep").arg("30").spawn().unwrap();
        let mut spinning = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Both are given time to get past their own start.
        std::thread::sleep(Duration::from_millis(100));
        let seen = (settle(&[sleeping.id()]), settle(&[sleeping.id(), spinning.id()]));
        for child in [&mut sleeping, &mut spinning] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if seen.0 != Rest::Unknown {
            assert_eq!(seen, (Rest::Idle, Rest::Busy));
        }
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        assert_eq!(settle(&[u32::MAX]), Rest::Unknown);
    }
}
