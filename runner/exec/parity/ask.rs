//! What is asked.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::golden::GoldenPlace;
use crate::manifest::WorkerChoice;

/// What is looked at beside the required gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParityPart {
    /// Every loaded tensor against the checkpoint.
    Weights,
    /// Quantised forms against their own weights.
    Forms,
    /// Deliberately broken copies.
    Controls,
    /// A sequence among others.
    Slots,
}

/// Which goldens, and what beside the required gates.
#[derive(Debug, Clone, PartialEq)]
pub struct ParityAsk {
    /// At least one.
    pub goldens: Vec<GoldenPlace>,
    /// Beside the gates.
    pub parts: BTreeSet<ParityPart>,
    /// The checkpoint, where it does not lie beside the golden.
    pub checkpoint: Option<PathBuf>,
    /// Which worker computes.
    pub worker: WorkerChoice,
}
