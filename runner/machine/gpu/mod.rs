//! NVIDIA's GPUs as their management library (NVML) describes them: what stays, for provenance, and
//! what changes while they work, for `machine quiet`. All is unknown, with the reason, where the
//! library is missing. Nothing private: no serial number, no identifier.

mod energy;
mod facts;
mod library;
mod state;

pub(super) use energy::{ENERGY_UPDATE_PERIOD, GpuEnergy};
pub use facts::GpuFacts;
pub(super) use state::findings;

use super::reading::Reading;
use super::root::MachineRoot;
