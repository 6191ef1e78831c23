//! Contracts, as far as they can be tested before timing: off in two processes, then each arm in
//! two.

use super::contract_identical::{self, Prompt};
use super::contract_logits::{ArmLogits, OffLogits};
use super::entry::SeenLogits;
use super::fault::WorkerError;
use super::generate::Generated;
use super::observer::{Event, Phase};
use super::run::{Ready, Run};
use super::stop::Stop;
use super::texts::{TextError, Texts};
use super::worker::Worker;
use super::{contract_fork, contract_texts, preflight};
use crate::failure::Failure;
use crate::manifest::Contract;
use crate::verdict::contract::{Forked, TokenFigures};
use crate::verdict::{ContractFinding, ContractState};

/// What was found before timing.
#[derive(Debug, Default)]
pub(super) struct Tested {
    /// Of what arms promised.
    pub(super) findings: Vec<ContractFinding>,
    /// The tokens of arms that draft and promise nothing of them, and of controls that keep no
    /// draft, held against off's.
    pub(super) draft_controls: Vec<ContractFinding>,
    /// Hashes to hold against those after timing.
    pub(super) seen: Vec<SeenLogits>,
}

/// Off's side of all contracts.
#[derive(Debug, Default)]
struct OffSide {
    prompts: Vec<Prompt>,
    again: TokenFigures,
    logits: OffLogits,
}

/// Tests all contracts of all arms. `off` is off's first process.
pub(super) fn test_all(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    texts: &Texts,
) -> Result<Tested, Stop> {
    let mut tested = Tested::default();
    let arms = 0..run.job.plan.arms.len();
    if arms.clone().all(|arm| asked_of(run, arm).is_empty()) {
        return Ok(tested);
    }
    let off_side = off_side(run, off, texts)?;
    tested.seen.extend(off_side.logits.seen.iter().cloned());
    for arm in arms {
        let asked = asked_of(run, arm);
        if asked.is_empty() {
            continue;
        }
        run.observer.event(Event::Phase(Phase::Contracts { arm: run.job.name(arm) }));
        let found = test_arm(run, off, (arm, &asked), &off_side, &mut tested.seen);
        let found = match found {
            Ok(found) => found,
            Err(stop) => {
                off_side.logits.discard();
                return Err(stop);
            }
        };
        let name = run.job.name(arm);
        let found =
            found.unwrap_or_else(|| asked.iter().map(|contract| not_run(name, contract)).collect());
        for finding in found {
            let identical = finding.contract == contract_name(&Contract::Identical);
            let shown = run.job.is_draft_control(arm) || run.job.drafts_unpromised(arm);
            if identical && shown {
                tested.draft_controls.push(finding.clone());
            }
            if !identical || run.job.is_identical(arm) {
                tested.findings.push(finding);
            }
        }
    }
    off_side.logits.discard();
    Ok(tested)
}

/// What an arm promised, and of one that drafts its tokens in any case.
fn asked_of(run: &Run<'_, '_>, arm: usize) -> Vec<Contract> {
    let mut asked = run.job.tested_contracts(arm);
    if run.job.drafts_unpromised(arm) && !asked.contains(&Contract::Identical) {
        asked.insert(0, Contract::Identical);
    }
    asked
}

/// Off in its first process and in a second one. Off that ends in preflight ends the run.
fn off_side(run: &mut Run<'_, '_>, off: &mut Worker, texts: &Texts) -> Result<OffSide, Stop> {
    let arm = run.job.plan.off();
    run.observer.event(Event::Phase(Phase::Contracts { arm: run.job.name(arm) }));
    let first = first_of_off(run, off, texts);
    let mut side = match first {
        Ok(side) => side,
        Err(TextError::Failure(failure)) => return Err(failure.into()),
        Err(TextError::Worker(error)) => {
            preflight::ends(run, arm, Some(off), &error)?;
            return Err(Failure::refused("off ended").into());
        }
    };
    let Some(mut ready) = start(run, arm)? else { return Ok(side) };
    match second_of_off(run, &mut ready.worker, &mut side) {
        Ok(()) => ready.worker.shut_down(),
        Err(error) => preflight::ends(run, arm, Some(&ready.worker), &error)?,
    }
    Ok(side)
}

fn first_of_off(run: &Run<'_, '_>, off: &mut Worker, texts: &Texts) -> Result<OffSide, TextError> {
    let identical =
        (0..run.job.plan.arms.len()).any(|arm| asked_of(run, arm).contains(&Contract::Identical));
    let prompts = match identical {
        true => contract_identical::all_prompts(run, off, texts)?,
        false => Vec::new(),
    };
    let texts = contract_texts::all(run, off, run.call())?;
    let logits = OffLogits::ask(run, off, texts)?;
    Ok(OffSide { prompts, logits, ..OffSide::default() })
}

fn second_of_off(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    side: &mut OffSide,
) -> Result<(), WorkerError> {
    let again = contract_identical::pass(run, run.job.plan.off(), worker, &side.prompts)?;
    let first = contract_identical::off_outputs(&side.prompts);
    side.again = contract_identical::compared(&side.prompts, &first, &again);
    side.logits.ask_again(run, worker)
}

/// What an arm's first process put out.
struct FirstProcess {
    outputs: Vec<Generated>,
    fork: Option<Forked>,
    logits: ArmLogits,
}

/// `None` when the arm ended before or on the way.
fn test_arm(
    run: &mut Run<'_, '_>,
    off: &mut Worker,
    (arm, contracts): (usize, &[Contract]),
    off_side: &OffSide,
    seen: &mut Vec<SeenLogits>,
) -> Result<Option<Vec<ContractFinding>>, Stop> {
    if run.has_ended(arm) {
        return Ok(None);
    }
    let Some(mut ready) = start(run, arm)? else { return Ok(None) };
    let first = match first_process(run, (off, &mut ready.worker), (arm, contracts), off_side) {
        Ok(first) => first,
        Err(error) => {
            preflight::ends(run, arm, Some(&ready.worker), &error)?;
            return Ok(None);
        }
    };
    ready.worker.shut_down();
    let Some(mut ready) = start(run, arm)? else {
        first.logits.discard();
        return Ok(None);
    };
    let found = findings(run, (arm, contracts), off_side, &first, (&mut ready.worker, seen));
    first.logits.discard();
    match found {
        Ok(found) => {
            ready.worker.shut_down();
            Ok(Some(found))
        }
        Err(error) => {
            preflight::ends(run, arm, Some(&ready.worker), &error)?;
            Ok(None)
        }
    }
}

fn first_process(
    run: &Run<'_, '_>,
    (off, worker): (&mut Worker, &mut Worker),
    (arm, contracts): (usize, &[Contract]),
    off_side: &OffSide,
) -> Result<FirstProcess, WorkerError> {
    let (mut outputs, mut fork) = (Vec::new(), None);
    if contracts.contains(&Contract::Identical) {
        let prompts = &off_side.prompts;
        outputs = contract_identical::pass(run, arm, worker, prompts)?;
        let expected = contract_identical::off_outputs(prompts);
        let between = contract_identical::compared(prompts, &expected, &outputs);
        fork = contract_fork::look(run, arm, (off, worker), prompts, &between)?;
    }
    let logits = match contracts.iter().any(|contract| contract_texts::positions(contract) > 0) {
        true => ArmLogits::ask(run, worker, &off_side.logits)?,
        false => ArmLogits::default(),
    };
    Ok(FirstProcess { outputs, fork, logits })
}

fn findings(
    run: &Run<'_, '_>,
    (arm, contracts): (usize, &[Contract]),
    off_side: &OffSide,
    first: &FirstProcess,
    (worker, seen): (&mut Worker, &mut Vec<SeenLogits>),
) -> Result<Vec<ContractFinding>, WorkerError> {
    let mut found = Vec::new();
    if contracts.contains(&Contract::Identical) {
        let prompts = &off_side.prompts;
        let second = contract_identical::pass(run, arm, worker, prompts)?;
        let outputs = (&first.outputs[..], &second[..]);
        let fork = first.fork.clone();
        found.push(contract_identical::finding(run, arm, prompts, &off_side.again, outputs, fork));
    }
    let logits = &first.logits;
    found.extend(logits.findings(run, (arm, contracts), &off_side.logits, worker, seen)?);
    Ok(found)
}

/// A process of an arm. `None` when the arm ended instead.
fn start(run: &mut Run<'_, '_>, arm: usize) -> Result<Option<Ready>, Stop> {
    match run.start(arm, None)? {
        Ok(ready) => Ok(Some(ready)),
        Err((worker, error)) => {
            preflight::ends(run, arm, worker.as_ref(), &error)?;
            Ok(None)
        }
    }
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
        condition: None,
        state: ContractState::NotRun,
        compared: 0,
        detail: "not tested: the arm ended before".to_owned(),
        first_divergence: None,
        figures: Vec::new(),
    }
}
