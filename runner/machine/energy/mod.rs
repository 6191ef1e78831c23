//! Counters of energy: what a machine has taken since some moment, in microjoules. Two readings and
//! their difference say what lay between. Nothing is estimated, and what cannot be read is unknown.

mod counters;
mod rapl;
#[cfg(test)]
mod tests;

pub use counters::{Computing, EnergyCounters, EnergyReading};

use super::reading::Reading;
use super::root::MachineRoot;
