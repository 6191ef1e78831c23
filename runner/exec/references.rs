//! Off's own output for every input of the schedule: fed to arms that must decode the same text,
//! and held against what the others choose.

use super::entry::{Entry, Reference};
use super::generate::{Cell, generate};
use super::job::Job;
use super::observer::{Event, Phase};
use super::run::{Ready, Run};
use super::stop::Stop;
use super::texts::Texts;
use crate::manifest::TimedWork;

/// Tokens that are generated for `identical` where the timed work itself decodes none.
const PREFILL_TOKENS: usize = 16;

/// Inputs on which `identical` is tested before timing.
pub(super) const IDENTICAL_INPUTS: usize = 8;

/// Generates what is not in the journal yet. Each reference is on disk before the next.
pub(super) fn complete(
    run: &mut Run<'_, '_>,
    off: usize,
    ready: &mut Ready,
    texts: &Texts,
) -> Result<(), Stop> {
    let context = ready.loaded.effective.context_tokens.map(|tokens| tokens as usize);
    let cells = wanted(run.job, context);
    run.observer.event(Event::Phase(Phase::References {
        of: u32::try_from(cells.len()).unwrap_or(u32::MAX),
    }));
    for cell in cells {
        if find(&run.desk.state.references, cell.condition, cell.input).is_some() {
            continue;
        }
        run.heed_interrupt()?;
        match generate(&mut ready.worker, cell, run.job.drafting(off), texts, run.call()) {
            Ok(generated) => run.record(Entry::Reference(Reference {
                condition: cell.condition,
                input: cell.input,
                first: generated.first,
                chosen: generated.chosen,
            }))?,
            Err(error) => super::preflight::ends(run, off, Some(&ready.worker), &error)?,
        }
    }
    Ok(())
}

/// The reference of an input.
pub(super) fn find(references: &[Reference], condition: u32, input: usize) -> Option<&Reference> {
    references.iter().find(|reference| reference.condition == condition && reference.input == input)
}

/// The cells that need one: all for decoding; for prefill only those that `identical` is tested
/// on.
fn wanted(job: &Job<'_>, context: Option<usize>) -> Vec<Cell> {
    let identical = (0..job.plan.arms.len()).any(|arm| job.is_identical(arm));
    let cells = job.cells().into_iter().map(|(condition, input)| {
        let tokens = match job.work(condition) {
            // an arm that drafts may go beyond what it is asked for
            TimedWork::Decode { .. } => job.decoded_tokens(condition) + job.beyond(condition),
            // nothing is put out
            TimedWork::Primitive { .. } => 0,
            TimedWork::Prefill { .. } => {
                let used = job.depth(condition) + job.front_tokens(condition);
                context.map_or(PREFILL_TOKENS, |all| all.saturating_sub(used).min(PREFILL_TOKENS))
            }
        };
        Cell { condition, input, tokens }
    });
    let mut cells: Vec<Cell> = cells.collect();
    if !job.plan.workload.work.reads_text() {
        cells.clear();
    }
    if matches!(job.plan.workload.work, TimedWork::Prefill { .. }) {
        cells.sort_by_key(|cell| (cell.input, cell.condition));
        cells.truncate(if identical { IDENTICAL_INPUTS } else { 0 });
    }
    cells
}
