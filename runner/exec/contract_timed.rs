//! `argmax` of an arm with several slots: it is fed off's tokens while it is timed, and after each
//! its choice is held against off's. So exactly the batches are tested that are timed.

use super::entry::OutputCheck;
use crate::manifest::{Contract, Plan};
use crate::verdict::{ContractFinding, ContractState, NamedFigure};

/// Names of the figures.
const BAR: &str = "agreement_at_least";
const WANTED: &str = "positions_wanted";
const SHARE: &str = "agreement_while_timed";

/// What is to be settled by the end of the run, one for each such promise.
pub(super) fn asked(plan: &Plan) -> Vec<ContractFinding> {
    let promises = plan.arms.iter().flat_map(|arm| arm.contracts.iter().map(move |of| (arm, of)));
    let figure = |name: &str, value: f64| NamedFigure { name: name.to_owned(), value: Some(value) };
    promises
        .filter(|(arm, contract)| plan.is_held_while_timed(arm, contract))
        .filter_map(|(arm, contract)| match contract {
            Contract::Argmax { agreement_at_least, positions, .. } => Some(ContractFinding {
                arm: arm.name.to_string(),
                contract: "argmax".to_owned(),
                condition: None,
                state: ContractState::NotRun,
                compared: 0,
                detail: "held against off's choices while timed, and nothing was".to_owned(),
                first_divergence: None,
                figures: vec![
                    figure(BAR, *agreement_at_least),
                    figure(WANTED, f64::from(*positions)),
                ],
            }),
            _ => None,
        })
        .collect()
}

/// Settles them by what was timed.
pub(super) fn settle(outputs: &[OutputCheck], findings: &mut [ContractFinding]) {
    for finding in findings.iter_mut().filter(|finding| finding.contract == "argmax") {
        let value = |name: &str| {
            finding.figures.iter().find(|figure| figure.name == name).and_then(|one| one.value)
        };
        let (Some(bar), Some(wanted)) = (value(BAR), value(WANTED)) else { continue };
        let own = || outputs.iter().filter(|check| check.arm == finding.arm);
        let compared: u64 = own().map(|check| check.compared).sum();
        let agreed: u64 = own().filter_map(|check| check.agreed).sum();
        if compared == 0 {
            continue;
        }
        let share = agreed as f64 / compared as f64;
        let parted = own().find_map(|check| check.divergence.clone());
        finding.compared = compared;
        finding.first_divergence = parted;
        finding.detail = format!(
            "argmax agreement {share:.4} (bar {bar}) with off's tokens fed, while timed: {agreed} of \
             {compared} choices of the first slot"
        );
        finding.figures.push(NamedFigure { name: SHARE.to_owned(), value: Some(share) });
        finding.state = if share < bar {
            ContractState::Broken
        } else if (compared as f64) < wanted {
            finding.detail = format!("{}; {wanted} were asked for", finding.detail);
            ContractState::NotRun
        } else {
            ContractState::Kept
        };
    }
}
