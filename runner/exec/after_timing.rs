//! After the last block, in the processes of the last round where they still live: the same outputs
//! as before the first. What came in between is what was timed.

use engine_protocol::Evaluation;

use super::contract_identical::{self, Prompt};
use super::contract_logits::{ask, broken};
use super::contract_rows::{self, Rows};
use super::contract_texts::{self, TestedText, positions};
use super::contracts::contract_name;
use super::crew::Crew;
use super::entry::{AfterCheck, AskedProcesses, Entry, SeenLogits};
use super::fault::WorkerError;
use super::run::Run;
use super::stop::Stop;
use super::texts::{TextError, Texts};
use super::worker::Worker;
use crate::manifest::Contract;
use crate::verdict::ContractState;
use crate::verdict::contract::{Sides, reaches};

/// Whether it has to be done, and was not.
pub(super) fn is_due(run: &Run<'_, '_>) -> bool {
    let mut arms = 0..run.job.plan.arms.len();
    let promised = arms.any(|arm| !run.job.tested_contracts(arm).is_empty());
    promised && run.desk.state.after_timing.is_none()
}

/// Asks off and each arm that made a promise, as far as they live. Kept in the journal.
pub(super) fn test(
    run: &mut Run<'_, '_>,
    (crew, processes): (&mut Crew, AskedProcesses),
    texts: &Texts,
) -> Result<(), Stop> {
    let off = run.job.plan.off();
    let prompts = if (0..run.job.plan.arms.len()).any(|arm| run.job.is_identical(arm)) {
        contract_identical::own_prompts(run, texts)
    } else {
        Vec::new()
    };
    let evaluation = contract_texts::evaluation(run.job.plan.workload.work);
    let Some(mut worker) = crew.workers.remove(&off) else { return Ok(()) };
    let side = match of_off(run, &mut worker, &prompts, evaluation) {
        Ok(side) => side,
        Err(TextError::Failure(failure)) => return Err(failure.into()),
        Err(TextError::Worker(error)) => {
            return run.arm_ends(off, Some(&worker), &error, last_round(run));
        }
    };
    crew.workers.insert(off, worker);
    let mut checks = side.checks.clone();
    for arm in 0..run.job.plan.arms.len() {
        let contracts = run.job.tested_contracts(arm);
        if contracts.is_empty() {
            continue;
        }
        let Some(mut worker) = crew.workers.remove(&arm) else { continue };
        match of_arm(run, &mut worker, (arm, &contracts), &prompts, &side) {
            Ok(found) => {
                checks.extend(found);
                crew.workers.insert(arm, worker);
            }
            Err(error) => run.arm_ends(arm, Some(&worker), &error, last_round(run))?,
        }
    }
    side.logits.iter().for_each(|(_, rows, _)| rows.discard());
    checks.iter_mut().for_each(|check| check.processes = processes);
    run.record(Entry::AfterTiming(checks))
}

fn last_round(run: &Run<'_, '_>) -> Option<u32> {
    run.desk.state.done.last().map(|(round, _)| *round)
}

/// Off after timing: its rows by depth, with whether they are the bytes from before.
struct OffAfter {
    checks: Vec<AfterCheck>,
    logits: Vec<(TestedText, Rows, Again)>,
    evaluation: Evaluation,
}

/// How logits after timing compare with those from before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    /// The same bytes.
    Same,
    /// Other bytes from a side that wrote the same ones twice before.
    Other,
    /// Other bytes from a side that never repeated itself to the last bit.
    AsEver,
}

fn of_off(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    prompts: &[Prompt],
    evaluation: Evaluation,
) -> Result<OffAfter, TextError> {
    let name = run.job.name(run.job.plan.off());
    let mut after = OffAfter { checks: Vec::new(), logits: Vec::new(), evaluation };
    if !prompts.is_empty() {
        let mut check = tokens(run, worker, run.job.plan.off(), prompts)?;
        if check.state != ContractState::Kept {
            check.state = ContractState::NotSelfEqual;
        }
        after.checks.push(check);
    }
    for text in contract_texts::own(run, worker, run.call())? {
        let text = text.again(evaluation);
        let rows = ask(run, worker, "off", &text, evaluation)?;
        let again = compare_with_before(run, name, &text, &rows);
        if again == Again::Other {
            // against every kind of contract that was asked of off's logits
            for contract in logit_contracts(run) {
                after.checks.push(AfterCheck {
                    arm: name.to_owned(),
                    contract: contract.to_owned(),
                    condition: text.condition,
                    processes: AskedProcesses::default(),
                    compared: text.positions() as u64,
                    state: ContractState::NotSelfEqual,
                    detail: other_logits(&text),
                    divergence: None,
                });
            }
        }
        after.logits.push((text, rows, again));
    }
    Ok(after)
}

fn logit_contracts(run: &Run<'_, '_>) -> Vec<&'static str> {
    let arms = 0..run.job.plan.arms.len();
    let contracts = arms.flat_map(|arm| run.job.tested_contracts(arm));
    let about_logits = contracts.filter(|contract| positions(contract) > 0);
    let mut names: Vec<_> = about_logits.map(|contract| contract_name(&contract)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn of_arm(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    (arm, contracts): (usize, &[Contract]),
    prompts: &[Prompt],
    off: &OffAfter,
) -> Result<Vec<AfterCheck>, WorkerError> {
    let name = run.job.name(arm);
    let mut checks = Vec::new();
    if contracts.contains(&Contract::Identical) {
        checks.push(tokens(run, worker, arm, prompts)?);
    }
    let asked: Vec<&Contract> =
        contracts.iter().filter(|contract| positions(contract) > 0).collect();
    if asked.is_empty() {
        return Ok(checks);
    }
    for (text, off_rows, off_again) in &off.logits {
        let rows = ask(run, worker, "arm", text, off.evaluation)?;
        let again = compare_with_before(run, name, text, &rows);
        let sides = Sides::AfterTiming;
        let figures = contract_rows::compare((off_rows, &rows), sides, text, text.positions());
        rows.discard();
        let figures = figures.map_err(broken)?;
        for contract in &asked {
            let misses = *off_again != Again::Other
                && (figures.fault.is_some() || reaches(contract, &figures) != Some(true));
            let (state, detail) = match again {
                Again::Other => (ContractState::Broken, other_logits(text)),
                // where the bytes are those from before, the bar was judged then, over more of them
                Again::AsEver if misses => (
                    ContractState::Broken,
                    format!("the bar is missed{} on the inputs that are timed", at(text)),
                ),
                Again::AsEver => (ContractState::Kept, "within the bar".to_owned()),
                Again::Same => (ContractState::Kept, "the same logits to the last bit".to_owned()),
            };
            let divergence = match state {
                ContractState::Kept => None,
                _ => figures
                    .fault
                    .as_ref()
                    .map(ToString::to_string)
                    .or_else(|| figures.first_argmax_difference.clone()),
            };
            checks.push(AfterCheck {
                arm: name.to_owned(),
                contract: contract_name(contract).to_owned(),
                condition: text.condition,
                processes: AskedProcesses::default(),
                compared: text.positions() as u64,
                state,
                detail: format!("{detail}, {} positions", text.positions()),
                divergence,
            });
        }
    }
    Ok(checks)
}

fn at(text: &TestedText) -> String {
    if text.depth > 0 { format!(" at depth {}", text.depth) } else { String::new() }
}

fn other_logits(text: &TestedText) -> String {
    format!(
        "other logits{} than before it on the inputs that are timed, and before it they were the \
         same to the last bit in two processes",
        at(text)
    )
}

fn compare_with_before(run: &Run<'_, '_>, arm: &str, text: &TestedText, rows: &Rows) -> Again {
    let seen = run.desk.state.preflight.iter().flat_map(|preflight| &preflight.logits);
    let is_it = |seen: &&SeenLogits| seen.arm == arm && seen.depth == text.depth;
    match seen.into_iter().find(is_it) {
        Some(seen) if seen.blake3 == rows.file.blake3 => Again::Same,
        Some(seen) if seen.repeated => Again::Other,
        _ => Again::AsEver,
    }
}

/// An arm's tokens for the experiment's own inputs, held against those that off chose before.
fn tokens(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    arm: usize,
    prompts: &[Prompt],
) -> Result<AfterCheck, WorkerError> {
    let outputs = contract_identical::pass(run, arm, worker, prompts)?;
    let expected = contract_identical::off_outputs(prompts);
    let found = contract_identical::compared(prompts, &expected, &outputs);
    let equal = found.is_equal();
    Ok(AfterCheck {
        arm: run.job.name(arm).to_owned(),
        contract: "identical".to_owned(),
        condition: None,
        processes: AskedProcesses::default(),
        compared: found.compared,
        state: if equal { ContractState::Kept } else { ContractState::Broken },
        detail: match equal {
            true => format!("the same {} tokens", found.compared),
            false => format!(
                "other tokens than off chose before it, {} of {} equal",
                found.equal, found.compared
            ),
        },
        divergence: found.first_divergence.as_ref().map(|place| format!("{place} (after timing)")),
    })
}
