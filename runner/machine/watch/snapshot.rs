//! All counters at one time.

use std::collections::BTreeSet;

use super::counters::{MemoryEvents, memory_events};
use super::cpu::{CpuTime, cpu_time};
use super::pressure::{Pressure, Resource, pressure};
use super::processes::Processes;
use super::quota_throttle::throttled_periods;
use super::throttle::throttle_events;
use super::workers::WorkerThreads;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Clocks, as the caller read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// `CLOCK_MONOTONIC`, which stands still while the machine sleeps, nanoseconds.
    pub monotonic_nanoseconds: u64,
    /// `CLOCK_BOOTTIME`, which goes on meanwhile, nanoseconds; `None` where there is none.
    pub boottime_nanoseconds: Option<u64>,
    /// The wall clock, nanoseconds since 1970; `None` where it is before that.
    pub utc_nanoseconds: Option<u64>,
}

/// Counters since boot, at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(super) clocks: Clocks,
    pub(super) cpu: Reading<CpuTime>,
    pub(super) processes: Reading<Processes>,
    pub(super) pressure: Reading<Pressure>,
    pub(super) memory_pressure: Reading<Pressure>,
    pub(super) memory: Reading<MemoryEvents>,
    pub(super) throttle_events: Reading<u64>,
    pub(super) throttled_periods: Reading<u64>,
    pub(super) workers: Reading<WorkerThreads>,
}

impl Snapshot {
    /// Reads all counters; takes some milliseconds where there are hundreds of processes. `own` are
    /// the numbers of our processes; everything below them in the tree is ours too.
    #[must_use]
    pub fn take(root: &MachineRoot, clocks: Clocks, own: &BTreeSet<u32>) -> Snapshot {
        Snapshot::with(Processes::read(root, own), root, clocks, own)
    }

    /// The same without other processes one by one, where the kernel allows: quick, but a window
    /// between two such snapshots names nobody.
    #[must_use]
    pub fn take_quickly(root: &MachineRoot, clocks: Clocks, own: &BTreeSet<u32>) -> Snapshot {
        Snapshot::with(Processes::read_own(root, own), root, clocks, own)
    }

    fn with(
        processes: Reading<Processes>,
        root: &MachineRoot,
        clocks: Clocks,
        own: &BTreeSet<u32>,
    ) -> Snapshot {
        // Right after the processes: what is busy in between would count as others' time.
        let cpu = cpu_time(root);
        let workers =
            processes.known().map_or_else(Vec::new, |processes| processes.descendants_of(own));
        Snapshot {
            clocks,
            processes,
            cpu,
            pressure: pressure(root, Resource::Processor),
            memory_pressure: pressure(root, Resource::Memory),
            memory: memory_events(root),
            throttle_events: throttle_events(root),
            throttled_periods: throttled_periods(root),
            workers: WorkerThreads::read(root, &workers),
        }
    }

    /// When it was taken.
    #[must_use]
    pub fn clocks(&self) -> Clocks {
        self.clocks
    }
}
