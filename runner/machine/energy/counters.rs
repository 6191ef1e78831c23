//! All counters that tell the energy of a piece of work, read together.

use std::time::Duration;

use super::rapl::{self, Zone};
use super::{MachineRoot, Reading};
#[cfg(feature = "cuda")]
use crate::machine::gpu::GpuEnergy;

/// What computes, and so what must be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Computing {
    /// The processor alone: a GPU that idles beside it is no part of the work.
    Processor,
    /// The processor and the GPUs.
    ProcessorAndGpus,
}

/// The counters of a machine.
pub struct EnergyCounters {
    root: MachineRoot,
    zones: Vec<Zone>,
    #[cfg(feature = "cuda")]
    gpus: Option<GpuEnergy>,
}

/// What all counters said at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnergyReading {
    zones: Vec<u64>,
    gpus: Vec<u64>,
}

impl EnergyCounters {
    /// Those that count what computes, or why there are none. One that is there and cannot be read
    /// makes the whole unknown: a sum without it would be too small.
    #[must_use]
    pub fn find(root: &MachineRoot, computing: Computing) -> Reading<EnergyCounters> {
        if root.is_live() && cfg!(target_os = "macos") {
            return Reading::unknown(
                "macOS shows energy only through powermetrics, to root, and this version does not read it",
            );
        }
        if root.is_live() && !cfg!(target_os = "linux") {
            return Reading::unknown("no counter of energy is known on this platform");
        }
        match computing {
            Computing::Processor => rapl::zones(root).map(|zones| EnergyCounters {
                root: root.clone(),
                zones,
                #[cfg(feature = "cuda")]
                gpus: None,
            }),
            Computing::ProcessorAndGpus => with_gpus(root),
        }
    }

    /// Names of all that are read.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let zones = self.zones.iter().map(|zone| zone.name.clone());
        #[cfg(feature = "cuda")]
        let zones = zones.chain(self.gpus.iter().flat_map(GpuEnergy::names));
        zones.collect()
    }

    /// How often the slowest of them moves.
    #[must_use]
    pub fn update_period(&self) -> Duration {
        #[cfg(feature = "cuda")]
        if self.gpus.is_some() {
            return crate::machine::gpu::ENERGY_UPDATE_PERIOD;
        }
        rapl::UPDATE_PERIOD
    }

    /// All of them, now.
    #[must_use]
    pub fn read(&self) -> Reading<EnergyReading> {
        let mut zones = Vec::with_capacity(self.zones.len());
        for zone in &self.zones {
            match zone.read(&self.root) {
                Reading::Known(microjoules) => zones.push(microjoules),
                Reading::Unknown(why) => return Reading::Unknown(why),
            }
        }
        #[cfg(feature = "cuda")]
        let gpus = self.gpus.as_ref().map_or(Reading::Known(Vec::new()), GpuEnergy::read);
        #[cfg(not(feature = "cuda"))]
        let gpus = Reading::Known(Vec::new());
        gpus.map(|gpus| EnergyReading { zones, gpus })
    }

    /// Microjoules between two readings of these counters.
    #[must_use]
    pub fn between(&self, before: &EnergyReading, after: &EnergyReading) -> Option<u64> {
        let counts = before.zones.iter().zip(&after.zones);
        let zones = self.zones.iter().zip(counts);
        let of_zones = zones.map(|(zone, (before, after))| zone.between(*before, *after));
        let gpus = before.gpus.iter().zip(&after.gpus);
        // a driver that was loaded anew counts from zero
        let of_gpus = gpus.map(|(before, after)| after.checked_sub(*before));
        of_zones.chain(of_gpus).try_fold(0_u64, |sum, moved| sum.checked_add(moved?))
    }
}

#[cfg(feature = "cuda")]
fn with_gpus(root: &MachineRoot) -> Reading<EnergyCounters> {
    let gpus = match GpuEnergy::find(root) {
        Reading::Known(gpus) => gpus,
        Reading::Unknown(why) => return Reading::Unknown(why),
    };
    let zones = match rapl::zones(root) {
        Reading::Known(zones) => zones,
        // where the processor's part is hidden altogether, the names say that it is not in the sum
        Reading::Unknown(_) if !rapl::is_there(root) => Vec::new(),
        Reading::Unknown(why) => return Reading::Unknown(why),
    };
    Reading::Known(EnergyCounters { root: root.clone(), zones, gpus: Some(gpus) })
}

#[cfg(not(feature = "cuda"))]
fn with_gpus(_: &MachineRoot) -> Reading<EnergyCounters> {
    Reading::unknown(
        "layers run on a GPU, and this build reads none: NVIDIA's are read by one with the feature `cuda`, others by none",
    )
}
