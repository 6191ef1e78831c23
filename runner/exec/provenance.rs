//! What a figure depends on, read at the start of a run and again at its end.

use std::collections::BTreeMap;
use std::path::Path;

use engine_protocol::TensorPlacement;
use serde::{Deserialize, Serialize};

use super::builds::{MADE_BY, stand_in};
use super::clock::utc_now;
use super::context::FinishedRun;
use super::environment;
use super::executable::hash_file;
use super::git::{file_state, git_facts, tree_state};
use super::machine_root::{DESCRIBED_BY, machine_name, machine_root};
use super::prepare::Prepared;
use super::scheduler::scheduler;
use crate::failure::Failure;
use crate::machine::Facts;
use crate::manifest::Plan;
use crate::model;
use crate::project::Project;
use crate::record::{
    ArmPlacement, Circumstances, CommitState, EngineProvenance, EnvironmentProvenance,
    MachineFacts, ModelProvenance, Moment, Provenance, ProvenanceParts, Regime, Registered,
    RepositoryProvenance, RunnerProvenance, SchedulerProvenance, WorkloadProvenance, host_name,
    ledger_folder, machine_facts, worker_name,
};
use crate::verdict::{condition_label, regime_of};

/// What a binary was built from, as its build stamped it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildStamp {
    /// Name and value, such as `source_blake3`.
    pub facts: BTreeMap<String, String>,
}

/// Read before the run; the journal keeps it over interruptions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StartFacts {
    runner: RunnerProvenance,
    repository: RepositoryProvenance,
    moment: Moment,
    /// How the ledger entry that is followed stands in the repository; absent in a quick look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    registration: Option<CommitState>,
    /// Names of variables that matter to an engine and are set where the run is started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variables: Vec<String>,
    /// The cluster's scheduler, where one started the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scheduler: Option<SchedulerProvenance>,
}

impl StartFacts {
    /// Reads all facts now.
    pub(super) fn read(
        project: &Project,
        stamp: &BuildStamp,
        registered: Option<&Registered>,
    ) -> StartFacts {
        let binary = std::env::current_exe().and_then(|path| hash_file(&path));
        let git = git_facts(&project.root, &project.root.join("results"));
        StartFacts {
            runner: RunnerProvenance {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                binary_blake3: binary.unwrap_or_else(|_| "unknown".to_owned()),
                build: stamp.facts.clone(),
            },
            repository: RepositoryProvenance {
                state: tree_state(&project.root, &git),
                commit: git.commit,
            },
            moment: moment(0),
            registration: registered.map(|registered| entry_state(project, registered)),
            variables: environment::scrubbed(std::env::vars_os()),
            scheduler: scheduler(project),
        }
    }

    /// For the journal's first entry.
    pub(super) fn to_value(&self) -> Result<serde_json::Value, Failure> {
        serde_json::to_value(self).map_err(|error| Failure::failed(error.to_string()))
    }

    /// From the journal's first entry.
    fn from_value(value: &serde_json::Value) -> Result<StartFacts, Failure> {
        serde_json::from_value(value.clone()).map_err(|error| {
            Failure::failed(format!("the journal's facts of the start cannot be read: {error}"))
        })
    }
}

/// How the entry that a run follows stands in the repository: what is not committed before the run
/// proves nothing of the order.
fn entry_state(project: &Project, registered: &Registered) -> CommitState {
    let name = format!("{}.toml", registered.entry());
    let own = project.with_own_results();
    [project, &own]
        .into_iter()
        .map(|place| ledger_folder(place, &registered.plan().id).join(&name))
        .find(|file| file.is_file())
        .map_or(CommitState::Unknown, |file| file_state(&project.root, &file))
}

/// When and at which state of the repository something is registered.
#[must_use]
pub fn circumstances(project: &Project, manifest: &Path) -> Circumstances {
    let git = git_facts(&project.root, &project.root.join("results"));
    let absolute = std::path::absolute(manifest).unwrap_or_else(|_| manifest.to_path_buf());
    Circumstances { at: utc_now(), commit: git.commit, state: file_state(&project.root, &absolute) }
}

/// When and at which state of the repository something is written that no manifest stands for.
#[must_use]
pub fn moment_of(project: &Project) -> Circumstances {
    let git = git_facts(&project.root, &project.root.join("results"));
    Circumstances { at: utc_now(), state: tree_state(&project.root, &git), commit: git.commit }
}

/// The provenance of a run that has just ended.
pub(super) fn provenance(
    plan: &Plan,
    project: &Project,
    prepared: &Prepared,
    finished: &FinishedRun,
) -> Result<Provenance, Failure> {
    let start = StartFacts::from_value(&finished.start_facts)?;
    let facts = model::inspect(&prepared.model.path).ok();
    let unknown = || "unknown".to_owned();
    let loaded = finished.workers.iter().find_map(|worker| worker.loaded.as_ref());
    let mut backends: Vec<String> = finished
        .workers
        .iter()
        .filter_map(|worker| worker.loaded.as_ref())
        .flat_map(|loaded| loaded.backends.iter().cloned())
        .collect();
    backends.sort();
    backends.dedup();
    let (extent, extent_by_arm) = prepared.slices.extents(plan);
    let parts = ProvenanceParts {
        runner: start.runner,
        registration: start.registration,
        repository: start.repository,
        regime: Regime {
            extent,
            extent_by_arm,
            backends,
            class: word(&plan.workload.class)?,
            depth_tokens: plan
                .condition_values()
                .into_iter()
                .map(|value| plan.depth_at(value))
                .collect(),
            weights_derived_from: prepared.forms.derivations(plan, &prepared.model),
            primitives: primitives(plan, finished),
        },
        model: ModelProvenance {
            name: prepared.model.name.clone(),
            sha256: prepared.model.sha256.as_str().to_owned(),
            bytes: prepared.model.bytes,
            licence: prepared.model.licence.clone().unwrap_or_else(unknown),
            weights_derived_from: prepared.model.derived_from.clone().unwrap_or_else(unknown),
            architecture: loaded.map_or_else(unknown, |loaded| loaded.model.architecture.clone()),
            tensor_types: facts.map(|facts| facts.tensor_types).unwrap_or_default(),
        },
        workload: WorkloadProvenance {
            name: plan.workload.inputs.clone(),
            blake3: prepared.set.blake3.to_string(),
            licence: prepared.set.licence.clone(),
        },
        arm_inputs: prepared.sets.provenance(),
        start: start.moment,
        end: Moment {
            utc: finished.ended_at.clone(),
            ..moment(finished.evidence.facts.wall_nanoseconds)
        },
        forms: prepared.forms.provenance(plan, &prepared.model),
        slices: prepared.slices.provenance(plan),
        drafters: prepared.drafters.frozen(),
        environment: Some(variables(plan, start.variables)),
        scheduler: start.scheduler,
        engines: engines(plan, finished),
        hosts: finished.hosts.clone(),
        placements: placements(plan, finished),
    };
    Ok(Provenance::assemble(parts, &project.root))
}

/// What was registered reached its arms with the registered value; the rest reached none.
fn variables(plan: &Plan, found: Vec<String>) -> EnvironmentProvenance {
    let of_arms = || plan.arms.iter().map(|arm| (arm, plan.environment_of(arm)));
    let everywhere = |name: &String| of_arms().all(|(_, registered)| registered.has(name));
    let registered = of_arms().filter(|(_, registered)| !registered.is_empty());
    let set = registered.map(|(arm, registered)| {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        (arm.name.to_string(), registered.iter().map(owned).collect())
    });
    EnvironmentProvenance {
        set: set.collect(),
        scrubbed: found.into_iter().filter(|name| !everywhere(name)).collect(),
    }
}

/// What each arm's figures speak of, at each condition value.
fn primitives(plan: &Plan, finished: &FinishedRun) -> BTreeMap<String, String> {
    let values = plan.condition_values();
    let mut regimes: BTreeMap<String, String> = BTreeMap::new();
    for one in &finished.evidence.facts.primitives {
        let value = values.get(one.condition as usize).copied().flatten();
        let label = condition_label(plan, value);
        let at = if label.is_empty() { label } else { format!("at {label}: ") };
        let regime = format!("{at}{}", regime_of(one));
        let known = regimes.entry(one.arm.clone()).or_default();
        if !known.is_empty() {
            known.push_str("; ");
        }
        known.push_str(&regime);
    }
    regimes
}

/// Which tensors of which arm lay where. A server's buffers are named as the server is.
fn placements(plan: &Plan, finished: &FinishedRun) -> Vec<ArmPlacement> {
    let loaded = finished.workers.iter().filter_map(|one| Some((one, one.loaded.as_ref()?)));
    let told = loaded.flat_map(|(one, loaded)| {
        let arm = plan.arms.iter().find(|arm| arm.name.as_str() == one.arm);
        let servers = arm.and_then(|arm| plan.settings_of(arm).rpc_servers);
        loaded.placement.iter().map(move |tensors| {
            let named = servers.iter().flatten().fold(tensors.device.clone(), |name, server| {
                name.replace(&format!("[{server}]"), &format!("[{}]", host_name(server)))
            });
            let tensors = TensorPlacement { device: named, ..tensors.clone() };
            ArmPlacement { arm: one.arm.clone(), tensors }
        })
    });
    told.collect()
}

fn engines(plan: &Plan, finished: &FinishedRun) -> Vec<EngineProvenance> {
    let mut engines: Vec<EngineProvenance> = Vec::new();
    for arm in &plan.arms {
        let Some(worker) = finished.workers.iter().find(|one| one.arm == arm.name.as_str()) else {
            continue;
        };
        let name = worker_name(plan.worker_of(arm));
        match engines.iter_mut().find(|engine| engine.worker == name) {
            Some(engine) => engine.arms.push(arm.name.to_string()),
            None => engines.push(EngineProvenance {
                worker: name.to_owned(),
                arms: vec![arm.name.to_string()],
                executable_blake3: worker.executable_blake3.clone(),
                facts: worker.greeting.engine.clone(),
            }),
        }
    }
    engines
}

fn moment(monotonic_nanoseconds: u64) -> Moment {
    let root = machine_root();
    let facts = Facts::read(&root);
    let mut machine = machine_facts(&facts);
    #[cfg(feature = "cuda")]
    machine.extend(machine_facts(&crate::machine::GpuFacts::read(&root)));
    if !root.is_live() {
        let (name, value) = DESCRIBED_BY;
        machine.insert(name.to_owned(), value.to_owned());
    }
    if stand_in().is_some() {
        let (name, value) = MADE_BY;
        machine.insert(name.to_owned(), value.to_owned());
    }
    machine.insert("machine".to_owned(), machine_name(&facts));
    Moment { utc: utc_now(), monotonic_nanoseconds, machine }
}

/// The machine's facts now.
pub(super) fn machine_now() -> MachineFacts {
    moment(0).machine
}

fn word(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_value(value).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(json.as_str().unwrap_or("unknown").to_owned())
}
