//! What stands beside every figure: n, attempt, machine, date, commit, regime.

use std::collections::BTreeSet;

use super::super::notes::{commit, machine, marks};
use super::super::rows::counted;
use super::state::Standing;
use crate::record::{Record, verdict_word};
use crate::verdict::RunEnd;

/// A name with its text. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub name: &'static str,
    pub text: String,
}

/// The facts of a record's head.
pub(super) fn facts(record: &Record, standing: &Standing) -> Vec<Fact> {
    let (sealed, provenance) = (&record.sealed, &record.provenance);
    let fact = |name: &'static str, text: String| Fact { name, text };
    let analysis = &sealed.analysis;
    let engines: BTreeSet<String> = provenance
        .engines
        .iter()
        .map(|engine| format!("{} {}", engine.facts.name, engine.facts.version))
        .collect();
    let engines: Vec<String> = engines.into_iter().collect();
    let mut facts = vec![
        fact(
            "n",
            format!(
                "{} judged, {} measured, {} flagged",
                counted(analysis.rounds_judged, "round"),
                counted(analysis.blocks, "block"),
                analysis.blocks_flagged
            ),
        ),
        fact("attempt", attempt(record)),
        fact("state", standing.word.clone()),
        fact("measured", moment(&provenance.start.utc)),
        fact("machine", machine(record)),
        fact("commit", short_commit(record)),
        fact("model", provenance.model.name.clone()),
        fact("engine", engines.join(" and ")),
        fact("regime", regime(record)),
        fact("inputs", inputs(record)),
        fact("registered", registered(record)),
        fact("rules", format!("version {}", sealed.rules_version)),
    ];
    let marks = marks(record);
    if !marks.is_empty() {
        facts.push(fact("marks", marks.join(", ")));
    }
    facts
}

/// `6ab37839e459`, and whether the tree differed from it.
pub(super) fn short_commit(record: &Record) -> String {
    let repository = &record.provenance.repository;
    let text = commit(repository.commit.as_deref(), repository.state);
    text.strip_prefix("commit ").map_or(text.clone(), str::to_owned)
}

/// `2026-11-30 06:01 UTC` of an RFC 3339 time.
pub(super) fn moment(utc: &str) -> String {
    match (utc.get(..10), utc.get(11..16), utc.ends_with('Z')) {
        (Some(day), Some(time), true) => format!("{day} {time} UTC"),
        _ => utc.to_owned(),
    }
}

/// Whole model or slice, class, backends, depths.
pub(super) fn regime(record: &Record) -> String {
    let regime = &record.provenance.regime;
    let mut parts = vec![regime.extent.replace('_', " "), regime.class.replace('_', " ")];
    if !regime.backends.is_empty() {
        parts.push(regime.backends.join(" and "));
    }
    let depths: Vec<String> = regime.depth_tokens.iter().map(u32::to_string).collect();
    if !depths.is_empty() {
        parts.push(format!("depth {} tokens", depths.join(", ")));
    }
    parts.extend(regime.primitives.iter().map(|(arm, of)| format!("{arm}: {of}")));
    parts.join("; ")
}

fn inputs(record: &Record) -> String {
    let own = record.provenance.arm_inputs.iter();
    let own: Vec<String> = own.map(|own| format!("{} on {}", own.arm, own.name)).collect();
    let name = &record.provenance.workload.name;
    if own.is_empty() { name.clone() } else { format!("{name} ({})", own.join(", ")) }
}

fn registered(record: &Record) -> String {
    format!("{}, {}", moment(&record.registered.at), record.registered.state.word())
}

fn attempt(record: &Record) -> String {
    let earlier: Vec<String> = record
        .sealed
        .earlier
        .iter()
        .map(|run| {
            let words: Vec<&str> =
                run.verdicts.iter().map(|one| verdict_word(one.verdict)).collect();
            let words = if words.is_empty() { "unfinished".to_owned() } else { words.join(", ") };
            format!("{} {words}", run.run)
        })
        .collect();
    let number = record.sealed.attempt;
    if earlier.is_empty() {
        return number.to_string();
    }
    format!("{number}, after {}", earlier.join("; "))
}

/// How the run ended, where it did not go as far as it should.
pub(super) fn early_end(record: &Record) -> Option<String> {
    match &record.sealed.facts.end {
        RunEnd::Completed | RunEnd::StoppedAtLook { .. } => None,
        RunEnd::OverBudget { detail } => Some(format!("The registered time ran out: {detail}")),
        RunEnd::NeverQuiet { detail } => Some(format!("The machine never became quiet: {detail}")),
        RunEnd::Broken { detail } => Some(format!("The run was broken off: {detail}")),
    }
}
