//! What a manifest's names mean where it stands. Asked while a manifest is checked; nothing is
//! hashed but the texts of workloads.

use crate::failure::Failure;

use super::plan::{Build, MeasurementClass, NoiseSource, Plan};

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
    /// Where its texts come from.
    pub origin: TextOrigin,
}

/// Where the texts of a workload come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrigin {
    /// Each was written or found by itself: a sample of texts like it.
    Drawn,
    /// All were made by one rule, and stand for no texts but themselves.
    Filler,
}

/// What a stored run shows of the noise, and what it was measured on.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseFacts {
    /// Between rounds, percent.
    pub round_sd_percent: f64,
    /// Between blocks of a round, percent.
    pub block_sd_percent: f64,
    /// Degrees of freedom of the spread between rounds.
    pub round_freedom: u32,
    /// Upper 80 % limit of the standard deviation of a round's value, percent.
    pub upper_round_value_sd_percent: f64,
    /// The plan that was run.
    pub plan: Plan,
    /// Where other work disturbed the run so much that it is void: why, in words.
    pub contamination: Option<String>,
}

/// Why a stored run shows no noise.
#[derive(Debug, Clone, PartialEq)]
pub enum NoNoise {
    /// There is none of this name: why, in words.
    Unknown(String),
    /// It is there and cannot be used.
    Unreadable(Failure),
    /// It has fewer than two whole rounds with off and aa.
    TooFewRounds,
}

/// Answers what a manifest's names mean.
pub trait Surroundings {
    /// The set of this name or path.
    ///
    /// # Errors
    /// When there is none: a failure without a place. When its file cannot be used: one with a
    /// place. The words go into the fault.
    fn workload(&self, inputs: &str) -> Result<WorkloadFacts, Failure>;

    /// The statistics that keep a set out of a class, in words: those of every tokenizer that it was
    /// measured with, or else those of its words. None for a set that is not there.
    fn against(&self, inputs: &str, class: MeasurementClass) -> Vec<String> {
        let _ = (inputs, class);
        Vec::new()
    }

    /// Names of the sets that need no file.
    fn workload_names(&self) -> Vec<String>;

    /// Names of all models in the catalogue, and of those that are built in.
    ///
    /// # Errors
    /// When the catalogue cannot be read; the words go into the fault.
    fn model_names(&self) -> Result<Vec<String>, Failure>;

    /// All builds of the catalogue, and those that are built in.
    ///
    /// # Errors
    /// When the catalogue cannot be read; the words go into the fault.
    fn builds(&self) -> Result<Vec<Build>, Failure>;

    /// The noise that a stored run shows.
    ///
    /// # Errors
    /// When there is no such run, it cannot be read, or it is too short.
    fn noise(&self, source: &NoiseSource) -> Result<NoiseFacts, NoNoise>;

    /// All stored runs of the same kind as `source`.
    fn noise_sources(&self, source: &NoiseSource) -> Vec<String>;

    /// The plan of a record (`<id>/<run>`) or of a registered experiment (`<id>`); `None` where there
    /// is no such thing.
    ///
    /// # Errors
    /// When it is there and cannot be read; the words go into the warning.
    fn stored_plan(&self, name: &str) -> Result<Option<Plan>, Failure>;

    /// Whether a path, absolute or from the project's root, is a file.
    fn is_file(&self, path: &str) -> bool;
}
