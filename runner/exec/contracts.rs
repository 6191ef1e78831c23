//! Contracts, as far as they can be tested before timing.

use super::contract_identical;
use super::contract_logits::{self, OffLogits};
use super::observer::{Event, Phase};
use super::preflight;
use super::run::Run;
use super::stop::Stop;
use super::texts::Texts;
use super::worker::Worker;
use crate::manifest::Contract;
use crate::verdict::contract::TokenFigures;
use crate::verdict::{ContractFinding, ContractState};

/// What was found before timing.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Of what arms promised.
    pub(super) promised: Vec<ContractFinding>,
    /// The tokens of controls that keep no draft, held against off's: nobody promised them.
    pub(super) draft_controls: Vec<ContractFinding>,
}

/// Tests all contracts of all arms. `off` is off's first process.
pub(super) fn test_all(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    texts: &Texts,
) -> Result<Found, Stop> {
    let mut all = Found::default();
    let arms = 0..run.job.plan.arms.len();
    let off_again =
        if arms.clone().any(|arm| run.job.is_identical(arm) || run.job.is_draft_control(arm)) {
            Some(contract_identical::off_twice(run, texts)?)
        } else {
            None
        };
    let mut off_logits = OffLogits::default();
    for arm in arms {
        let contracts = run.job.plan.arms.get(arm).map_or(&[][..], |arm| &arm.contracts);
        let is_control = run.job.is_draft_control(arm);
        let mut asked = contracts.to_vec();
        if is_control && !asked.contains(&Contract::Identical) {
            asked.insert(0, Contract::Identical);
        }
        if asked.is_empty() {
            continue;
        }
        run.observer.event(Event::Phase(Phase::Contracts { arm: run.job.name(arm) }));
        let found = test_arm(run, off, arm, &asked, off_again.as_ref(), &mut off_logits, texts)?;
        let name = run.job.name(arm);
        let found =
            found.unwrap_or_else(|| asked.iter().map(|contract| not_run(name, contract)).collect());
        for finding in found {
            let identical = finding.contract == contract_name(&Contract::Identical);
            if is_control && identical {
                all.draft_controls.push(finding.clone());
            }
            if !identical || contracts.contains(&Contract::Identical) {
                all.promised.push(finding);
            }
        }
    }
    off_logits.discard();
    Ok(all)
}

/// `None` when the arm ended before or on the way.
fn test_arm(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    arm: usize,
    contracts: &[Contract],
    off_again: Option<&TokenFigures>,
    off_logits: &mut OffLogits,
    texts: &Texts,
) -> Result<Option<Vec<ContractFinding>>, Stop> {
    if run.has_ended(arm) {
        return Ok(None);
    }
    let mut ready = match run.start(arm, None)? {
        Ok(ready) => ready,
        Err((worker, error)) => {
            preflight::ends(run, arm, worker.as_ref(), &error)?;
            return Ok(None);
        }
    };
    let mut findings = Vec::new();
    let mut first_pass = None;
    if contracts.contains(&Contract::Identical) {
        match contract_identical::pass(run, arm, &mut ready.worker, texts) {
            Ok(pass) => first_pass = Some(pass),
            Err(error) => {
                preflight::ends(run, arm, Some(&ready.worker), &error)?;
                return Ok(None);
            }
        }
    }
    let Some(logits) =
        contract_logits::test(run, off, arm, &mut ready.worker, contracts, off_logits)?
    else {
        return Ok(None);
    };
    ready.worker.shut_down();
    if let (Some(first), Some(off_again)) = (first_pass, off_again) {
        let Some(second) = contract_identical::second_pass(run, arm, texts)? else {
            return Ok(None);
        };
        findings.push(contract_identical::finding(run, arm, off_again, &first, &second));
    }
    findings.extend(logits);
    Ok(Some(findings))
}

/// A contract's name in records.
pub(super) fn contract_name(contract: &Contract) -> &'static str {
    match contract {
        Contract::Identical => "identical",
        Contract::Cosine { .. } => "cosine",
        Contract::Kl { .. } => "kl",
        Contract::Argmax { .. } => "argmax",
    }
}

fn not_run(arm: &str, contract: &Contract) -> ContractFinding {
    ContractFinding {
        arm: arm.to_owned(),
        contract: contract_name(contract).to_owned(),
        state: ContractState::NotRun,
        compared: 0,
        detail: "not tested: the arm ended before".to_owned(),
        first_divergence: None,
        figures: Vec::new(),
    }
}
