//! A block of prefill: for each arm in order an untimed one, then a timed one of the same text.
//! Work that cannot be cut is paired whole.

use engine_protocol::{PrefillRequest, Token};
use sample_table::Work;

use super::block::{Measuring, Slot};
use super::block_whole;
use super::crew::Crew;
use super::run::Run;
use super::stop::Stop;
use crate::manifest::Role;

/// Measures the block.
pub(super) fn measure(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
) -> Result<(), Stop> {
    let mut chosen: Vec<(usize, [Token; 2])> = Vec::new();
    for (place, arm) in measuring.block.order.clone().into_iter().enumerate() {
        if let Some(tokens) = one_arm(run, crew, measuring, place, arm)? {
            chosen.push((arm, tokens));
        }
    }
    // Off's untimed prefill is the block's reference: off must repeat it, arms that promise the
    // same tokens must too.
    let off = chosen.iter().find(|(arm, _)| run.job.role(*arm) == Role::Off).copied();
    let Some((off_arm, [reference, timed])) = off else { return Ok(()) };
    measuring.check_output(run, off_arm, (&[reference], &[timed]), 0);
    for (arm, tokens) in chosen {
        if arm != off_arm && run.job.generates(arm) && !run.job.has_own_inputs(arm) {
            measuring.check_output(run, arm, (&[reference; 2], &tokens), 0);
        }
    }
    Ok(())
}

/// The tokens chosen after the untimed and the timed prefill. `None` when the arm is not there.
fn one_arm(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
    place: usize,
    arm: usize,
) -> Result<Option<[Token; 2]>, Stop> {
    if !crew.workers.contains_key(&arm) {
        return Ok(None);
    }
    run.heed_interrupt()?;
    let block = measuring.block;
    let texts = measuring.texts.of_arm(arm);
    let request = PrefillRequest {
        depth: texts.depth(block.condition),
        tokens: texts.front(block.condition, block.input),
    };
    measuring.see_idle(crew);
    let mut slot = Slot {
        arm,
        place,
        chunk: 0,
        work: Work::Prefill,
        tokens: request.tokens.len(),
        started: 0,
    };
    let Some(worker) = crew.workers.get_mut(&arm) else { return Ok(None) };
    let untimed = worker.prefill(request.clone(), run.call());
    slot.started = run.desk.journal.clock().nanoseconds();
    let both = untimed.and_then(|untimed| {
        let before = run.energy.read();
        let timed = worker.prefill(request, run.call())?;
        Ok((untimed.chosen, timed, run.energy.since(before)))
    });
    match both {
        Ok((untimed, timed, spent)) => {
            if run.job.is_paired_whole(slot.arm) {
                measuring.timed(run, slot, timed.nanoseconds);
            } else {
                measuring.timed_with_energy(run, slot, timed.nanoseconds, (spent, slot.tokens));
            }
            if let Some(report) = timed.peer {
                block_whole::told(measuring, run, slot, report);
            }
            Ok(untimed.zip(timed.chosen).map(|(untimed, timed)| [untimed, timed]))
        }
        Err(error) => {
            measuring.arm_failed(run, crew, slot, &error)?;
            Ok(None)
        }
    }
}
