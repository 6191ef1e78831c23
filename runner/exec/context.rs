//! What a run needs of its surroundings, and what it gives back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine_protocol::{Form, Greeting, Loaded, PeerReport};
use serde::{Deserialize, Serialize};

use super::executable::Executables;
use super::gate::Gate;
use super::limits::RequestLimits;
use crate::failure::Failure;
use crate::manifest::{Arm, Plan};
use crate::record::HostProvenance;
use crate::verdict::{Evidence, PromptCacheFinding};

/// The workload's items, in the order of the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    /// At least one.
    pub items: Vec<Item>,
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Unique in the set.
    pub id: String,
    /// UTF-8.
    pub text: String,
}

/// A run's surroundings.
pub struct RunContext<'run> {
    /// Runs are stored under `<results>/<id>/<run>/`.
    pub results: PathBuf,
    /// Private copies and scratch files go under `<cache>/runs/<run>/`.
    pub cache: PathBuf,
    /// Held for the whole run: one timed run a machine.
    pub lock_file: PathBuf,
    /// Where worker executables are found.
    pub executables: Executables,
    /// The model file, resolved and verified by the caller.
    pub model_path: PathBuf,
    /// Files of the forms of it that arms load, verified by the caller.
    pub form_paths: BTreeMap<Form, PathBuf>,
    /// Files of the slices of it that arms load, by arm, verified by the caller.
    pub slice_paths: BTreeMap<String, PathBuf>,
    /// Files of the models that draft, by arm, verified by the caller.
    pub draft_paths: BTreeMap<String, PathBuf>,
    /// The workload, loaded and verified by the caller.
    pub inputs: Inputs,
    /// The set of each arm that has its own, by arm, loaded and verified by the caller.
    pub arm_inputs: BTreeMap<String, Inputs>,
    /// Whether the machine is quiet.
    pub gate: &'run mut dyn Gate,
    /// How long a request may take.
    pub limits: RequestLimits,
    /// Facts at the start (provenance), stored in the journal's first entry and handed back even
    /// after a resumption. `exec` does not look into them.
    pub start_facts: serde_json::Value,
}

impl RunContext<'_> {
    /// What an arm works on: the workload, or a set of its own.
    pub(super) fn inputs_of(&self, arm: &str) -> &Inputs {
        self.arm_inputs.get(arm).unwrap_or(&self.inputs)
    }

    /// The file that an arm loads: a slice of the model, a form of it, or the file as it is.
    ///
    /// # Errors
    /// A refusal when the caller gave no such file.
    pub(super) fn model_of(&self, plan: &Plan, arm: &Arm) -> Result<&Path, Failure> {
        let missing = |what: &str| Failure::refused(format!("{what} is not there")).at(&arm.name);
        if plan.layers_of(arm).is_some() {
            let path = self.slice_paths.get(arm.name.as_str());
            return path.map(PathBuf::as_path).ok_or_else(|| missing("a slice of the model"));
        }
        let Some(form) = plan.form_of(arm) else { return Ok(&self.model_path) };
        let path = self.form_paths.get(&form).map(PathBuf::as_path);
        path.ok_or_else(|| missing("a form of the model"))
    }
}

impl std::fmt::Debug for RunContext<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RunContext")
            .field("results", &self.results)
            .field("cache", &self.cache)
            .field("model_path", &self.model_path)
            .finish_non_exhaustive()
    }
}

/// What preflight learned of one arm's worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmWorker {
    /// The arm.
    pub arm: String,
    /// BLAKE3 of the executable, hexadecimal.
    pub executable_blake3: String,
    /// What the worker said of itself.
    pub greeting: Greeting,
    /// What it loaded. `None` when the arm ended before.
    pub loaded: Option<Loaded>,
}

/// A run that came to an end, whatever end: ready to be judged and sealed.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedRun {
    /// All that the judgement reads.
    pub evidence: Evidence,
    /// Name of the run's folder.
    pub run: String,
    /// The run's folder; it holds the journal.
    pub run_dir: PathBuf,
    /// UTC, RFC 3339.
    pub started_at: String,
    /// UTC, RFC 3339.
    pub ended_at: String,
    /// As given when the run was first started.
    pub start_facts: serde_json::Value,
    /// What other engines told, by condition and arm.
    pub peers: BTreeMap<(u32, String), PeerReport>,
    /// What other engines keep of prompts, by arm.
    pub prompt_cache: BTreeMap<String, PromptCacheFinding>,
    /// What preflight learned of each arm's worker.
    pub workers: Vec<ArmWorker>,
    /// And of the servers that arms are spread over.
    pub hosts: Vec<HostProvenance>,
}
