//! The file drawer: what was registered and has no record.

use std::collections::BTreeSet;

use super::findings::{Finding, Rule};
use super::shelf::Shelf;
use crate::record::{EntryBody, SummaryState};

/// Notes of experiments that were never run, of searches that ended, and of those withdrawn.
pub fn drawer(shelf: &Shelf, findings: &mut Vec<Finding>) {
    let mut withdrawn = BTreeSet::new();
    for ledger in &shelf.ledgers {
        for entry in ledger.entries() {
            if let EntryBody::Withdraw(withdrawal) = &entry.body {
                let what = format!("`{}` was withdrawn: {}", ledger.id, withdrawal.reason);
                findings.push(Finding::of_file(Rule::Withdrawn, ledger.file(entry), what));
                withdrawn.insert(ledger.id.as_str());
            }
        }
        if let Some(fault) = ledger.fault() {
            let file = format!("results/{}/ledger", ledger.id);
            let what = format!("what was struck or frozen there is not known: {fault}");
            let found = Finding::of_file(Rule::UnreadableLedger, file, what);
            findings.push(found.hint("run `runner record verify`"));
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
            .find_map(|ledger| Some(ledger.file(ledger.entries().first()?)))
            .unwrap_or_else(|| format!("results/{id}"));
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
