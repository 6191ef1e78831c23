//! The file drawer: what was registered and has no record.

use std::collections::BTreeSet;

use super::findings::{Finding, Rule};
use super::shelf::Shelf;
use crate::record::SummaryState;

/// Notes of experiments that were never run, of searches that ended, and of those withdrawn.
pub fn drawer(shelf: &Shelf, findings: &mut Vec<Finding>) {
    let mut withdrawn = BTreeSet::new();
    for ledger in &shelf.ledgers {
        for entry in &ledger.entries {
            if let Some(withdrawal) = entry.withdrawal() {
                let what = format!("`{}` was withdrawn: {}", ledger.id, withdrawal.reason);
                findings.push(Finding::of_file(Rule::Withdrawn, entry.file.as_str(), what));
                withdrawn.insert(ledger.id.as_str());
            }
        }
    }
    let with_record: BTreeSet<&str> = shelf
        .listing
        .summaries
        .iter()
        .filter(|summary| {
            matches!(summary.state, SummaryState::Finished(_) | SummaryState::Newer(_))
        })
        .map(|summary| summary.id.as_str())
        .collect();
    let mut said = BTreeSet::new();
    for summary in &shelf.listing.summaries {
        let id = summary.id.as_str();
        if withdrawn.contains(id) || with_record.contains(id) || !said.insert(id) {
            continue;
        }
        let file = shelf
            .ledgers
            .iter()
            .filter(|ledger| ledger.id == summary.id)
            .find_map(|ledger| ledger.entries.first())
            .map_or_else(|| format!("results/{id}"), |entry| entry.file.clone());
        let at = summary.registered.as_ref().map_or("", |registered| registered.at.as_str());
        let day = at.get(..10).unwrap_or(at);
        match &summary.state {
            SummaryState::Searched(found) => {
                let what = format!("`{id}` is a search that has ended: {found}");
                findings.push(Finding::of_file(Rule::EndedSearch, file, what));
            }
            SummaryState::RegisteredOnly => {
                let what = format!("`{id}` was registered {day} and never run");
                let hint = "run it, or withdraw it with a reason";
                findings.push(Finding::of_file(Rule::NeverRun, file, what).hint(hint));
            }
            SummaryState::Unfinished(_) => {
                let what = format!("`{id}` was registered {day}, begun and never finished");
                let hint = "`runner exec` goes on with it; or withdraw it with a reason";
                findings.push(Finding::of_file(Rule::NeverRun, file, what).hint(hint));
            }
            SummaryState::Finished(_)
            | SummaryState::Newer(_)
            | SummaryState::Unreadable { .. } => {}
        }
    }
}
