//! What the operating system says of the workers' memory once a round's last block is done.

use super::crew::Crew;
use super::job::Job;
use crate::machine::{MachineRoot, ProcessMemory};
use crate::verdict::MemoryReading;

/// A reading of each worker that still runs. Workers are processes of this machine, whichever
/// machine the sensors are told of.
pub(super) fn readings(job: &Job<'_>, crew: &Crew, round: u32) -> Vec<MemoryReading> {
    let root = MachineRoot::live();
    let of_worker = |(arm, pid): (&str, u32)| {
        let read = ProcessMemory::read(&root, pid);
        MemoryReading {
            arm: arm.to_owned(),
            round,
            resident_bytes: read.resident_bytes.known().copied(),
            proportional_bytes: read.proportional_bytes.known().copied(),
            anonymous_bytes: read.anonymous_bytes.known().copied(),
            file_bytes: read.file_bytes.known().copied(),
            major_faults: read.major_faults.known().copied(),
        }
    };
    // before another engine stands an adapter, whose memory says nothing
    let workers = crew.workers.iter().filter(|(arm, _)| !job.is_paired_whole(**arm));
    let named = workers.map(|(arm, worker)| (job.name(*arm), worker.identity().pid));
    named.map(of_worker).collect()
}
