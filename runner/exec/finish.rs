//! The end of a run: evidence out of the journal's state.

use super::context::FinishedRun;
use super::contract_timed;
use super::desk::Desk;
use super::entry::{AfterCheck, Entry};
use super::state::RunState;
use super::surroundings::surroundings;
use crate::failure::Failure;
use crate::verdict::{
    CanaryNoise, ContractFinding, ContractState, Evidence, NamedFigure, ProcessFacts, RunEnd,
    RunFacts,
};

/// Writes the end and hands out what the judgement reads.
pub(super) fn finish(
    desk: &mut Desk,
    off_and_aa: &[String],
    end: RunEnd,
) -> Result<FinishedRun, Failure> {
    let facts = facts(&desk.state, off_and_aa, end);
    desk.record(Entry::Ended(Box::new(facts)))?;
    finished(desk)
}

/// A run whose journal has its end.
pub(super) fn finished(desk: &Desk) -> Result<FinishedRun, Failure> {
    let state = &desk.state;
    let facts = state.ended.clone().ok_or_else(|| {
        Failure::failed("the journal lacks the run's end").at(desk.run_dir.display())
    })?;
    Ok(FinishedRun {
        evidence: Evidence { samples: state.samples.clone(), facts },
        run: desk.run.clone(),
        run_dir: desk.run_dir.clone(),
        started_at: state.started_at.clone(),
        ended_at: state.last_at.clone(),
        start_facts: state.opened.as_ref().map(|opened| opened.facts.clone()).unwrap_or_default(),
        peers: state.peers.clone(),
        prompt_cache: state
            .preflight
            .as_ref()
            .map(|all| all.prompt_cache.iter().cloned().collect())
            .unwrap_or_default(),
        workers: state.preflight.as_ref().map(|all| all.workers.clone()).unwrap_or_default(),
        hosts: state.preflight.as_ref().map(|all| all.hosts.clone()).unwrap_or_default(),
    })
}

/// All evidence so far that is no sample.
pub(super) fn facts(state: &RunState, off_and_aa: &[String], end: RunEnd) -> RunFacts {
    let preflight = state.preflight.as_ref();
    RunFacts {
        end,
        interruptions: state.interruptions.clone(),
        arm_faults: state.faults.clone(),
        contracts: contracts(state, off_and_aa),
        speculation: state.speculation.clone(),
        peers: Vec::new(),
        draft_controls: draft_controls(state, off_and_aa),
        engagement: preflight.map(|all| all.engagement.clone()).unwrap_or_default(),
        memory: preflight.map(|all| all.memory.clone()).unwrap_or_default(),
        forms: Vec::new(),
        arm_inputs: Vec::new(),
        bounds: None,
        canary: CanaryNoise::of(&state.canary),
        energy: preflight.and_then(|all| all.energy.clone()),
        slices: Vec::new(),
        primitives: preflight.map(|all| all.primitives.clone()).unwrap_or_default(),
        unread_sensors: state.unread.iter().cloned().collect(),
        surroundings: surroundings(&state.surroundings),
        processes: ProcessFacts {
            memory_readings: state.memory.clone(),
            warm_up: state.warm_up.clone(),
            ..preflight.map(|all| all.processes.clone()).unwrap_or_default()
        },
        wall_nanoseconds: state.wall_nanoseconds(),
        engine_nanoseconds: state.engine_nanoseconds,
        timed_nanoseconds: state.timed_nanoseconds,
    }
}

/// Findings before timing, with what the outputs of the timed blocks add. Off or aa that departs
/// from off's own output is not equal to itself, and then `identical` can be asked of nobody.
fn contracts(state: &RunState, off_and_aa: &[String]) -> Vec<ContractFinding> {
    let mut findings =
        state.preflight.as_ref().map(|all| all.contracts.clone()).unwrap_or_default();
    let departed = off_and_aa.iter().find_map(|arm| Some((arm, timed(state, arm).1?)));
    with_timed_outputs(state, departed.as_ref(), &mut findings);
    contract_timed::settle(&state.outputs, &mut findings);
    after_timing(state, &mut findings);
    if let Some((arm, place)) = departed {
        findings.push(ContractFinding {
            arm: arm.clone(),
            contract: "identical".to_owned(),
            condition: None,
            state: ContractState::NotSelfEqual,
            compared: timed(state, arm).0,
            detail: "it departed from off's own output while timed".to_owned(),
            first_divergence: Some(place),
            figures: Vec::new(),
        });
    }
    findings
}

/// The same of arms that draft and promise nothing of their tokens.
fn draft_controls(state: &RunState, off_and_aa: &[String]) -> Vec<ContractFinding> {
    let mut findings =
        state.preflight.as_ref().map(|all| all.draft_controls.clone()).unwrap_or_default();
    let departed = off_and_aa.iter().find_map(|arm| Some((arm, timed(state, arm).1?)));
    with_timed_outputs(state, departed.as_ref(), &mut findings);
    findings
}

/// Adds to each finding of `identical` what the arm's outputs while timed say.
fn with_timed_outputs(
    state: &RunState,
    departed: Option<&(&String, String)>,
    findings: &mut [ContractFinding],
) {
    for finding in findings.iter_mut().filter(|finding| finding.contract == "identical") {
        let (compared, divergence) = timed(state, &finding.arm);
        let before = finding.compared;
        finding.compared += compared;
        if finding.state != ContractState::Kept {
            continue;
        }
        if let Some((arm, place)) = departed {
            finding.state = ContractState::NotSelfEqual;
            finding.detail = format!("`{arm}` departed from off's own output while timed");
            finding.first_divergence = Some(place.clone());
        } else if let Some(place) = divergence {
            finding.state = ContractState::Broken;
            finding.detail =
                format!("equal to off on {before} tokens before timing, but not while timed");
            finding.first_divergence = Some(place);
        } else {
            finding.detail = format!("{}, and {compared} tokens while timed", finding.detail);
            // All of them were equal. Other figures than counts of tokens are not added to.
            let counts = |figure: &&mut NamedFigure| figure.name.starts_with("tokens_");
            for figure in finding.figures.iter_mut().filter(counts) {
                figure.value = figure.value.map(|value| value + compared as f64);
            }
        }
    }
}

/// What was put out after the last block adds to what was found before.
fn after_timing(state: &RunState, findings: &mut Vec<ContractFinding>) {
    for check in state.after_timing.iter().flatten() {
        let AfterCheck { arm, contract, compared, state, detail, divergence, .. } = check;
        let kept = *state == ContractState::Kept;
        let when = check.processes.when();
        // without a condition, a check or a finding is about all
        let same_condition = |found: &ContractFinding| {
            check.condition.is_none_or(|condition| found.is_about(condition))
        };
        let own = findings.iter_mut().filter(|found| {
            (&found.arm, &found.contract) == (arm, contract) && same_condition(found)
        });
        let mut said = false;
        for finding in own {
            said = true;
            finding.detail = format!("{}; {when}: {detail}", finding.detail);
            if !kept && finding.state == ContractState::Kept {
                finding.state = *state;
                finding.first_divergence.clone_from(divergence);
            }
        }
        // off promises nothing, but what it does not repeat cannot be compared with
        if !kept && !said {
            findings.push(ContractFinding {
                arm: arm.clone(),
                contract: contract.clone(),
                condition: check.condition,
                state: *state,
                compared: *compared,
                detail: format!("{when}: {detail}"),
                first_divergence: divergence.clone(),
                figures: Vec::new(),
            });
        }
    }
}

/// Tokens compared while an arm was timed, and where they first parted.
fn timed(state: &RunState, arm: &str) -> (u64, Option<String>) {
    let checks = || state.outputs.iter().filter(|check| check.arm == arm);
    let compared = checks().map(|check| check.compared).sum();
    (compared, checks().find_map(|check| check.divergence.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::entry::OutputCheck;

    #[test]
    fn only_counts_of_tokens_grow_with_what_was_timed() {
        let figure = |name: &str, value| NamedFigure { name: name.to_owned(), value: Some(value) };
        let finding = |equal, compared| ContractFinding {
            arm: "fast".to_owned(),
            contract: "identical".to_owned(),
            condition: None,
            state: ContractState::Kept,
            compared: compared as u64,
            detail: String::new(),
            first_divergence: None,
            figures: vec![
                figure("tokens_equal", equal),
                figure("tokens_compared", compared),
                figure("fork_margin_off", 0.25),
            ],
        };
        let output =
            OutputCheck { arm: "fast".to_owned(), compared: 8, divergence: None, agreed: None };
        let mut state = RunState::default();
        state.outputs.push(output);
        let mut findings = vec![finding(4.0, 4.0)];
        with_timed_outputs(&state, None, &mut findings);
        assert_eq!(findings[0].figures, finding(12.0, 12.0).figures);
    }
}
