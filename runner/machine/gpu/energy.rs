//! What the GPUs have taken since their driver was loaded.

use std::time::Duration;

use super::library::Library;
use super::{MachineRoot, Reading};

/// How often the counters move at least. NVML documents no period; published measurements of its power
/// readings found 20 to 100 ms by model, and the longest is taken here.
pub(in crate::machine) const ENERGY_UPDATE_PERIOD: Duration = Duration::from_millis(100);

/// The counters of all GPUs that the driver shows.
pub(in crate::machine) struct GpuEnergy {
    library: Library,
    names: Vec<String>,
}

impl GpuEnergy {
    /// Where the driver has them: NVIDIA's from Volta on.
    pub(in crate::machine) fn find(root: &MachineRoot) -> Reading<GpuEnergy> {
        let library = match Library::load(root) {
            Reading::Known(library) => library,
            Reading::Unknown(why) => return Reading::Unknown(why),
        };
        let read = library.ask_each(|device| device.total_energy_consumption());
        let found = read.and_then(|_| library.ask_each(|device| device.name()));
        found.map(|found| GpuEnergy {
            names: (0..)
                .zip(found)
                .map(|(at, name): (u32, String)| format!("GPU {at} {name}"))
                .collect(),
            library,
        })
    }

    /// `GPU 0 NVIDIA H200`.
    pub(in crate::machine) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Microjoules of each.
    pub(in crate::machine) fn read(&self) -> Reading<Vec<u64>> {
        let millijoules = self.library.ask_each(|device| device.total_energy_consumption());
        millijoules.map(|all| all.into_iter().map(|one| one.saturating_mul(1000)).collect())
    }
}
