//! What a figure may depend on and what stays while the GPUs work.

use nvml_wrapper::enum_wrappers::device::Clock;
use serde::Serialize;

use super::library::{Library, joined};
use super::{MachineRoot, Reading};

/// Facts of all GPUs; their names are those of provenance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GpuFacts {
    /// Names.
    pub gpu: Reading<String>,
    /// How many there are.
    pub gpu_count: Reading<u32>,
    /// Version of the driver.
    pub gpu_driver: Reading<String>,
    /// Memory, bytes.
    pub gpu_memory_bytes: Reading<String>,
    /// Power that the driver holds them to, watts.
    pub gpu_power_cap_watts: Reading<String>,
    /// Highest clock of the multiprocessors, megahertz.
    pub gpu_highest_clock_megahertz: Reading<String>,
    /// Highest clock of the memory, megahertz.
    pub gpu_highest_memory_clock_megahertz: Reading<String>,
}

impl GpuFacts {
    /// Reads all facts.
    #[must_use]
    pub fn read(root: &MachineRoot) -> GpuFacts {
        let library = Library::load(root);
        GpuFacts {
            gpu: texts(&library, |library| library.ask_each(|device| device.name())),
            gpu_count: ask(&library, |library| library.ask(|nvml| nvml.device_count())),
            gpu_driver: ask(&library, |library| library.ask(|nvml| nvml.sys_driver_version())),
            gpu_memory_bytes: texts(&library, |library| {
                library.ask_each(|device| device.memory_info().map(|memory| memory.total))
            }),
            gpu_power_cap_watts: texts(&library, |library| {
                library.ask_each(|device| {
                    device.enforced_power_limit().map(|milliwatts| f64::from(milliwatts) / 1e3)
                })
            }),
            gpu_highest_clock_megahertz: texts(&library, |library| {
                library.ask_each(|device| device.max_clock_info(Clock::SM))
            }),
            gpu_highest_memory_clock_megahertz: texts(&library, |library| {
                library.ask_each(|device| device.max_clock_info(Clock::Memory))
            }),
        }
    }
}

/// An answer of the library, or why it could not be loaded.
pub(super) fn ask<T>(
    library: &Reading<Library>,
    question: impl FnOnce(&Library) -> Reading<T>,
) -> Reading<T> {
    match library {
        Reading::Known(library) => question(library),
        Reading::Unknown(why) => Reading::Unknown(why.clone()),
    }
}

/// Answers of all GPUs as one text.
pub(super) fn texts<T: ToString + PartialEq>(
    library: &Reading<Library>,
    question: impl FnOnce(&Library) -> Reading<Vec<T>>,
) -> Reading<String> {
    ask(library, question).map(|answers| joined(&answers))
}
