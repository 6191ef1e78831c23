//! `identical` before timing: each arm generates in two processes of its own; it must equal
//! itself before it is held against off.

use super::entry::Reference;
use super::fault::WorkerError;
use super::generate::{Cell, Generated, generate};
use super::preflight;
use super::references::IDENTICAL_INPUTS;
use super::run::Run;
use super::stop::Stop;
use super::texts::Texts;
use super::worker::Worker;
use crate::verdict::ContractFinding;
use crate::verdict::contract::{TokenFigures, TokensComparison, identical_finding};

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
    arm: usize,
    worker: &mut Worker,
    texts: &Texts,
) -> Result<Vec<Generated>, WorkerError> {
    let generate_one = |reference: &Reference| {
        let cell = Cell {
            condition: reference.condition,
            input: reference.input,
            tokens: reference.chosen.len().saturating_sub(run.job.beyond(reference.condition)),
        };
        generate(worker, cell, run.job.drafting(arm), texts, run.call())
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
    match pass(run, arm, &mut ready.worker, texts) {
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
pub(super) fn off_twice(run: &mut Run<'_, '_>, texts: &Texts) -> Result<TokenFigures, Stop> {
    let off = run.job.plan.off();
    // Off that ends in preflight ends the run.
    let second = second_pass(run, off, texts)?.unwrap_or_default();
    Ok(compared(run, &references(run), &second))
}

fn references(run: &Run<'_, '_>) -> Vec<Generated> {
    let known = tested(run).into_iter();
    known.map(|known| Generated { first: known.first, chosen: known.chosen }).collect()
}

/// What was found of an arm, from its two processes.
pub(super) fn finding(
    run: &Run<'_, '_>,
    arm: usize,
    off_again: &TokenFigures,
    first: &[Generated],
    second: &[Generated],
) -> ContractFinding {
    let arm_again = compared(run, first, second);
    let between = compared(run, &references(run), first);
    identical_finding(run.job.name(arm), off_again, &arm_again, &between)
}

fn compared(run: &Run<'_, '_>, a: &[Generated], b: &[Generated]) -> TokenFigures {
    let mut comparison = TokensComparison::new();
    for (reference, (a, b)) in tested(run).iter().zip(a.iter().zip(b)) {
        let input = run.input_label(reference.condition, reference.input);
        // Each side's length was checked: an arm that drafts may have gone beyond.
        let (a, b) = (a.tokens(), b.tokens());
        let both = a.len().min(b.len());
        comparison.add(&input, a.get(..both).unwrap_or(&a), b.get(..both).unwrap_or(&b));
    }
    comparison.finish()
}
