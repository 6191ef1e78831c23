//! What arms promised of their output, and what was found.

use super::super::drafts;
use super::super::notes::contract_parts;
use super::super::rows::name;
use super::verdict::Badge;
use crate::record::Record;
use crate::verdict::{ContractFinding, ContractState, Verdict, condition_label};

/// A finding. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContractView {
    pub arm: String,
    pub contract: String,
    pub state: Badge,
    pub compared: String,
    pub detail: String,
    pub first_divergence: Option<String>,
    pub basis: Option<String>,
    /// Numbers by name.
    pub figures: Vec<(String, String)>,
    /// Of a control, which promises nothing.
    pub voids_nothing: bool,
}

/// Promises, then what controls showed.
pub(super) fn contracts(record: &Record) -> Vec<ContractView> {
    let facts = &record.sealed.facts;
    let promised = facts.contracts.iter().map(|finding| view(record, finding, false));
    promised.chain(facts.draft_controls.iter().map(|finding| view(record, finding, true))).collect()
}

/// What promises and controls together say of drafts.
pub(super) fn sentences(record: &Record) -> Vec<String> {
    drafts::sentences(record)
}

fn view(record: &Record, finding: &ContractFinding, voids_nothing: bool) -> ContractView {
    let of_condition = finding.condition.map_or_else(String::new, |index| {
        let value = record.plan.condition_values().get(index as usize).copied().flatten();
        condition_label(&record.plan, value)
    });
    let (what, basis) = contract_parts(record, finding);
    ContractView {
        arm: name(&finding.arm, &of_condition),
        contract: finding.contract.clone(),
        state: badge(finding.state),
        compared: format!("{} {what}", finding.compared),
        detail: finding.detail.clone(),
        first_divergence: finding.first_divergence.clone(),
        basis: basis.map(str::to_owned),
        figures: finding
            .figures
            .iter()
            .map(|figure| {
                let value =
                    figure.value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                (figure.name.clone(), value)
            })
            .collect(),
        voids_nothing,
    }
}

fn badge(state: ContractState) -> Badge {
    let (word, like) = match state {
        ContractState::Kept => ("kept", Verdict::Win),
        ContractState::Broken => ("broken", Verdict::Void),
        ContractState::NotSelfEqual => ("not self-equal", Verdict::Void),
        ContractState::NotRun => ("not run", Verdict::Incomplete),
    };
    let sign = if state == ContractState::Kept { "\u{2713}" } else { Badge::of(like).sign };
    Badge { word: word.to_owned(), sign, ..Badge::of(like) }
}
