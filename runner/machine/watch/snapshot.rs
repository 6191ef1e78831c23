//! All counters at one time.

use std::collections::BTreeSet;

use super::counters::{MemoryEvents, memory_events};
use super::cpu::{CpuTime, cpu_time};
use super::pressure::{Pressure, pressure};
use super::processes::Processes;
use crate::machine::reading::Reading;
use crate::machine::root::MachineRoot;

/// Clocks, as the caller read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// `CLOCK_MONOTONIC`, which stands still while the machine sleeps, nanoseconds.
    pub monotonic_nanoseconds: u64,
    /// `CLOCK_BOOTTIME`, which goes on meanwhile, nanoseconds; `None` where there is none.
    pub boottime_nanoseconds: Option<u64>,
}

/// Counters since boot, at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(super) clocks: Clocks,
    pub(super) cpu: Reading<CpuTime>,
    pub(super) processes: Reading<Processes>,
    pub(super) pressure: Reading<Pressure>,
    pub(super) memory: Reading<MemoryEvents>,
}

impl Snapshot {
    /// Reads all counters; takes some milliseconds where there are hundreds of processes. `own` are
    /// the numbers of our processes; everything below them in the tree is ours too.
    #[must_use]
    pub fn take(root: &MachineRoot, clocks: Clocks, own: &BTreeSet<u32>) -> Snapshot {
        Snapshot {
            clocks,
            // Next to each other: what is busy in between would count as others' time.
            processes: Processes::read(root, own),
            cpu: cpu_time(root),
            pressure: pressure(root),
            memory: memory_events(root),
        }
    }

    /// When it was taken.
    #[must_use]
    pub fn clocks(&self) -> Clocks {
        self.clocks
    }
}
