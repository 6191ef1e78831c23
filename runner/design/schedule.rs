//! What is run in which order: a pure function of the plan and its seed.

use serde::{Deserialize, Serialize};

/// The whole schedule of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// In order of execution.
    pub rounds: Vec<Round>,
}

/// All blocks between two restarts of the workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// From 0.
    pub index: u32,
    /// Order in which the workers are started, as indices of arms (balanced: start order is a
    /// nuisance of its own).
    pub start_order: Vec<usize>,
    /// In order of execution.
    pub blocks: Vec<Block>,
}

/// Every arm on the same input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// From 0 within the round, over all condition values.
    pub index: u32,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Index into the workload's items.
    pub input: usize,
    /// Order of the arms in even chunks, as indices of arms; odd chunks run it backwards.
    pub order: Vec<usize>,
    /// Number of chunks; 1 for work that cannot be cut.
    pub chunks: u32,
}
