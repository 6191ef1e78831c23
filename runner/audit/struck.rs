//! Struck records: their figures are looked for everywhere, and what replaces them must stand.

use std::collections::{BTreeMap, BTreeSet};

use super::files::Files;
use super::findings::{Finding, Rule};
use super::merged::{Answered, struck_only};
use super::places::{Place, Places, Wanted, places};
use super::shelf::Shelf;
use super::strikes::struck_figures;
use crate::record::{FigureState, Retraction};

/// A retraction with its place.
struct Struck<'shelf> {
    record: String,
    file: String,
    retraction: &'shelf Retraction,
}

fn all(shelf: &Shelf) -> Vec<Struck<'_>> {
    let mut found = Vec::new();
    for ledger in &shelf.ledgers {
        for (entry, retraction) in ledger.retractions() {
            let record = format!("{}/{}", ledger.id, retraction.run);
            found.push(Struck { record, file: ledger.file(entry), retraction });
        }
    }
    found
}

/// What every retraction of every ledger strikes. A record's name counts where all of it is struck.
#[must_use]
pub fn wanted(shelf: &Shelf) -> Wanted {
    let mut wanted = Wanted::default();
    for struck in all(shelf) {
        let retraction = struck.retraction;
        let part =
            part_of(shelf, &struck.record, |arm, condition| retraction.strikes(arm, condition));
        wanted.figures.extend(part.figures);
        if retraction.is_whole() {
            wanted.records.push(struck.record);
        }
    }
    wanted.records.sort();
    wanted.records.dedup();
    wanted
}

/// The figures of the comparisons of a record that a test picks.
#[must_use]
pub fn part_of(shelf: &Shelf, record: &str, picked: impl Fn(&str, &str) -> bool) -> Wanted {
    let read = shelf.find(record).and_then(|shelved| shelved.content.as_ref().ok());
    let figures = read.map(|record| struck_figures(record, picked)).unwrap_or_default();
    Wanted { figures, records: Vec::new() }
}

/// Everywhere that struck figures and names of struck records live on.
#[must_use]
pub fn struck_places(files: &Files, shelf: &Shelf) -> Places {
    places(files, shelf, &wanted(shelf))
}

/// A finding for every place that no sentence's own finding speaks of, and for every replacement
/// that does not stand.
pub fn struck(shelf: &Shelf, places: &Places, answered: &[Answered], findings: &mut Vec<Finding>) {
    let causes: BTreeMap<String, Struck<'_>> =
        all(shelf).into_iter().map(|struck| (struck.record.clone(), struck)).collect();
    struck_only(places, findings);
    for place in &places.found {
        if !answered.iter().any(|answered| answered.has(place)) {
            findings.push(of_place(place, causes.get(&place.record)));
        }
    }
    replacements(shelf, findings);
}

fn of_place(place: &Place, struck: Option<&Struck<'_>>) -> Finding {
    let cause = struck.map_or("", |struck| struck.retraction.cause.as_str());
    let text = &place.text;
    let what = if place.what == "its name" {
        format!("{text} was struck: {cause}")
    } else {
        format!("`{text}` is the {} in {}, which was struck: {cause}", place.what, place.record)
    };
    let replacement = struck.and_then(|struck| struck.retraction.replacement.as_ref());
    let instead = replacement.map_or_else(String::new, |other| format!(" by that of {other}"));
    let hint = format!(
        "strike it through (`~~…~~`), replace it{instead}, or excuse it (`audit-excuse: why` in a comment)"
    );
    Finding {
        rule: Rule::StruckFigure,
        file: place.file.clone(),
        start: Some(place.start),
        end: Some(place.end),
        what,
        hint,
    }
}

/// Follows what replaces each struck record, as far as it goes.
fn replacements(shelf: &Shelf, findings: &mut Vec<Finding>) {
    let next: BTreeMap<String, String> = all(shelf)
        .iter()
        .filter_map(|struck| {
            Some((struck.record.clone(), struck.retraction.replacement.as_ref()?.to_string()))
        })
        .collect();
    let mut said = BTreeSet::new();
    for struck in all(shelf) {
        let Some(replacement) = &struck.retraction.replacement else { continue };
        let replacement = &replacement.to_string();
        let mut chain = vec![struck.record.clone()];
        let mut at = replacement;
        let circle = loop {
            if chain.contains(at) {
                break true;
            }
            chain.push(at.clone());
            match next.get(at) {
                Some(after) => at = after,
                None => break false,
            }
        };
        if circle {
            chain.push(at.clone());
            let mut members: Vec<&String> = chain.iter().collect();
            members.sort();
            members.dedup();
            if said.insert(format!("{members:?}")) {
                let what = format!("replacements go in a circle: {}", chain.join(" -> "));
                let found = Finding::of_file(Rule::ReplacementCycle, struck.file, what);
                findings.push(found.hint("retract again, with a replacement that stands"));
            }
            continue;
        }
        let what = match shelf.find(replacement) {
            None => format!("{} is replaced by {replacement}, which is not there", struck.record),
            Some(shelved)
                if matches!(shelved.state, FigureState::Struck { .. })
                    && !next.contains_key(replacement) =>
            {
                format!("{} is replaced by {replacement}, which was struck too", struck.record)
            }
            Some(_) => continue,
        };
        let found = Finding::of_file(Rule::ReplacementUnknown, struck.file, what);
        findings.push(found.hint("retract again, with a replacement that stands"));
    }
}
