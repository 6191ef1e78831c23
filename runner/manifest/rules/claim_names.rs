//! A wording may name only what the manifest contains: what was not measured cannot be claimed.

use std::collections::BTreeSet;

use crate::manifest::checked::{Checked, CheckedTable, CheckedValue};
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::span::Spot;
use crate::manifest::suggest::nearest;
use crate::manifest::surroundings::Surroundings;

/// Outcomes that may have a wording.
const OUTCOMES: [&str; 4] = ["win", "loss", "level", "parked"];
/// The tables that say what is run; titles, hypotheses and cited records may speak of more.
const WHAT_IS_RUN: [&str; 6] = ["engine", "workload", "arm", "ladder", "condition", "metric"];

/// What stands in backticks must stand in the manifest; so must a model or a set, however written.
pub(super) fn hold(root: &CheckedTable, surroundings: &dyn Surroundings, faults: &mut Faults) {
    let Some(claim) = root.table("claim") else { return };
    let mut contained = BTreeSet::new();
    for name in WHAT_IS_RUN {
        if let Some(checked) = root.values.get(name) {
            gather(&checked.value, &mut contained);
        }
    }
    let mut elsewhere: BTreeSet<String> = surroundings.workload_names().into_iter().collect();
    // a catalogue that cannot be read is a fault of its own
    elsewhere.extend(surroundings.model_names().unwrap_or_default());
    for outcome in OUTCOMES {
        let Some(wording) = claim.text(outcome) else { continue };
        for name in named(&wording.value, &elsewhere) {
            if !name.split('=').all(|part| contained.contains(part.trim())) {
                faults.push(fault(&wording, &name, &contained));
            }
        }
    }
}

fn fault(wording: &Spot<String>, name: &str, contained: &BTreeSet<String>) -> Diagnostic {
    let nearest = nearest(name, contained.iter().map(String::as_str));
    let help = match nearest {
        Some(known) => format!("did you mean `{known}`? Else leave the name out"),
        None => "name an arm, a setting, the model or the inputs of this manifest, or leave the \
                 name out"
            .to_owned(),
    };
    Diagnostic::error(
        Code::CLAIM_NAMES_ANOTHER,
        wording.span.clone(),
        format!("the wording names `{name}`, of which nothing is run here"),
    )
    .help(help)
}

/// All keys, texts and numbers.
fn gather(value: &CheckedValue, into: &mut BTreeSet<String>) {
    let list = |list: &[Checked], into: &mut BTreeSet<String>| {
        for checked in list {
            gather(&checked.value, into);
        }
    };
    match value {
        CheckedValue::Text(text) => {
            into.insert(text.clone());
        }
        CheckedValue::Whole(number) => {
            into.insert(number.to_string());
        }
        CheckedValue::Real(number) => {
            into.insert(number.to_string());
        }
        CheckedValue::List(all) => list(all, into),
        CheckedValue::Table(table) => {
            for (key, checked) in &table.values {
                into.insert(key.clone());
                gather(&checked.value, into);
            }
        }
        CheckedValue::Tables(tables) => {
            for table in tables {
                gather(&CheckedValue::Table(table.clone()), into);
            }
        }
    }
}

/// What a wording names: all in backticks, and models and sets of these names anywhere.
fn named(wording: &str, elsewhere: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (place, piece) in wording.split('`').enumerate() {
        if place % 2 == 1 {
            found.push(piece.trim().to_owned());
            continue;
        }
        let is_of_a_name = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        let words = piece.split(|letter| !is_of_a_name(letter));
        let words = words.map(|word| word.trim_matches('.'));
        found.extend(words.filter(|word| elsewhere.contains(*word)).map(str::to_owned));
    }
    found.retain(|name| !name.is_empty());
    found.dedup();
    found
}
