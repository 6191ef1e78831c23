//! The gate over the machine's own sensors.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::clock;
use super::gate::{Gate, GateOutcome};
use super::machine_root::{PlayedClocks, machine_root};
use crate::machine::{Clocks, GateLimits, QuietGate, Quietness, SensorReading};
use crate::manifest;

/// Asks the sensors of `machine`; the limits are those of the plan that is run.
#[derive(Default)]
pub struct MachineGate {
    sensors: Option<QuietGate<'static>>,
    /// Beside this process and its children.
    ours: BTreeSet<u32>,
    /// What the last look before a block took, and the one after it.
    spent: (Duration, Duration),
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
        let ours = &self.ours;
        let sensors = self.sensors.get_or_insert_with(|| {
            let limits = GateLimits {
                others_cpu_percent: limits.others_cpu_percent,
                pressure_percent: limits.pressure_percent,
            };
            // The workers are our children, and found as such.
            let mut all = ours.clone();
            all.insert(std::process::id());
            let own = move || all.clone();
            QuietGate::new(machine_root(), limits, clocks, own)
        });
        let begun = Instant::now();
        let quietness = sensors.before_block();
        self.spent.0 = begun.elapsed();
        match quietness {
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
        let begun = Instant::now();
        let flags = self.sensors.as_mut().map(QuietGate::after_block).unwrap_or_default();
        self.spent.1 = begun.elapsed();
        flags.into_iter().map(str::to_owned).collect()
    }

    fn count_as_ours(&mut self, processes: &[u32]) {
        self.ours.extend(processes);
    }

    fn readings(&self) -> BTreeMap<String, f64> {
        let readings = self.sensors.as_ref().map(QuietGate::readings).into_iter().flatten();
        let spent = (self.spent.0 + self.spent.1).as_secs_f64() * 1e3;
        readings
            .map(|(name, value)| ((*name).to_owned(), *value))
            .chain([("gate_milliseconds".to_owned(), spent)])
            .collect()
    }
}

fn in_words(reading: &SensorReading) -> String {
    let value =
        reading.value.known().map_or_else(|| "unknown".to_owned(), |value| format!("{value:.1}"));
    let opens_at = reading
        .opens_at
        .filter(|opens_at| *opens_at < reading.limit)
        .map_or_else(String::new, |opens_at| format!(", and a shut gate opens at {opens_at}"));
    // no advice: it names processes, and this text may end in a record
    format!("{} is {value} {} (limit {}{opens_at})", reading.name, reading.unit, reading.limit)
}

/// All clocks, for the sensors; a described machine may have slept, or have been set another time.
pub(super) fn clocks() -> Clocks {
    let monotonic = clock::monotonic();
    let slept = clock::slept();
    let utc = clock::utc_nanoseconds();
    let played = PlayedClocks::read();
    let boottime = slept.map(|slept| {
        clock::nanoseconds(monotonic.saturating_add(slept).saturating_add(played.slept))
    });
    Clocks {
        monotonic_nanoseconds: clock::nanoseconds(monotonic),
        boottime_nanoseconds: boottime,
        // the wall clock goes on in sleep
        utc_nanoseconds: utc
            .and_then(|utc| utc.checked_add(clock::nanoseconds(played.slept)))
            .and_then(|utc| utc.checked_add_signed(played.stepped_nanoseconds())),
    }
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
