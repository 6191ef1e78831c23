//! What stands below a table: contracts, noise floor, shares of time, interruptions, provenance.

use super::bounds::{bounds, canary};
use super::drafts;
use super::energy;
use super::figures::{seconds, share};
use super::processes;
use super::regimes::regimes;
use super::rows::{counted, estimate, interval, name, spread_text, unit_of};
use super::weights::weights;
use crate::manifest::Contract;
use crate::record::{CommitState, Record};
use crate::verdict::{
    AaFinding, Analysis, ContractFinding, ContractState, RunEnd, SecondaryFigure, Surroundings,
    condition_label,
};

/// Lines of text, not escaped, by heading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Notes {
    pub contracts: Vec<String>,
    pub noise_floor: Vec<String>,
    pub secondary: Vec<String>,
    pub bounds: Vec<String>,
    pub run: Vec<String>,
    pub weights: Vec<String>,
    /// Of a primitive: what each arm computed, and of what its figures may be claimed.
    pub regimes: Vec<String>,
    pub provenance: Vec<String>,
}

/// In which order a record is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// As records of rules version 1 were sealed.
    First,
    /// What a reader needs first stands first: verdict, effect, interval, n, noise floor.
    Described,
}

pub(super) fn layout(record: &Record) -> Layout {
    if record.sealed.rules_version < 2 { Layout::First } else { Layout::Described }
}

pub(super) fn notes(record: &Record) -> Notes {
    Notes {
        contracts: contracts(record),
        noise_floor: record.sealed.analysis.aa.iter().map(aa).collect(),
        secondary: secondaries(record),
        bounds: bounds(record),
        run: run(record),
        weights: weights(record),
        regimes: regimes(record),
        provenance: provenance(record),
    }
}

/// Promises, then what controls showed, then what both say of drafts.
fn contracts(record: &Record) -> Vec<String> {
    let facts = &record.sealed.facts;
    let promised = facts.contracts.iter().map(|finding| contract(record, finding));
    let of_controls = facts.draft_controls.iter().map(|finding| {
        let line = contract(record, finding);
        format!("{line} ({} promises nothing, and voids nothing)", drafts::called(record, finding))
    });
    promised.chain(of_controls).chain(drafts::sentences(record)).collect()
}

fn contract(record: &Record, finding: &ContractFinding) -> String {
    let state = match finding.state {
        ContractState::Kept => "kept",
        ContractState::Broken => "BROKEN",
        ContractState::NotSelfEqual => "NOT SELF-EQUAL",
        ContractState::NotRun => "NOT RUN",
    };
    let (what, basis) = contract_parts(record, finding);
    let of_condition = finding.condition.map_or_else(String::new, |index| {
        let value = record.plan.condition_values().get(index as usize).copied().flatten();
        condition_label(&record.plan, value)
    });
    let mut line = format!(
        "{}: {} {state}, {} {what} compared; {}",
        name(&finding.arm, &of_condition),
        finding.contract,
        finding.compared,
        finding.detail
    );
    if let Some(divergence) = &finding.first_divergence {
        line.push_str(&format!("; first divergence: {divergence}"));
    }
    if let Some(basis) = basis {
        line.push_str(&format!("; the bar's basis: {basis}"));
    }
    line
}

/// What was compared, and where the bar of a finding comes from.
pub(super) fn contract_parts<'record>(
    record: &'record Record,
    finding: &ContractFinding,
) -> (&'static str, Option<&'record str>) {
    let what = if finding.contract == "identical" { "tokens" } else { "positions" };
    (what, basis(record, finding))
}

/// Where the bar of a finding comes from, in the manifest's words.
fn basis<'record>(record: &'record Record, finding: &ContractFinding) -> Option<&'record str> {
    let arm = record.plan.arms.iter().find(|arm| arm.name.as_str() == finding.arm)?;
    arm.contracts.iter().find_map(|contract| match contract {
        Contract::Cosine { basis, .. } if finding.contract == "cosine" => Some(basis.as_str()),
        Contract::Kl { basis, .. } if finding.contract == "kl" => Some(basis.as_str()),
        Contract::Argmax { basis, .. } if finding.contract == "argmax" => Some(basis.as_str()),
        _ => None,
    })
}

/// The noise floor of a comparison's condition, in a cell.
pub(super) fn floor_cell(analysis: &Analysis, condition: &str) -> String {
    let of_condition = analysis.aa.iter().filter(|finding| finding.condition == condition);
    let cells: Vec<String> = of_condition
        .map(|finding| match &finding.effect {
            Some(effect) => format!("{}; {}", estimate(effect), interval(Some(effect))),
            None => "no estimate".to_owned(),
        })
        .collect();
    if cells.is_empty() { "none".to_owned() } else { cells.join("; ") }
}

fn aa(finding: &AaFinding) -> String {
    let named = name(&finding.arm, &finding.condition);
    let bias = if finding.biased { "BIASED" } else { "no bias seen" };
    match &finding.effect {
        Some(effect) => format!(
            "{named}: {}, {}, {}; {bias}",
            estimate(effect),
            interval(Some(effect)),
            counted(effect.n, "unit")
        ),
        None => format!("{named}: no estimate"),
    }
}

/// Each figure; a metric of which there is none says why.
fn secondaries(record: &Record) -> Vec<String> {
    let figures = record.sealed.analysis.secondary.iter().map(secondary);
    let unknown = energy::unknown(record).map(|why| format!("joules_per_token {why}"));
    figures.chain(unknown).collect()
}

fn secondary(figure: &SecondaryFigure) -> String {
    format!(
        "{}: {} {} {}, {}",
        name(&figure.arm, &figure.condition),
        figure.metric,
        spread_text(&figure.values),
        unit_of(&figure.metric),
        counted(figure.values.n, "block")
    )
}

fn surroundings(found: &Surroundings) -> Vec<String> {
    let mut lines = Vec::new();
    if found.waits > 0 {
        lines.push(format!(
            "waited for quiet before {}, {:.1} s in all: {}",
            counted(found.waits, "block"),
            found.waited_seconds,
            found.shut_by.first().map_or("", String::as_str)
        ));
    }
    let readings: Vec<String> = found
        .readings
        .iter()
        .map(|reading| {
            format!("{} {:.1} (at most {:.1})", reading.name, reading.median, reading.most)
        })
        .collect();
    if !readings.is_empty() {
        lines.push(format!("around a block, median: {}", readings.join(", ")));
    }
    lines
}

fn run(record: &Record) -> Vec<String> {
    let (facts, analysis) = (&record.sealed.facts, &record.sealed.analysis);
    let end = match &facts.end {
        RunEnd::Completed => "completed".to_owned(),
        RunEnd::StoppedAtLook { detail, .. } => format!("stopped by its rule: {detail}"),
        RunEnd::OverBudget { detail } => format!("over budget: {detail}"),
        RunEnd::NeverQuiet { detail } => format!("never quiet: {detail}"),
        RunEnd::Broken { detail } => format!("broken off: {detail}"),
    };
    let mut lines = vec![
        format!(
            "{end}; {} judged, {} measured, {} flagged",
            counted(analysis.rounds_judged, "round"),
            counted(analysis.blocks, "block"),
            analysis.blocks_flagged
        ),
        format!(
            "engine {} of {} wall time, timed {}",
            share(facts.engine_nanoseconds, facts.wall_nanoseconds),
            seconds(facts.wall_nanoseconds),
            share(facts.timed_nanoseconds, facts.wall_nanoseconds)
        ),
    ];
    lines.extend(canary(record));
    lines.extend(energy::counters(record));
    if !facts.unread_sensors.is_empty() {
        lines.push(format!("sensors without a reading: {}", facts.unread_sensors.join(", ")));
    }
    if !analysis.flags.is_empty() {
        lines.push(format!("flags: {}", analysis.flags.join(", ")));
    }
    lines.extend(facts.surroundings.iter().flat_map(surroundings));
    lines.extend(processes::run_lines(record));
    lines.extend(facts.arm_faults.iter().map(|fault| {
        let round = fault.round.map_or_else(String::new, |round| format!(" in round {round}"));
        format!("arm {} ended{round}: {}", fault.arm, fault.detail)
    }));
    lines.extend(facts.interruptions.iter().map(|cut| {
        format!(
            "interrupted in round {} after {}: last entry {}, resumed {}",
            cut.round,
            counted(cut.blocks_done, "block"),
            cut.last_entry_at,
            cut.resumed_at
        )
    }));
    lines
}

fn provenance(record: &Record) -> Vec<String> {
    let provenance = &record.provenance;
    let mut line = vec![
        commit(provenance.repository.commit.as_deref(), provenance.repository.state),
        provenance.start.utc.clone(),
        machine(record),
        format!("attempt {}", record.sealed.attempt),
        format!("rules version {}", record.sealed.rules_version),
        format!("registered {}", record.registered.state.word()),
    ];
    if let Some(state) = provenance.registration_at_start {
        line.push(format!("{} at the start", state.word()));
    }
    line.extend(marks(record).iter().map(|mark| (*mark).to_owned()));
    let mut lines = vec![line.join(", ")];
    lines.extend(extents(record));
    let engines: Vec<String> = provenance
        .engines
        .iter()
        .map(|engine| format!("{} {}", engine.facts.name, engine.facts.version))
        .collect();
    lines.push(format!(
        "model {}, engine {}, inputs {}, stack key {}",
        provenance.model.name,
        engines.join(" and "),
        inputs(record),
        provenance.stack_key.short()
    ));
    lines.extend(provenance.scheduler.iter().map(|one| format!("ran under {}", one.words())));
    lines.extend(processes::environment_lines(record));
    lines.extend(provenance.changes.iter().map(|change| {
        format!("changed during the run: {} from {} to {}", change.fact, change.start, change.end)
    }));
    lines
}

/// The workload's set, and each that an arm had of its own.
fn inputs(record: &Record) -> String {
    let own = record.provenance.arm_inputs.iter();
    let own: Vec<String> = own.map(|own| format!("{} on {}", own.arm, own.name)).collect();
    let name = &record.provenance.workload.name;
    if own.is_empty() { name.clone() } else { format!("{name} ({})", own.join(", ")) }
}

/// How much of the model was run, where a slice of it was.
fn extents(record: &Record) -> Option<String> {
    let regime = &record.provenance.regime;
    if record.provenance.slices.is_empty() {
        return None;
    }
    let others = regime.extent_by_arm.iter().map(|(arm, extent)| format!("; {arm}: {extent}"));
    Some(format!("extent: {}{}", regime.extent, others.collect::<String>()))
}

/// `commit 1a2b3c4d5e6f`, and whether the tree differed from it.
pub(super) fn commit(commit: Option<&str>, state: CommitState) -> String {
    let Some(commit) = commit else { return "commit unknown".to_owned() };
    const SHOWN: usize = 12; // digits; enough to be unique in any repository
    let short: String = commit.chars().take(SHOWN).collect();
    match state {
        CommitState::Pushed | CommitState::Committed => format!("commit {short}"),
        CommitState::Uncommitted => format!("commit {short} with changes"),
        CommitState::Unknown => format!("commit {short}, changes unknown"),
    }
}

pub(super) fn machine(record: &Record) -> String {
    let facts = &record.provenance.start.machine;
    let fact = |name: &str| facts.get(name).map_or("unknown", String::as_str);
    let described = match facts.get("described_by") {
        Some(by) => format!(" (described by {by}, not read from the machine)"),
        None => String::new(),
    };
    format!("{}, {} cores{described}", fact("cpu_model"), fact("cores_usable"))
}

/// Marks that stand beside every figure of the record.
pub(super) fn marks(record: &Record) -> Vec<&'static str> {
    let mut marks = Vec::new();
    let uncommitted = |state: CommitState| state == CommitState::Uncommitted;
    if uncommitted(record.registered.state) || uncommitted(record.provenance.repository.state) {
        marks.push("uncommitted");
    }
    if record.provenance.has_unpinned_engine() {
        marks.push("unpinned");
    }
    marks
}
