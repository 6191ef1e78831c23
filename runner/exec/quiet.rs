//! A look at the machine over a window, outside of a run.

use std::collections::BTreeSet;
use std::time::Duration;

use super::machine_gate::clocks;
use super::machine_root::{machine_name, machine_root};
use crate::machine::{Facts, GateLimits, SensorReading, Snapshot, Watch, report, standing};

/// What a window showed.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineQuiet {
    /// The machine's name: a hash of its hardware.
    pub machine: String,
    /// Each sensor.
    pub sensors: Vec<SensorReading>,
    /// What does not pass by waiting.
    pub standing: Vec<String>,
}

/// Limits for a look without a manifest: those of the manifest language's defaults.
const LIMITS: GateLimits = GateLimits { others_cpu_percent: 10.0, pressure_percent: 10.0 };

/// Reads all sensors over a window in which this program sleeps.
#[must_use]
pub fn machine_quiet(window: Duration) -> MachineQuiet {
    let root = machine_root();
    let own = BTreeSet::from([std::process::id()]);
    let facts = Facts::read(&root);
    let before = Snapshot::take(&root, clocks(), &own);
    std::thread::sleep(window);
    let after = Snapshot::take(&root, clocks(), &own);
    let watch = Watch::between(&before, &after);
    MachineQuiet {
        machine: machine_name(&facts),
        sensors: report(&watch, &LIMITS, &facts),
        standing: standing(&facts),
    }
}
