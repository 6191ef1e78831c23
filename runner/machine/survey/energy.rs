//! Which counters of energy can be read: what a metric of energy needs.

use super::finding::Finding;
use crate::machine::energy::{Computing, EnergyCounters};
use crate::machine::root::MachineRoot;

pub(super) fn finding(root: &MachineRoot) -> Finding {
    let counters = EnergyCounters::find(root, Computing::Processor);
    Finding::words("energy_counters", counters.map(|counters| counters.names().join(", ")))
}
