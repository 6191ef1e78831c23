//! Engine, worker and model.

use engine_protocol::{Form, Settings};
use serde::{Deserialize, Serialize};

use super::build::Build;
use super::environment::Environment;
use super::peer::Peer;

/// The engine that all arms share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineBase {
    /// `native`, or the path of a worker executable, relative to the project's root.
    pub worker: WorkerChoice,
    /// Name in `experiments/models.toml`, or a file with its hash.
    pub model: ModelChoice,
    /// The model in another form, in every arm that names none; `None`: the file as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// The model cut to its first layers, in every arm that names none; `None`: the whole model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<u32>,
    /// Settings of every arm.
    pub settings: Settings,
    /// How much of the engine registration freezes.
    pub freeze: Freeze,
    /// Variables of every arm's worker.
    #[serde(default, skip_serializing_if = "Environment::is_empty")]
    pub environment: Environment,
}

/// Which program serves an arm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerChoice {
    /// The engine that `runner` was built with.
    Native,
    /// A worker executable that speaks the protocol, relative to the project's root or absolute.
    Executable(String),
    /// A declared build of the engine.
    Build(Box<Build>),
    /// Another engine.
    Peer(Box<Peer>),
}

/// Which model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelChoice {
    /// By its name in the catalogue (`experiments/models.toml`, and what is built in).
    Named(String),
    /// A user's own file.
    File {
        /// Relative to the project's root, or absolute.
        path: String,
        /// SHA-256, hexadecimal.
        sha256: String,
    },
}

/// What of the engine must be the same at `exec` as at registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Freeze {
    /// Source tree, compiler and flags: the default.
    Build,
    /// The source tree alone, so that other machines may run the same registration.
    Source,
}
