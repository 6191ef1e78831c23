//! What an arm promised of its output, and proof that its treatment was applied.

use super::analysis::{Reason, ReasonCode};
use super::evidence::{ContractFinding, ContractState, RunFacts};
use crate::manifest::{Arm, Contract};

/// The contract's key, as findings name it.
pub(super) fn contract_key(contract: &Contract) -> &'static str {
    match contract {
        Contract::Identical => "identical",
        Contract::Cosine { .. } => "cosine",
        Contract::Kl { .. } => "kl",
        Contract::Argmax { .. } => "argmax",
    }
}

/// What speaks against an arm's contracts: every finding about the arm counts, and every
/// promise needs a finding once the run has completed; findings of other conditions than this one
/// (by index) say nothing. That `off` equals itself is part of every
/// comparison: arms that are fed decode its output, which must be the one that it timed.
pub(super) fn contracts(arm: &Arm, off: &Arm, facts: &RunFacts, condition: u32) -> Vec<Reason> {
    let name = arm.name.as_str();
    let promised: Vec<&str> = arm.contracts.iter().map(contract_key).collect();
    let of_off = |finding: &&ContractFinding| {
        let asked = promised.contains(&finding.contract.as_str());
        let departed = finding.state == ContractState::NotSelfEqual;
        finding.arm == off.name.as_str() && (asked || departed)
    };
    let here = || facts.contracts.iter().filter(|finding| finding.is_about(condition));
    let mut reasons: Vec<Reason> =
        here().filter(|finding| finding.arm == name).filter_map(against).collect();
    reasons.extend(here().filter(of_off).filter_map(|finding| {
        against(finding).map(|reason| match reason.code {
            // Off promises nothing to itself but to be repeatable.
            ReasonCode::ContractBroken => {
                Reason::new(ReasonCode::ContractNotSelfEqual, reason.text)
            }
            _ => reason,
        })
    }));
    // A run that ended early has a better reason than a question it never came to.
    if !facts.end.is_regular() {
        reasons.retain(|reason| reason.code != ReasonCode::ContractNotRun);
        return reasons;
    }
    for contract in promised {
        let asked = here().any(|finding| finding.arm == name && finding.contract == contract);
        if !asked {
            reasons.push(Reason::new(
                ReasonCode::ContractNotRun,
                format!("contract `{contract}` of arm `{name}` was never compared"),
            ));
        }
    }
    reasons
}

fn against(finding: &ContractFinding) -> Option<Reason> {
    let ContractFinding { arm, contract, detail, .. } = finding;
    let place = match &finding.first_divergence {
        Some(place) => format!("; first divergence: {place}"),
        None => String::new(),
    };
    match finding.state {
        ContractState::NotRun => Some(Reason::new(
            ReasonCode::ContractNotRun,
            format!("contract `{contract}` of arm `{arm}` could not be compared: {detail}"),
        )),
        ContractState::NotSelfEqual => Some(Reason::new(
            ReasonCode::ContractNotSelfEqual,
            format!(
                "`{arm}` does not equal itself across two processes, so `{contract}` cannot be \
                 asked: {detail}{place}"
            ),
        )),
        ContractState::Broken => Some(Reason::new(
            ReasonCode::ContractBroken,
            format!("contract `{contract}` of arm `{arm}` is broken: {detail}{place}"),
        )),
        ContractState::Kept if finding.compared == 0 => Some(Reason::new(
            ReasonCode::ContractBroken,
            format!("contract `{contract}` of arm `{arm}` compared nothing: {detail}"),
        )),
        ContractState::Kept => None,
    }
}

/// What speaks against drafts having been of use at a condition.
pub(super) fn accepted(arm: &Arm, facts: &RunFacts, condition: u32) -> Option<Reason> {
    let expected = arm.accepted_tokens_at_least?;
    let name = arm.name.as_str();
    let accepted = facts
        .speculation
        .iter()
        .filter(|one| one.arm == name && one.condition == condition)
        .fold(0_u64, |sum, one| sum.saturating_add(one.counts.accepted()));
    // a run that ended early has a better reason than what it did not come to
    if accepted >= expected || !facts.end.is_regular() {
        return None;
    }
    let text = format!(
        "arm `{name}` accepted {accepted} drafted tokens while timed; expected at least {expected}"
    );
    Some(Reason::new(ReasonCode::TreatmentNotApplied, text))
}

/// What speaks against the treatment's having been applied.
pub(super) fn engagement(arm: &Arm, facts: &RunFacts) -> Option<Reason> {
    if arm.expect.is_empty() {
        return None;
    }
    let name = arm.name.as_str();
    let not_applied = |text: String| Some(Reason::new(ReasonCode::TreatmentNotApplied, text));
    let Some(seen) = facts.engagement.iter().find(|seen| seen.arm == name) else {
        if !facts.end.is_regular() {
            return None;
        }
        return not_applied(format!("no observed run of arm `{name}` shows what it expects"));
    };
    arm.expect.iter().find_map(|expected| {
        let count = seen
            .operations
            .iter()
            .filter(|operation| operation.operation == expected.operation)
            .fold(0_u64, |sum, operation| sum.saturating_add(operation.count));
        let too_many = expected.at_most.is_some_and(|most| count > most);
        if count >= expected.at_least && !too_many {
            return None;
        }
        let most = match expected.at_most {
            Some(most) => format!(" and at most {most}"),
            None => String::new(),
        };
        not_applied(format!(
            "arm `{name}` ran `{}` {count} times in its observed run; expected at least {}{most}",
            expected.operation, expected.at_least
        ))
    })
}
