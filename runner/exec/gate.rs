//! The question whether the machine is quiet. The sensors stand in `machine`.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::manifest;

/// Asked between blocks.
pub trait Gate {
    /// Whether a block may start, judged over the sensors' own window up to now. May take as long
    /// as that window.
    fn before_block(&mut self, limits: &manifest::Gate) -> GateOutcome;

    /// Flags for the block that was begun by the last [`Gate::before_block`] that let it pass:
    /// names of arm-blind sensors (`others_cpu`, `pressure`, …). No commas in a name.
    fn after_block(&mut self, limits: &manifest::Gate) -> Vec<String>;

    /// Processes that work for this run and are no children of it: servers that were started
    /// beforehand. Called before the first block.
    fn count_as_ours(&mut self, _processes: &[u32]) {}

    /// What the machine was like during the block of the last [`Gate::after_block`], by name and
    /// unit. Information: none of it flags.
    fn readings(&self) -> BTreeMap<String, f64> {
        BTreeMap::new()
    }
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateOutcome {
    /// Go.
    Quiet,
    /// Something else is going on.
    Busy {
        /// Which sensor, its value and the limit.
        detail: String,
        /// Do nothing for so long, then ask again.
        pause: Duration,
    },
    /// There was no reading yet; this wait does not count.
    NotYet {
        /// Do nothing for so long, then ask again.
        pause: Duration,
    },
    /// The platform hides what is needed; the block goes, and its readings say so.
    Unknown {
        /// What could not be read.
        detail: String,
    },
}

/// A gate that is always open, for pilots of a design and for tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenGate;

impl Gate for OpenGate {
    fn before_block(&mut self, _limits: &manifest::Gate) -> GateOutcome {
        GateOutcome::Quiet
    }

    fn after_block(&mut self, _limits: &manifest::Gate) -> Vec<String> {
        Vec::new()
    }
}
