//! What registration freezes beside the manifest.

use engine_protocol::{EngineFacts, Form};
use serde::{Deserialize, Serialize};

use super::hash::ContentHash;
use crate::manifest::{Freeze, WorkerChoice};

/// Hashes of all that a manifest names, at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// Version of the rules of judgement.
    pub rules_version: u32,
    /// How much of the engines is held against the registration.
    pub freeze: Freeze,
    /// The model file.
    pub model: FrozenModel,
    /// One for each form of it that an arm loads, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FrozenForm>,
    /// One for each arm that loads a slice of it, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<FrozenSlice>,
    /// One for each arm in which a model drafts, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafters: Vec<FrozenDrafter>,
    /// The workload.
    pub inputs: FrozenInputs,
    /// One for each arm that has a set of its own, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arm_inputs: Vec<FrozenArmInputs>,
    /// One for each different worker of the manifest, sorted by `worker`.
    pub engines: Vec<FrozenEngine>,
    /// The commits of a history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<FrozenHistory>,
    /// Of which history this experiment is a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_of: Option<HistoryStep>,
}

/// The commits among which one is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenHistory {
    /// The good one's hash.
    pub good: String,
    /// Hashes of those after it, oldest first; the last is the bad one.
    pub commits: Vec<String>,
}

/// A step of a search for a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryStep {
    /// The history's experiment.
    pub history: String,
    /// Hash of its canonical manifest.
    pub manifest_hash: String,
    /// From 1.
    pub number: u32,
    /// Hash of the commit that the treatment runs.
    pub commit: String,
}

/// A model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenModel {
    /// Name in the catalogue, or the file's name.
    pub name: String,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
}

/// A model that drafts, or the slice that does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenDrafter {
    /// The arm.
    pub arm: String,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
}

/// A form of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenForm {
    /// Which; the manifest says which arms load it.
    pub form: Form,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
}

/// A slice of the model: its first layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenSlice {
    /// The arm.
    pub arm: String,
    /// How many of the first layers it has.
    pub layers: u32,
    /// How many the file has that it was cut of.
    pub of_layers: u32,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
}

/// A set of inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenInputs {
    /// Name of the set, or its file's name.
    pub name: String,
    /// BLAKE3 of the set, hexadecimal.
    pub blake3: String,
}

/// The set of an arm that has its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenArmInputs {
    /// The arm.
    pub arm: String,
    /// Name of the set, or its file's name.
    pub name: String,
    /// BLAKE3 of the set, hexadecimal.
    pub blake3: String,
}

/// An engine behind a worker.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FrozenEngine {
    /// `native`, or the executable as the manifest writes it.
    pub worker: String,
    /// The engine's name.
    pub name: String,
    /// The engine's own version.
    pub version: String,
    /// BLAKE3 of the source tree (or of prebuilt libraries), hexadecimal.
    pub source_blake3: String,
    /// BLAKE3 over source hash, compiler, flags and instruction set: see [`FrozenEngine::of`].
    pub build_blake3: String,
}

impl FrozenEngine {
    /// The facts of a worker, reduced to what is frozen.
    ///
    /// `build_blake3` is taken over lines `name value`, each ended by a newline, in this order:
    /// `source`, `compiler`, one `flag COMPONENT FLAG` for each flag (components sorted, flags in
    /// order), one `isa EXTENSION` each, sorted.
    #[must_use]
    pub fn of(worker: &WorkerChoice, facts: &EngineFacts) -> FrozenEngine {
        FrozenEngine {
            worker: worker_name(worker),
            name: facts.name.clone(),
            version: facts.version.clone(),
            source_blake3: facts.source_blake3.clone(),
            build_blake3: ContentHash::of(build_text(facts).as_bytes()).into(),
        }
    }
}

/// `native`, the executable as the manifest writes it, or `build NAME`.
#[must_use]
pub fn worker_name(worker: &WorkerChoice) -> String {
    match worker {
        WorkerChoice::Native => "native".to_owned(),
        WorkerChoice::Executable(path) => path.clone(),
        WorkerChoice::Build(build) => format!("build {}", build.name),
        WorkerChoice::Peer(peer) => format!("peer {}", peer.name()),
    }
}

fn build_text(facts: &EngineFacts) -> String {
    let mut lines =
        vec![format!("source {}", facts.source_blake3), format!("compiler {}", facts.compiler)];
    for (component, flags) in &facts.flags {
        lines.extend(flags.iter().map(|flag| format!("flag {component} {flag}")));
    }
    let mut extensions = facts.instruction_set.clone();
    extensions.sort();
    lines.extend(extensions.iter().map(|extension| format!("isa {extension}")));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
