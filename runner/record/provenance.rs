//! What a figure depends on: captured at the start of a run and again at its end.

use std::collections::BTreeMap;

use engine_protocol::{EngineFacts, Form, TensorTypeBytes};
use serde::{Deserialize, Serialize};

use super::environment_provenance::EnvironmentProvenance;
use super::frozen::FrozenDrafter;
use super::hash::ContentHash;
use super::hosts::{ArmPlacement, HostProvenance};
use super::registered::CommitState;
use super::scheduler_provenance::SchedulerProvenance;

/// Facts about a machine by name (`cpu_model`, `kernel`, …); `unknown` where not readable.
pub type MachineFacts = BTreeMap<String, String>;

/// The provenance of a run, as `provenance.toml` stores it. Nothing private: no user names, host
/// names or absolute paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of this form: 1.
    pub format_version: u32,
    /// BLAKE3 over the facts that a figure depends on: see [`Provenance::computed_stack_key`].
    pub stack_key: ContentHash,
    /// How the ledger entry stood in the repository when the run started; absent in records that
    /// were made before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration_at_start: Option<CommitState>,
    /// The program that ran the experiment.
    pub runner: RunnerProvenance,
    /// The repository that holds the manifest.
    pub repository: RepositoryProvenance,
    /// What the figures speak of.
    pub regime: Regime,
    /// The model file.
    pub model: ModelProvenance,
    /// One for each form of it that an arm loaded; empty where all loaded the file as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FormProvenance>,
    /// One for each slice of it that an arm loaded; empty where all loaded the whole file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<SliceProvenance>,
    /// One for each arm in which a model drafted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafters: Vec<FrozenDrafter>,
    /// The inputs.
    pub workload: WorkloadProvenance,
    /// One for each arm that worked on a set of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arm_inputs: Vec<ArmInputsProvenance>,
    /// At the start of the run.
    pub start: Moment,
    /// At its end.
    pub end: Moment,
    /// Facts that were not the same at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FactChange>,
    /// What workers were started with, and what was kept from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentProvenance>,
    /// The cluster's scheduler, where one started the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<SchedulerProvenance>,
    /// One for each different worker.
    pub engines: Vec<EngineProvenance>,
    /// One for each server that an arm's model was spread over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostProvenance>,
    /// Which tensors of such an arm lay where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placements: Vec<ArmPlacement>,
}

/// The program that ran the experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunnerProvenance {
    /// Its version.
    pub version: String,
    /// BLAKE3 of its executable, or `unknown`.
    pub binary_blake3: String,
    /// What the build stamped: source hash, target, profile, features, compiler.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub build: BTreeMap<String, String>,
}

/// The state of the repository that holds the manifest, the runner's own outputs left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryProvenance {
    /// Commit, where git knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether anything but outputs of the runner differs from that commit.
    pub state: CommitState,
}

/// What the figures speak of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regime {
    /// Of off and every judged arm: `whole_model`, `slice of 4 of 30 layers`, or `unknown` for a
    /// user's own file.
    pub extent: String,
    /// Of each arm that ran another part of the model than off.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extent_by_arm: BTreeMap<String, String>,
    /// Backends that really held or computed something, by name.
    pub backends: Vec<String>,
    /// The measurement class.
    pub class: String,
    /// Depths in tokens, one for each condition value.
    pub depth_tokens: Vec<u32>,
    /// For each arm that did not load the model's file as it is, what its weights derive from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights_derived_from: BTreeMap<String, String>,
    /// For each arm that computed a primitive, whether its figures are of the primitive or of the
    /// composition.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub primitives: BTreeMap<String, String>,
}

/// A model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelProvenance {
    /// Name in the catalogue, or the file's name.
    pub name: String,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Size of the file.
    pub bytes: u64,
    /// Licence, or `unknown`.
    pub licence: String,
    /// What the weights derive from, or `unknown`.
    pub weights_derived_from: String,
    /// The engine's name of the architecture, or `unknown`.
    pub architecture: String,
    /// Tensor types, most bytes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensor_types: Vec<TensorTypeBytes>,
}

/// A form of the model, made of its file by an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormProvenance {
    /// Which.
    pub form: Form,
    /// Arms that loaded it.
    pub arms: Vec<String>,
    /// What was done: `requantised from Q4_1`.
    pub derivation: String,
    /// Name and version of the engine that made it.
    pub made_by: String,
    /// BLAKE3 of that engine's sources.
    pub made_by_source_blake3: String,
    /// UTC, RFC 3339.
    pub made_at: String,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
    /// Size of its file.
    pub bytes: u64,
    /// What its weights derive from, whole.
    pub weights_derived_from: String,
    /// Its tensor types, most bytes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensor_types: Vec<TensorTypeBytes>,
}

/// The first layers of the model as a file of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceProvenance {
    /// Arms that loaded it.
    pub arms: Vec<String>,
    /// How many of the first layers it has.
    pub layers: u32,
    /// How many the file has that it was cut of.
    pub of_layers: u32,
    /// SHA-256 of the file that it was cut of, hexadecimal.
    pub cut_from_sha256: String,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
    /// Size of its file.
    pub bytes: u64,
}

/// A form as manifests write it.
pub(crate) fn form_word(form: Form) -> String {
    let json = serde_json::to_value(form).unwrap_or_default();
    json.as_str().unwrap_or("unknown").to_owned()
}

/// A set of inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadProvenance {
    /// Name of the set, or its file's name.
    pub name: String,
    /// BLAKE3 of the set, hexadecimal.
    pub blake3: String,
    /// Licence, or `unknown`.
    pub licence: String,
}

/// The set of an arm that worked on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmInputsProvenance {
    /// The arm.
    pub arm: String,
    /// Name of the set, or its file's name.
    pub name: String,
    /// BLAKE3 of the set, hexadecimal.
    pub blake3: String,
    /// Licence, or `unknown`.
    pub licence: String,
}

/// The machine at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// UTC, RFC 3339.
    pub utc: String,
    /// 0 at the start; at the end the wall time from the first block to the last, without
    /// interruptions, nanoseconds of a monotonic clock.
    pub monotonic_nanoseconds: u64,
    /// The machine.
    pub machine: MachineFacts,
}

/// A fact that was not the same at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactChange {
    /// Its name.
    pub fact: String,
    /// At the start.
    pub start: String,
    /// At the end.
    pub end: String,
}

/// An engine, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineProvenance {
    /// `native`, or the executable relative to the root (else its file name).
    pub worker: String,
    /// Arms that it served.
    pub arms: Vec<String>,
    /// BLAKE3 of the worker's executable, or `unknown`.
    pub executable_blake3: String,
    /// All that it states, with the whole flag list.
    pub facts: EngineFacts,
}
