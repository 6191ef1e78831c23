//! The gates that are required: each has a line from the start, and none can be forgotten.

use serde::Serialize;

use super::gate::{Gate, GateKind, GateState};

/// A line for every required gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Checklist {
    gates: Vec<Gate>,
}

impl Checklist {
    /// All of them not run yet.
    #[must_use]
    pub fn of(required: &[GateKind]) -> Checklist {
        let gates = required.iter().map(|gate| Gate::not_run(*gate, "nothing was compared"));
        Checklist { gates: gates.collect() }
    }

    /// Puts a gate's outcome in its line; one that was not required gets a line of its own.
    pub fn settle(&mut self, gate: Gate) {
        match self.gates.iter_mut().find(|line| line.gate == gate.gate) {
            Some(line) => *line = gate,
            None => self.gates.push(gate),
        }
    }

    /// The lines.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// One line.
    #[must_use]
    pub fn gate(&self, kind: GateKind) -> Option<&Gate> {
        self.gates.iter().find(|line| line.gate == kind)
    }

    /// Whether there is a line and every one passed.
    #[must_use]
    pub fn passes(&self) -> bool {
        !self.gates.is_empty() && self.gates.iter().all(|line| line.state == GateState::Pass)
    }

    /// Gates that compared something and were not kept.
    #[must_use]
    pub fn failed(&self) -> Vec<GateKind> {
        let failed = self.gates.iter().filter(|line| line.state == GateState::Fail);
        failed.map(|line| line.gate).collect()
    }
}
