//! The gate over the machine's own sensors.

use std::collections::BTreeSet;

use super::clock;
use super::gate::{Gate, GateOutcome};
use super::machine_root::machine_root;
use crate::machine::{Clocks, GateLimits, QuietGate, Quietness, SensorReading};
use crate::manifest;

/// Asks the sensors of `machine`; the limits are those of the plan that is run.
#[derive(Default)]
pub struct MachineGate {
    sensors: Option<QuietGate<'static>>,
}

impl std::fmt::Debug for MachineGate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MachineGate").finish_non_exhaustive()
    }
}

impl MachineGate {
    /// Nothing is read yet.
    #[must_use]
    pub fn new() -> MachineGate {
        MachineGate::default()
    }
}

impl Gate for MachineGate {
    fn before_block(&mut self, limits: &manifest::Gate) -> GateOutcome {
        let sensors = self.sensors.get_or_insert_with(|| {
            let limits = GateLimits {
                others_cpu_percent: limits.others_cpu_percent,
                pressure_percent: limits.pressure_percent,
            };
            // The workers are our children, and found as such.
            let own = || BTreeSet::from([std::process::id()]);
            QuietGate::new(machine_root(), limits, clocks, own)
        });
        match sensors.before_block() {
            Quietness::Quiet => {
                let unread = sensors.unread();
                if unread.is_empty() {
                    return GateOutcome::Quiet;
                }
                GateOutcome::Unknown { detail: unread.join(", ") }
            }
            Quietness::Wait { pause, unfit } if unfit.is_empty() => GateOutcome::NotYet { pause },
            Quietness::Wait { pause, unfit } => {
                let words: Vec<String> = unfit.iter().map(in_words).collect();
                GateOutcome::Busy { detail: words.join("; "), pause }
            }
        }
    }

    fn after_block(&mut self, _limits: &manifest::Gate) -> Vec<String> {
        let flags = self.sensors.as_mut().map(QuietGate::after_block).unwrap_or_default();
        flags.into_iter().map(str::to_owned).collect()
    }
}

fn in_words(reading: &SensorReading) -> String {
    let value =
        reading.value.known().map_or_else(|| "unknown".to_owned(), |value| format!("{value:.1}"));
    // no advice: it names processes, and this text may end in a record
    format!("{} is {value} {} (limit {})", reading.name, reading.unit, reading.limit)
}

/// Both clocks, for the sensors.
pub(super) fn clocks() -> Clocks {
    let monotonic = clock::monotonic();
    let slept = clock::slept();
    let boottime = slept.map(|slept| clock::nanoseconds(monotonic.saturating_add(slept)));
    Clocks { monotonic_nanoseconds: clock::nanoseconds(monotonic), boottime_nanoseconds: boottime }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_wide_limits_it_opens_once_it_has_a_reading() {
        let limits = manifest::Gate {
            others_cpu_percent: 1e9,
            pressure_percent: 1e9,
            wait_seconds: 60.0,
            contaminated_percent: 20.0,
        };
        let mut gate = MachineGate::new();
        let GateOutcome::NotYet { pause } = gate.before_block(&limits) else { panic!() };
        std::thread::sleep(pause);
        // What this platform hides is named, and holds nothing up.
        let opened = gate.before_block(&limits);
        let open = matches!(opened, GateOutcome::Quiet | GateOutcome::Unknown { .. });
        assert!(open, "{opened:?}");
        assert!(!gate.after_block(&limits).contains(&"others_cpu".to_owned()));
    }
}
