//! `identical` before timing: each arm generates in two processes of its own; it must equal
//! itself before it is held against off.

use super::compare::{Parting, parting};
use super::entry::Reference;
use super::fault::WorkerError;
use super::generate::{Cell, Generated, generate};
use super::preflight;
use super::references::IDENTICAL_INPUTS;
use super::run::Run;
use super::stop::Stop;
use super::texts::Texts;
use super::worker::Worker;
use crate::verdict::{ContractFinding, ContractState, NamedFigure};

/// Whether off equals itself: where its two processes part, if they do.
pub(super) struct OffSelf {
    parting: Option<String>,
}

/// The inputs that are tested: the first ones, at all conditions.
fn tested(run: &Run<'_, '_>) -> Vec<Reference> {
    let mut references = run.desk.state.references.clone();
    references.sort_by_key(|reference| (reference.input, reference.condition));
    references.truncate(IDENTICAL_INPUTS);
    references
}

/// One process's outputs for all tested inputs.
pub(super) fn pass(
    run: &Run<'_, '_>,
    worker: &mut Worker,
    texts: &Texts,
) -> Result<Vec<Generated>, WorkerError> {
    let generate_one = |reference: &Reference| {
        let cell = Cell {
            condition: reference.condition,
            input: reference.input,
            tokens: reference.chosen.len(),
        };
        generate(worker, cell, texts, run.call())
    };
    tested(run).iter().map(generate_one).collect()
}

/// The same from a second process of the arm. `None` when the arm ended.
pub(super) fn second_pass(
    run: &mut Run<'_, '_>,
    arm: usize,
    texts: &Texts,
) -> Result<Option<Vec<Generated>>, Stop> {
    let mut ready = match run.start(arm, None)? {
        Ok(ready) => ready,
        Err((worker, error)) => {
            preflight::ends(run, arm, worker.as_ref(), &error)?;
            return Ok(None);
        }
    };
    match pass(run, &mut ready.worker, texts) {
        Ok(outputs) => {
            ready.worker.shut_down();
            Ok(Some(outputs))
        }
        Err(error) => {
            preflight::ends(run, arm, Some(&ready.worker), &error)?;
            Ok(None)
        }
    }
}

/// Off in a second process, held against its references.
pub(super) fn off_twice(run: &mut Run<'_, '_>, texts: &Texts) -> Result<OffSelf, Stop> {
    let off = run.job.plan.off();
    let Some(second) = second_pass(run, off, texts)? else {
        return Ok(OffSelf { parting: Some("off ended".to_owned()) });
    };
    let first = references(run);
    Ok(OffSelf { parting: first_parting(run, &first, &second) })
}

fn references(run: &Run<'_, '_>) -> Vec<Generated> {
    let known = tested(run).into_iter();
    known.map(|known| Generated { first: known.first, chosen: known.chosen }).collect()
}

/// What was found of an arm.
pub(super) fn finding(
    run: &Run<'_, '_>,
    arm: usize,
    off_self: &OffSelf,
    first: &[Generated],
    second: &[Generated],
) -> ContractFinding {
    let off = references(run);
    let compared: u64 = off.iter().map(|output| output.chosen.len() as u64 + 1).sum();
    let inputs = off.len();
    let own = first_parting(run, first, second);
    let other = first_parting(run, &off, first);
    let (state, detail, divergence) = if compared == 0 {
        (ContractState::Broken, "nothing was compared".to_owned(), None)
    } else if let Some(place) = &off_self.parting {
        (
            ContractState::NotSelfEqual,
            "off does not equal itself across two processes".to_owned(),
            Some(place.clone()),
        )
    } else if let Some(place) = own {
        (
            ContractState::NotSelfEqual,
            "the arm does not equal itself across two processes".to_owned(),
            Some(place),
        )
    } else if let Some(place) = other {
        (ContractState::Broken, "its tokens are not off's".to_owned(), Some(place))
    } else {
        (
            ContractState::Kept,
            format!("{compared} tokens on {inputs} inputs equal off's, in two processes"),
            None,
        )
    };
    ContractFinding {
        arm: run.job.name(arm).to_owned(),
        contract: "identical".to_owned(),
        state,
        compared,
        detail,
        first_divergence: divergence,
        figures: vec![NamedFigure {
            name: "tokens_equal".to_owned(),
            value: Some(equal_tokens(&off, first)),
        }],
    }
}

/// Tokens before the first difference, summed over inputs.
#[expect(clippy::cast_precision_loss, reason = "a count of tokens is far below 2^53")]
fn equal_tokens(off: &[Generated], arm: &[Generated]) -> f64 {
    let equal = |(a, b): (&Generated, &Generated)| match parting(a.tokens(), b.tokens()) {
        Some(Parting { position, .. }) => position,
        None => a.chosen.len() + 1,
    };
    off.iter().zip(arm).map(equal).sum::<usize>() as f64
}

/// The first input and position where two passes part, in words.
fn first_parting(run: &Run<'_, '_>, a: &[Generated], b: &[Generated]) -> Option<String> {
    tested(run).iter().zip(a.iter().zip(b)).find_map(|(reference, (a, b))| {
        let parting = parting(a.tokens(), b.tokens())?;
        let input = run.input_label(reference.condition, reference.input);
        Some(parting.describe(&input, 0, a.chosen.len() + 1))
    })
}
