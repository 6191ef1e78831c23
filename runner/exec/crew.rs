//! The workers of a round, all resident, one computing at a time.

use std::collections::BTreeMap;

use super::worker::Worker;

/// Living workers by arm.
#[derive(Debug, Default)]
pub(super) struct Crew {
    pub(super) workers: BTreeMap<usize, Worker>,
}

impl Crew {
    /// Their process ids, and those of what other engines started.
    pub(super) fn pids(&self) -> Vec<u32> {
        self.workers.values().flat_map(Worker::pids).collect()
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
