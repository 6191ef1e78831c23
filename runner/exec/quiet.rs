//! A look at the machine over a window, outside of a run; and what may be changed to make it steadier.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::conduct::lock_file;
use super::lock::MachineLock;
use super::machine_gate::clocks;
use super::machine_root::{machine_name, machine_root};
use crate::failure::Failure;
use crate::machine::{
    Applied, Facts, Finding, Fit, GateLimits, Restored, Snapshot, Watch, apply, restore, survey,
};

/// What a window showed.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineQuiet {
    /// The machine's name: a hash of its hardware.
    pub machine: String,
    /// Each sensor.
    pub sensors: Vec<Finding>,
}

impl MachineQuiet {
    /// Names of the sensors that came out so.
    #[must_use]
    pub fn named(&self, fit: Fit) -> Vec<&'static str> {
        self.sensors.iter().filter(|sensor| sensor.fit == fit).map(|sensor| sensor.name).collect()
    }

    /// Whether all is fit; not known where no sensor is unfit and one is unknown.
    #[must_use]
    pub fn is_fit(&self) -> Option<bool> {
        if !self.named(Fit::Unfit).is_empty() {
            return Some(false);
        }
        self.named(Fit::Unknown).is_empty().then_some(true)
    }

    /// What does not pass by waiting and has no limit, a lower-case sentence each.
    #[must_use]
    pub fn standing(&self) -> Vec<&str> {
        let without_limit = self.sensors.iter().filter(|sensor| sensor.fit == Fit::Information);
        without_limit.filter_map(|sensor| sensor.advice.as_deref()).collect()
    }
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
    MachineQuiet { machine: machine_name(&facts), sensors: survey(&root, &watch, &LIMITS, &facts) }
}

/// Sets governor and turbo, where this user may; old values go into a file in the cache first.
///
/// # Errors
/// A refusal while a timed run holds the machine; a failure when the file of old values cannot be
/// used: nothing is changed then. Settings that cannot be changed are no failure.
pub fn steady_machine(cache: &Path) -> Result<Applied, Failure> {
    let _lock = MachineLock::take(&lock_file(), "machine quiet --apply")?;
    let file = old_values(cache);
    apply(&machine_root(), &file).map_err(|what| Failure::failed(what).at(file.display()))
}

/// Puts back what [`steady_machine`] changed.
///
/// # Errors
/// As [`steady_machine`].
pub fn restore_machine(cache: &Path) -> Result<Restored, Failure> {
    let _lock = MachineLock::take(&lock_file(), "machine quiet --restore")?;
    let file = old_values(cache);
    restore(&machine_root(), &file).map_err(|what| Failure::failed(what).at(file.display()))
}

/// One file a machine, since a cache may lie on a disk that several share.
fn old_values(cache: &Path) -> PathBuf {
    let name = machine_name(&Facts::read(&machine_root()));
    cache.join("machine").join(format!("{name}-old-values.json"))
}
