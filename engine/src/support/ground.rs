//! What the build and the machine offer: the two other sides of the support table.

use std::fs;
use std::thread;

use crate::native::{Capability, DeviceKind, Library};
use crate::{EngineError, ProcessorMask, placement};

/// Operating systems that differ in what they honour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Affinity, priority and memory nodes can all be set.
    Linux,
    /// Threads cannot be bound to processors.
    MacOs,
    /// Neither affinity nor priority is set by the engine.
    Other,
}

/// Where threads come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threading {
    /// The compiler's runtime. It waits in its own way, and the engine applies mask and priority
    /// only when more than one thread computes.
    OpenMp,
    /// The engine's own pools.
    OwnPools,
}

/// One build on one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// The operating system.
    pub platform: Platform,
    /// Where threads come from.
    pub threading: Threading,
    /// Devices beside the CPU that layers can be put on.
    pub accelerators: usize,
    /// Why there is none although a backend for one was compiled in; empty where nothing is wrong.
    pub device_trouble: String,
    /// Whether devices of servers on other machines can be used.
    pub uses_servers: bool,
    /// Memory nodes of the machine; 1 where that cannot be known.
    pub memory_nodes: usize,
    /// Whether a file can be mapped.
    pub maps_files: bool,
    /// Whether memory can be locked.
    pub locks_memory: bool,
    /// Processors that this process may run on.
    pub processors: ProcessorMask,
    /// Processors this process may use at once: those above, or a quota when that is less.
    pub usable_processors: u32,
}

impl Ground {
    /// Asks the build and the machine.
    pub(crate) fn read(library: &Library) -> Result<Self, EngineError> {
        let openmp = library.can(Capability::ThreadsAreOpenMp);
        let device_trouble = library.device_trouble()?;
        let devices = library.devices()?;
        let devices = devices.iter().filter(|kind| **kind == DeviceKind::Accelerator);
        // One that cannot be used counts for nothing.
        let accelerators = if device_trouble.is_empty() { devices.count() } else { 0 };
        let usable = thread::available_parallelism().map_or(1, usize::from);
        let usable = u32::try_from(usable).unwrap_or(u32::MAX);
        let processors = placement::allowed_processors().unwrap_or_else(|| (0..usable).collect());
        Ok(Self {
            platform: platform(),
            threading: if openmp { Threading::OpenMp } else { Threading::OwnPools },
            accelerators,
            device_trouble,
            uses_servers: library.can(Capability::UseServers),
            memory_nodes: memory_nodes(),
            maps_files: library.can(Capability::Map),
            locks_memory: library.can(Capability::Lock),
            processors,
            usable_processors: usable,
        })
    }

    /// Linux on two processors, OpenMP, no device: what tests start from.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self {
            platform: Platform::Linux,
            threading: Threading::OpenMp,
            accelerators: 0,
            device_trouble: String::new(),
            uses_servers: false,
            memory_nodes: 1,
            maps_files: true,
            locks_memory: true,
            processors: (0..2).collect(),
            usable_processors: 2,
        }
    }
}

fn platform() -> Platform {
    if cfg!(target_os = "linux") {
        Platform::Linux
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Other
    }
}

/// Counted as ggml counts them: `node0`, `node1`, … without a gap.
fn memory_nodes() -> usize {
    let nodes = (0..)
        .take_while(|node| {
            fs::exists(format!("/sys/devices/system/node/node{node}")).unwrap_or(false)
        })
        .count();
    nodes.max(1)
}
