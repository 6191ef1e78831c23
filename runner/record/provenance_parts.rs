//! Puts a provenance together: what changed, the stack key, nothing private.

use std::path::Path;

use engine_protocol::EngineFacts;

use super::environment_provenance::EnvironmentProvenance;
use super::frozen::FrozenDrafter;
use super::hash::ContentHash;
use super::hosts::{ArmPlacement, HostProvenance};
use super::machine_facts::compared;
use super::privacy::without_private_paths;
use super::provenance::{
    ArmInputsProvenance, EngineProvenance, FactChange, FormProvenance, MachineFacts,
    ModelProvenance, Moment, Provenance, Regime, RepositoryProvenance, RunnerProvenance,
    SliceProvenance, WorkloadProvenance,
};
use super::registered::CommitState;
use super::scheduler_provenance::SchedulerProvenance;

/// Version of `provenance.toml`.
const PROVENANCE_VERSION: u32 = 1;

/// Facts of the machine that enter the stack key, in this order. One that is missing, or
/// unknown for whatever reason, counts as `unknown`.
pub const STACK_MACHINE_FACTS: &[&str] = &[
    "platform",
    "cpu_model",
    "cpu_revision",
    "microcode",
    "cores_usable",
    "smt",
    "governor",
    "turbo",
    "transparent_huge_pages",
    "hypervisor",
    "kernel",
    "libc",
    "gpu",
    "gpu_driver",
];

/// All that a provenance is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvenanceParts {
    /// The program that ran the experiment.
    pub runner: RunnerProvenance,
    /// The repository that holds the manifest.
    pub repository: RepositoryProvenance,
    /// How the ledger entry stood in the repository when the run started.
    pub registration: Option<CommitState>,
    /// What the figures speak of.
    pub regime: Regime,
    /// The model file.
    pub model: ModelProvenance,
    /// One for each form of it that an arm loaded.
    pub forms: Vec<FormProvenance>,
    /// One for each slice of it that an arm loaded.
    pub slices: Vec<SliceProvenance>,
    /// One for each arm in which a model drafted.
    pub drafters: Vec<FrozenDrafter>,
    /// The inputs.
    pub workload: WorkloadProvenance,
    /// One for each arm that worked on a set of its own.
    pub arm_inputs: Vec<ArmInputsProvenance>,
    /// At the start of the run.
    pub start: Moment,
    /// At its end.
    pub end: Moment,
    /// What workers were started with, and what was kept from them.
    pub environment: Option<EnvironmentProvenance>,
    /// The cluster's scheduler, where one started the run.
    pub scheduler: Option<SchedulerProvenance>,
    /// One for each different worker.
    pub engines: Vec<EngineProvenance>,
    /// One for each server that an arm's model was spread over.
    pub hosts: Vec<HostProvenance>,
    /// Which tensors of such an arm lay where.
    pub placements: Vec<ArmPlacement>,
}

impl Provenance {
    /// Puts it together. Absolute paths become relative to `root`, or mere file names.
    #[must_use]
    pub fn assemble(parts: ProvenanceParts, root: &Path) -> Provenance {
        let clean = |text: &str| without_private_paths(text, root);
        let engines: Vec<EngineProvenance> =
            parts.engines.iter().map(|engine| cleaned_engine(engine, &clean)).collect();
        let hosts: Vec<HostProvenance> =
            parts.hosts.iter().map(|host| cleaned_host(host, &clean)).collect();
        let (start, end) =
            (cleaned_moment(&parts.start, &clean), cleaned_moment(&parts.end, &clean));
        Provenance {
            format_version: PROVENANCE_VERSION,
            stack_key: stack_key(&start.machine, &engines, &hosts),
            runner: parts.runner,
            repository: parts.repository,
            registration_at_start: parts.registration,
            regime: parts.regime,
            model: ModelProvenance { name: clean(&parts.model.name), ..parts.model },
            forms: parts.forms,
            slices: parts.slices,
            drafters: parts.drafters,
            workload: WorkloadProvenance { name: clean(&parts.workload.name), ..parts.workload },
            arm_inputs: parts
                .arm_inputs
                .into_iter()
                .map(|inputs| ArmInputsProvenance { name: clean(&inputs.name), ..inputs })
                .collect(),
            changes: changes(&start.machine, &end.machine),
            environment: parts.environment.map(|environment| environment.cleaned(root)),
            scheduler: parts.scheduler,
            start,
            end,
            engines,
            hosts,
            placements: parts.placements,
        }
    }

    /// The stack key that these facts have.
    #[must_use]
    pub fn computed_stack_key(&self) -> ContentHash {
        stack_key(&self.start.machine, &self.engines, &self.hosts)
    }

    /// Whether any engine is another than the committed pin.
    #[must_use]
    pub fn has_unpinned_engine(&self) -> bool {
        self.engines.iter().any(|engine| {
            matches!(engine.facts.source, engine_protocol::SourcePin::Unpinned { .. })
        })
    }
}

/// BLAKE3 over lines `name value`, each ended by a newline: the facts of
/// [`STACK_MACHINE_FACTS`] in that order, then for each engine in order `engine WORKER NAME
/// VERSION`, `source HASH`, `compiler TEXT`, `flag COMPONENT FLAG` for each, `isa EXTENSION` for
/// each; then for each server in order `host ARM`, the same facts of its machine and the same lines of
/// its engine, `engine` for `engine WORKER`. A newline within a value is written `\n`.
fn stack_key(
    machine: &MachineFacts,
    engines: &[EngineProvenance],
    hosts: &[HostProvenance],
) -> ContentHash {
    let mut lines = machine_lines(machine);
    for EngineProvenance { worker, facts, .. } in engines {
        lines.push(format!("engine {worker} {} {}", facts.name, facts.version));
        lines.extend(engine_lines(facts));
    }
    for host in hosts {
        lines.push(format!("host {}", host.arm));
        lines.extend(machine_lines(&host.machine));
        if let Some(facts) = &host.engine {
            lines.push(format!("engine {} {}", facts.name, facts.version));
            lines.extend(engine_lines(facts));
        }
    }
    let text: String = lines.iter().map(|line| line.replace('\n', "\\n") + "\n").collect();
    ContentHash::of(text.as_bytes())
}

fn machine_lines(machine: &MachineFacts) -> Vec<String> {
    let line = |name: &&str| format!("{name} {}", compared(machine.get(*name)));
    STACK_MACHINE_FACTS.iter().map(line).collect()
}

fn engine_lines(facts: &EngineFacts) -> Vec<String> {
    let mut lines =
        vec![format!("source {}", facts.source_blake3), format!("compiler {}", facts.compiler)];
    for (component, flags) in &facts.flags {
        lines.extend(flags.iter().map(|flag| format!("flag {component} {flag}")));
    }
    lines.extend(facts.instruction_set.iter().map(|extension| format!("isa {extension}")));
    lines
}

fn changes(start: &MachineFacts, end: &MachineFacts) -> Vec<FactChange> {
    let value = |facts: &MachineFacts, name: &str| compared(facts.get(name)).to_owned();
    let mut names: Vec<&String> = start.keys().chain(end.keys()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| FactChange {
            fact: name.clone(),
            start: value(start, name),
            end: value(end, name),
        })
        .filter(|change| change.start != change.end)
        .collect()
}

fn cleaned_moment(moment: &Moment, clean: &dyn Fn(&str) -> String) -> Moment {
    let machine = moment.machine.iter().map(|(name, value)| (name.clone(), clean(value))).collect();
    Moment { machine, ..moment.clone() }
}

fn cleaned_engine(engine: &EngineProvenance, clean: &dyn Fn(&str) -> String) -> EngineProvenance {
    EngineProvenance {
        worker: clean(&engine.worker),
        facts: cleaned_facts(&engine.facts, clean),
        ..engine.clone()
    }
}

fn cleaned_host(host: &HostProvenance, clean: &dyn Fn(&str) -> String) -> HostProvenance {
    let machine = host.machine.iter().map(|(name, value)| (name.clone(), clean(value))).collect();
    let engine = host.engine.as_ref().map(|facts| cleaned_facts(facts, clean));
    HostProvenance { machine, engine, ..host.clone() }
}

fn cleaned_facts(facts: &EngineFacts, clean: &dyn Fn(&str) -> String) -> EngineFacts {
    let flags = facts.flags.iter().map(|(component, flags)| {
        (component.clone(), flags.iter().map(|flag| clean(flag)).collect())
    });
    EngineFacts { flags: flags.collect(), compiler: clean(&facts.compiler), ..facts.clone() }
}
