//! What happened on the machine between two readings.

mod clocks;
mod counters;
mod cpu;
mod pressure;
mod processes;
mod quota_throttle;
mod snapshot;
mod throttle;
mod window;
mod workers;

pub use processes::ForeignProcess;
pub use snapshot::{Clocks, Snapshot};
pub use window::Watch;

/// Ticks of a second in `/proc`: `USER_HZ`, 100 on every architecture that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

#[cfg(test)]
mod tests;
