//! Which records are stale: the facts that they depend on, held against those of now.

use std::collections::BTreeMap;

use engine_protocol::EngineFacts;

use super::append::{Appended, append};
use super::entries::{StaleFact, StaleMark};
use super::entry::EntryBody;
use super::figure_state::{FigureState, record_state};
use super::hash::{ContentHash, RunName};
use super::ledger::read_ledger;
use super::machine_facts::compared;
use super::provenance::{MachineFacts, Provenance};
use super::read::read;
use super::reference::RecordName;
use super::registered::Circumstances;
use super::runs::{self, RunState};
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::{QuestionKey, StackFact, question_key};
use crate::project::Project;
use crate::verdict::Verdict;

/// The fact that names a machine.
const MACHINE: &str = "machine";
/// The worker whose engine can be compared: the one that is built in. What a declared build is made of
/// stands in the manifest, so it does not change under a record.
const NATIVE: &str = "native";
/// What is said of the facts of an engine that cannot be asked here.
const NOT_ASKED: &str = "not built in here";

/// What holds on a machine now.
#[derive(Debug, Clone, PartialEq)]
pub struct StackNow {
    /// Its facts.
    pub machine: MachineFacts,
    /// The built-in engine; `None` where there is none.
    pub engine: Option<EngineFacts>,
}

/// Whose records are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaleScope {
    /// Those of this machine.
    ThisMachine,
    /// Those of every machine: of another one by the facts of its newest record.
    EveryMachine,
}

/// What was found of one record.
#[derive(Debug, Clone, PartialEq)]
pub struct StaleCheck {
    /// The record.
    pub record: RecordName,
    /// Its title.
    pub title: String,
    /// The machine whose facts were compared.
    pub machine: String,
    /// What its ledger said before.
    pub before: FigureState,
    /// What changed, of the facts that matter to it.
    pub changed: Vec<StaleFact>,
    /// Facts that matter and could not be compared.
    pub not_compared: Vec<String>,
    /// A newer record of the same question under what holds now.
    pub newer: Option<RecordName>,
}

/// What a check leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaleStep {
    /// It is current, or was marked before.
    Nothing,
    /// It is to be marked stale, and measured again.
    MarkStale,
    /// It is stale, and a newer record takes its place.
    MarkSuperseded,
    /// It was stale, and is current again.
    MarkCurrent,
}

impl StaleCheck {
    /// What is to be written.
    #[must_use]
    pub fn step(&self) -> StaleStep {
        match (&self.before, self.changed.is_empty()) {
            (FigureState::Struck { .. } | FigureState::Superseded { .. }, _) => StaleStep::Nothing,
            (FigureState::Current, true) => StaleStep::Nothing,
            (FigureState::Stale { .. }, true) => StaleStep::MarkCurrent,
            (_, false) if self.newer.is_some() => StaleStep::MarkSuperseded,
            (FigureState::Stale { changed, .. }, false) if *changed == self.changed => {
                StaleStep::Nothing
            }
            (_, false) => StaleStep::MarkStale,
        }
    }

    /// Whether its figures wait for a new measurement.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.changed.is_empty()
            && self.newer.is_none()
            && matches!(self.before, FigureState::Current | FigureState::Stale { .. })
    }
}

/// All that a look at results/ found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StaleChecks {
    /// One for each record that was compared and is not struck, by name.
    pub checks: Vec<StaleCheck>,
    /// Records of other machines, which were not looked at.
    pub of_other_machines: Vec<RecordName>,
    /// Records that cannot be read.
    pub unreadable: Vec<RecordName>,
}

/// Compares records with what holds now.
///
/// # Errors
/// When results/ or a ledger cannot be read.
pub fn stale_checks(
    project: &Project,
    now: &StackNow,
    scope: StaleScope,
) -> Result<StaleChecks, Failure> {
    let mut found = StaleChecks::default();
    let records = current_records(project, &mut found)?;
    let this = machine_of(&now.machine);
    let elsewhere = newest_elsewhere(&records, &this);
    for (record, state) in &records {
        let name = name_of(record);
        let machine = machine_of(&record.provenance.start.machine);
        let stack = if machine == this {
            now
        } else {
            match (scope, elsewhere.get(&machine)) {
                (StaleScope::EveryMachine, Some(stack)) => stack,
                _ => {
                    found.of_other_machines.push(name);
                    continue;
                }
            }
        };
        let (changed, not_compared) = compare(record, stack);
        let newer = match changed.is_empty() {
            true => None,
            false => newer(record, &records, stack),
        };
        found.checks.push(StaleCheck {
            record: name,
            title: record.plan.title.clone(),
            machine,
            before: state.clone(),
            changed,
            not_compared,
            newer,
        });
    }
    Ok(found)
}

/// Writes what a check leads to; nothing where it leads to nothing.
///
/// # Errors
/// When the ledger cannot be written.
pub fn mark_stale(
    project: &Project,
    check: &StaleCheck,
    circumstances: &Circumstances,
) -> Result<Option<Appended>, Failure> {
    if check.step() == StaleStep::Nothing {
        return Ok(None);
    }
    append(project, &check.record.id, circumstances, |_| {
        Ok(Some(EntryBody::Stale(StaleMark {
            run: check.record.run.clone(),
            machine: check.machine.clone(),
            superseded_by: check.newer.clone(),
            changed: check.changed.clone(),
        })))
    })
}

/// All records that are not struck, with their state.
fn current_records(
    project: &Project,
    found: &mut StaleChecks,
) -> Result<Vec<(Record, FigureState)>, Failure> {
    let mut records = Vec::new();
    for id in runs::experiments(project)? {
        let Ok(entries) = read_ledger(project, &id) else { continue };
        for folder in runs::runs_of(project, &id)? {
            if folder.state != RunState::Finished {
                continue;
            }
            let state = record_state(&entries, &folder.run);
            if matches!(state, FigureState::Struck { .. }) {
                continue;
            }
            match read(project, &id, &folder.run) {
                Ok(record) => records.push((record, state)),
                Err(_) => found.unreadable.push(RecordName { id: id.clone(), run: folder.run }),
            }
        }
    }
    Ok(records)
}

/// What held last on each machine but this one, by its newest record.
fn newest_elsewhere(records: &[(Record, FigureState)], this: &str) -> BTreeMap<String, StackNow> {
    let mut newest: BTreeMap<String, (RunName, StackNow)> = BTreeMap::new();
    for (record, _) in records {
        let machine = machine_of(&record.provenance.end.machine);
        let run = &record.sealed.run;
        if machine == this || newest.get(&machine).is_some_and(|(known, _)| known >= run) {
            continue;
        }
        let stack = StackNow {
            machine: record.provenance.end.machine.clone(),
            engine: native(&record.provenance).cloned(),
        };
        newest.insert(machine, (run.clone(), stack));
    }
    newest.into_iter().map(|(machine, (_, stack))| (machine, stack)).collect()
}

/// The newest later record of the same question, with a decision, on which nothing has changed.
fn newer(
    record: &Record,
    records: &[(Record, FigureState)],
    stack: &StackNow,
) -> Option<RecordName> {
    let question: QuestionKey = question_key(&record.plan);
    let machine = machine_of(&record.provenance.start.machine);
    records
        .iter()
        .filter(|(other, _)| {
            other.sealed.run > record.sealed.run
                && machine_of(&other.provenance.start.machine) == machine
                && question_key(&other.plan) == question
                && decided(other)
                && compare(other, stack).0.is_empty()
        })
        .max_by(|(one, _), (other, _)| one.sealed.run.cmp(&other.sealed.run))
        .map(|(other, _)| name_of(other))
}

/// Whether every comparison has an outcome that speaks of the effect.
fn decided(record: &Record) -> bool {
    let outcomes = &record.sealed.analysis.comparisons;
    let speaks = |verdict: Verdict| {
        matches!(verdict, Verdict::Win | Verdict::Loss | Verdict::Level | Verdict::Parked)
    };
    !outcomes.is_empty() && outcomes.iter().all(|one| speaks(one.verdict))
}

/// Facts that changed, of those that matter to the record, and those that cannot be compared.
fn compare(record: &Record, stack: &StackNow) -> (Vec<StaleFact>, Vec<String>) {
    let matters: Vec<StackFact> = match &record.plan.stack {
        Some(stack) => stack.matters.clone(),
        None => StackFact::ALL.to_vec(),
    };
    let (mut changed, mut not_compared) = (Vec::new(), Vec::new());
    let then_engine = native(&record.provenance);
    for fact in matters {
        let (then, now) = match engine_fact(fact) {
            None => (
                Some(compared(record.provenance.start.machine.get(fact.key())).to_owned()),
                Some(compared(stack.machine.get(fact.key())).to_owned()),
            ),
            // an experiment without the built-in engine does not depend on it
            Some(_) if then_engine.is_none() => continue,
            Some(of) => (then_engine.map(of), stack.engine.as_ref().map(of)),
        };
        match (then, now) {
            (Some(then), Some(now)) if then == now => {}
            (Some(then), Some(now)) => {
                changed.push(StaleFact { fact: fact.key().to_owned(), then, now });
            }
            _ => not_compared.push(format!("{}: {NOT_ASKED}", fact.key())),
        }
    }
    (changed, not_compared)
}

/// How a fact is read of an engine; `None` for the machine's.
fn engine_fact(fact: StackFact) -> Option<fn(&EngineFacts) -> String> {
    match fact {
        StackFact::EngineSource => {
            Some(|engine| format!("{} {}", engine.name, short_source(engine)))
        }
        StackFact::EngineCompiler => Some(|engine| engine.compiler.clone()),
        StackFact::EngineFlags => Some(flags),
        StackFact::EngineInstructionSet => Some(|engine| digest(&engine.instruction_set.join(" "))),
        _ => None,
    }
}

fn short_source(engine: &EngineFacts) -> String {
    let hash: String = engine.source_blake3.chars().take(12).collect();
    format!("{} (source {hash})", engine.version)
}

/// Hundreds of flags do not fit into a sentence; their hash does, and the records have them in full.
fn flags(engine: &EngineFacts) -> String {
    let mut text = String::new();
    for (component, flags) in &engine.flags {
        text.push_str(&format!("{component} {}\n", flags.join(" ")));
    }
    digest(&text)
}

fn digest(text: &str) -> String {
    format!("blake3 {}", ContentHash::of(text.as_bytes()).short())
}

fn native(provenance: &Provenance) -> Option<&EngineFacts> {
    provenance.engines.iter().find(|engine| engine.worker == NATIVE).map(|engine| &engine.facts)
}

fn machine_of(facts: &MachineFacts) -> String {
    facts.get(MACHINE).cloned().unwrap_or_else(|| super::UNKNOWN.to_owned())
}

fn name_of(record: &Record) -> RecordName {
    RecordName { id: record.sealed.id.clone(), run: record.sealed.run.clone() }
}
