//! What changes while the GPUs work: clocks, temperature, power, and what holds the clocks down.

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};

use super::MachineRoot;
use super::facts::{GpuFacts, ask, texts};
use super::library::{Library, joined};
use crate::machine::survey::Finding;

/// What holds clocks down because of heat or power, by the names of NVML: a figure taken meanwhile
/// is not the GPU's.
const SLOWING: [(ThrottleReasons, &str); 6] = [
    (ThrottleReasons::SW_POWER_CAP, "power cap"),
    (ThrottleReasons::HW_SLOWDOWN, "hardware slowdown"),
    (ThrottleReasons::SYNC_BOOST, "another GPU of its group"),
    (ThrottleReasons::SW_THERMAL_SLOWDOWN, "heat"),
    (ThrottleReasons::HW_THERMAL_SLOWDOWN, "heat, hardware slowdown"),
    (ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN, "power brake"),
];

/// What `machine quiet` says of the GPUs.
pub(in crate::machine) fn findings(root: &MachineRoot) -> Vec<Finding> {
    let facts = GpuFacts::read(root);
    let library = Library::load(root);
    let megahertz = |clock: fn() -> Clock| {
        texts(&library, |library| library.ask_each(|device| device.clock_info(clock())))
    };
    let throttled = ask(&library, |library| {
        library
            .ask_each(|device| device.current_throttle_reasons())
            .map(|all| joined(&all.into_iter().map(slowed_by).collect::<Vec<_>>()))
    });
    vec![
        Finding::words("gpu", facts.gpu),
        Finding::words("gpu_driver", facts.gpu_driver),
        Finding::words("gpu_power_cap_watts", facts.gpu_power_cap_watts),
        Finding::words("gpu_clock_megahertz", megahertz(|| Clock::SM)),
        Finding::words("gpu_memory_clock_megahertz", megahertz(|| Clock::Memory)),
        Finding::words(
            "gpu_celsius",
            texts(&library, |library| {
                library.ask_each(|device| device.temperature(TemperatureSensor::Gpu))
            }),
        ),
        Finding::judged("gpu_throttled", throttled, "nothing", |reasons| {
            (reasons != NOTHING).then(|| {
                format!("its clocks are held down ({reasons}): let it cool, or raise its power cap")
            })
        }),
    ]
}

const NOTHING: &str = "nothing";

/// What of heat and power slows a GPU, in words.
fn slowed_by(reasons: ThrottleReasons) -> String {
    let slowing = SLOWING.iter().filter(|(reason, _)| reasons.contains(*reason));
    let words: Vec<&str> = slowing.map(|(_, word)| *word).collect();
    if words.is_empty() { NOTHING.to_owned() } else { words.join(" and ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_gpu_is_not_slowed() {
        assert_eq!(slowed_by(ThrottleReasons::NONE), NOTHING);
        assert_eq!(slowed_by(ThrottleReasons::GPU_IDLE), NOTHING);
        let both = ThrottleReasons::SW_POWER_CAP | ThrottleReasons::SW_THERMAL_SLOWDOWN;
        assert_eq!(slowed_by(both), "power cap and heat");
    }

    #[test]
    fn all_is_unknown_where_nothing_is_described() {
        let root = MachineRoot::below(std::path::Path::new("/nowhere"));
        assert!(findings(&root).iter().all(|finding| finding.value.known().is_none()));
    }
}
