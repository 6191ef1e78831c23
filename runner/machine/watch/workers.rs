//! What the scheduler says of our workers' threads: `/proc/<pid>/task/<tid>/schedstat` (time on a
//! processor, time in a run queue: nanoseconds) and `sched` (switches and migrations).

use std::collections::BTreeMap;

use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// `sched` is a page of text for each thread: with more threads than these it is left alone, so that
/// a reading stays under a millisecond or two (some 20 µs a file).
const MOST_THREADS_IN_DETAIL: usize = 32;

/// Since each thread's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ThreadTimes {
    run_nanoseconds: u64,
    wait_nanoseconds: u64,
    /// Switches and migrations.
    moves: Option<(u64, u64)>,
}

/// All threads of our workers at one time, by process and thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WorkerThreads {
    threads: BTreeMap<(u32, u32), ThreadTimes>,
}

/// What they did between two times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WorkerMoves {
    /// On a processor, all threads together.
    pub(super) run_nanoseconds: u64,
    /// Ready to run, and waiting for a processor.
    pub(super) wait_nanoseconds: u64,
    /// Of all threads that live.
    pub(super) switches: Reading<u64>,
    /// From one processor to another.
    pub(super) migrations: Reading<u64>,
}

impl WorkerThreads {
    /// Reads the threads of these processes; those that end meanwhile are left out.
    pub(super) fn read(root: &MachineRoot, workers: &[u32]) -> Reading<WorkerThreads> {
        let mut threads = BTreeMap::new();
        for pid in workers {
            for name in root.names(&format!("proc/{pid}/task")) {
                let Ok(tid) = name.parse::<u32>() else { continue };
                let folder = format!("proc/{pid}/task/{tid}");
                let text = root.text(&format!("{folder}/schedstat"));
                if let Some(times) = text.known().and_then(|text| times(text)) {
                    threads.insert((*pid, tid), times);
                } else if root.path(&folder).is_dir() {
                    return Reading::unknown("the scheduler keeps no statistics of threads");
                }
            }
        }
        if threads.is_empty() {
            return Reading::unknown("no worker of ours runs: `exec` reads it around each block");
        }
        if threads.len() <= MOST_THREADS_IN_DETAIL {
            for ((pid, tid), thread) in &mut threads {
                let text = root.text(&format!("proc/{pid}/task/{tid}/sched"));
                thread.moves = text.known().and_then(|text| moves(text));
            }
        }
        Reading::Known(WorkerThreads { threads })
    }

    /// What was added since. A thread that is new counts from its start.
    pub(super) fn since(&self, before: &WorkerThreads) -> WorkerMoves {
        let mut run_nanoseconds: u64 = 0;
        let mut wait_nanoseconds: u64 = 0;
        let mut moves: Option<(u64, u64)> = Some((0, 0));
        for (thread, now) in &self.threads {
            let then = before.threads.get(thread).copied();
            let earlier = then.unwrap_or(ThreadTimes { moves: Some((0, 0)), ..Default::default() });
            let run = now.run_nanoseconds.saturating_sub(earlier.run_nanoseconds);
            let wait = now.wait_nanoseconds.saturating_sub(earlier.wait_nanoseconds);
            run_nanoseconds = run_nanoseconds.saturating_add(run);
            wait_nanoseconds = wait_nanoseconds.saturating_add(wait);
            moves = moves.zip(now.moves.zip(earlier.moves)).map(|(sum, (now, earlier))| {
                let switches = now.0.saturating_sub(earlier.0);
                let migrations = now.1.saturating_sub(earlier.1);
                (sum.0.saturating_add(switches), sum.1.saturating_add(migrations))
            });
        }
        let why = "the scheduler does not say it of each thread (or there are too many threads)";
        WorkerMoves {
            run_nanoseconds,
            wait_nanoseconds,
            switches: Reading::from_option(moves.map(|moves| moves.0), why),
            migrations: Reading::from_option(moves.map(|moves| moves.1), why),
        }
    }
}

/// `run wait slices`.
fn times(text: &str) -> Option<ThreadTimes> {
    let mut fields = text.split_whitespace();
    let run_nanoseconds = fields.next()?.parse().ok()?;
    let wait_nanoseconds = fields.next()?.parse().ok()?;
    Some(ThreadTimes { run_nanoseconds, wait_nanoseconds, moves: None })
}

/// `nr_switches : 12`, `se.nr_migrations : 3`, among others.
fn moves(text: &str) -> Option<(u64, u64)> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim().parse::<u64>().ok()).flatten()
        })
    };
    value("nr_switches").zip(value("se.nr_migrations"))
}
