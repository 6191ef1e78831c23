//! The machine's sensors as a run's gate.

use std::collections::BTreeSet;

use super::clock::clocks;
use super::gate::{Gate, GateOutcome};
use crate::machine::{GateLimits, MachineRoot, QuietGate, Quietness, SensorReading};
use crate::manifest;

/// Asks the sensors of this machine.
pub struct MachineGate {
    quiet: QuietGate<'static>,
}

impl std::fmt::Debug for MachineGate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MachineGate").finish_non_exhaustive()
    }
}

impl MachineGate {
    /// With the registered limits. Everything below this process in the tree is our own.
    #[must_use]
    pub fn new(root: MachineRoot, limits: &manifest::Gate) -> MachineGate {
        let limits = GateLimits {
            others_cpu_percent: limits.others_cpu_percent,
            pressure_percent: limits.pressure_percent,
        };
        let own = || BTreeSet::from([std::process::id()]);
        MachineGate { quiet: QuietGate::new(root, limits, clocks, own) }
    }
}

impl Gate for MachineGate {
    fn before_block(&mut self, _limits: &manifest::Gate) -> GateOutcome {
        loop {
            match self.quiet.before_block() {
                Quietness::Quiet => return GateOutcome::Quiet,
                Quietness::Wait { pause, unfit } => {
                    std::thread::sleep(pause);
                    if !unfit.is_empty() {
                        let details: Vec<String> = unfit.iter().map(described).collect();
                        return GateOutcome::Busy { detail: details.join("; ") };
                    }
                }
            }
        }
    }

    fn after_block(&mut self, _limits: &manifest::Gate) -> Vec<String> {
        self.quiet.after_block().into_iter().map(str::to_owned).collect()
    }
}

/// `others_cpu 83 % of one processor (at most 10)`. No process names: this text is stored.
fn described(reading: &SensorReading) -> String {
    let value = reading.value.known().map_or_else(|| "unknown".to_owned(), |v| format!("{v:.0}"));
    format!("{} {value} {} (at most {})", reading.name, reading.unit, reading.limit)
}
