//! What a manifest's names mean where it stands. Asked while a manifest is checked; nothing is
//! hashed but the texts of workloads.

use crate::failure::Failure;

use super::plan::MeasurementClass;

/// A workload as far as a check needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadFacts {
    /// Number of items.
    pub items: usize,
    /// Bytes of all items' texts together. A token is at least one byte.
    pub bytes: u64,
    /// Classes that it serves.
    pub classes: Vec<MeasurementClass>,
    /// BLAKE3 of the set, hexadecimal.
    pub blake3: String,
}

/// Answers what a manifest's names mean.
pub trait Surroundings {
    /// The set of this name or path.
    ///
    /// # Errors
    /// When there is none: a failure without a place. When its file cannot be used: one with a
    /// place. The words go into the fault.
    fn workload(&self, inputs: &str) -> Result<WorkloadFacts, Failure>;

    /// Names of the sets that need no file.
    fn workload_names(&self) -> Vec<String>;

    /// Names of all models in the catalogue, and of those that are built in.
    ///
    /// # Errors
    /// When the catalogue cannot be read; the words go into the fault.
    fn model_names(&self) -> Result<Vec<String>, Failure>;

    /// Whether a path, absolute or from the project's root, is a file.
    fn is_file(&self, path: &str) -> bool;
}
