//! Who this machine is, and whether it is quiet. Reads `/proc` and `/sys` below a root that tests
//! replace; readings of clocks are handed in. One file a sensor.

mod block_flags;
mod control_groups;
mod energy;
mod facts;
#[cfg(test)]
mod fixture;
mod gate;
#[cfg(feature = "cuda")]
mod gpu;
mod instruction_set;
mod limits;
mod lock;
mod process_memory;
mod processors;
mod reading;
mod root;
mod sensor;
mod survey;
mod tuning;
mod watch;

pub use energy::{Computing, EnergyCounters, EnergyReading};
pub use facts::{Cache, Facts, Quota, memory_limit};
pub use gate::{GateLimits, QuietGate, Quietness};
#[cfg(feature = "cuda")]
pub use gpu::GpuFacts;
pub use instruction_set::{extensions_of, missing_extensions};
pub use lock::lock_path;
pub use process_memory::ProcessMemory;
pub use reading::Reading;
pub use root::MachineRoot;
pub use sensor::{Fit, SensorReading};
pub use survey::{Finding, Value, survey};
pub use tuning::{Applied, Refused, Restored, apply, restore};
pub use watch::{Clocks, ForeignProcess, Snapshot, Watch};
