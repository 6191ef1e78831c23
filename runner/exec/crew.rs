//! The workers of a round, all resident, one computing at a time.

use std::collections::BTreeMap;

use super::worker::Worker;

/// Living workers by arm.
#[derive(Debug, Default)]
pub(super) struct Crew {
    pub(super) workers: BTreeMap<usize, Worker>,
    /// Process ids of servers on this machine that they are spread over.
    pub(super) servers: Vec<u32>,
}

impl Crew {
    /// Their process ids, and those of what other engines started.
    pub(super) fn pids(&self) -> Vec<u32> {
        self.workers.values().flat_map(Worker::pids).collect()
    }

    /// Their process ids and their servers': all that must be at rest while one is measured.
    pub(super) fn resident(&self) -> Vec<u32> {
        self.pids().into_iter().chain(self.servers.iter().copied()).collect()
    }

    /// Time in which they computed since this was last asked.
    pub(super) fn take_busy_nanoseconds(&mut self) -> u64 {
        self.workers.values_mut().map(|worker| std::mem::take(&mut worker.busy_nanoseconds)).sum()
    }

    /// Ends all of them in good order.
    pub(super) fn shut_down(self) {
        for worker in self.workers.into_values() {
            worker.shut_down();
        }
    }
}
