//! Who this machine is, and whether it is quiet. Reads `/proc` and `/sys` below a root that tests
//! replace; readings of clocks are handed in. One file a sensor.

mod facts;
#[cfg(test)]
mod fixture;
mod gate;
mod lock;
mod quiet;
mod reading;
mod root;
mod watch;

pub use facts::{Cache, Facts, Quota};
pub use gate::{GateLimits, QuietGate, Quietness};
pub use lock::lock_path;
pub use quiet::{Fit, SensorReading, report, standing};
pub use reading::Reading;
pub use root::MachineRoot;
pub use watch::{Clocks, ForeignProcess, Snapshot, Watch};
