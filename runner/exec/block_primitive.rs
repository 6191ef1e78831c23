//! A block of a primitive: each arm in order computes it several times. It is paired whole.

use engine_protocol::PrimitiveRequest;
use sample_table::Work;

use super::block::{Measuring, Slot};
use super::crew::Crew;
use super::fault::WorkerError;
use super::run::Run;
use super::stop::Stop;
use super::texts::Texts;
use crate::design::Block;
use crate::manifest::TimedWork;

/// Untimed repetitions before the timed ones: the first after a switch between arms is slow.
const UNTIMED_REPETITIONS: u32 = 1;

/// What is asked of an arm in a block; `None` where it has no primitive.
pub(super) fn request(
    run: &Run<'_, '_>,
    texts: &Texts,
    (arm, block): (usize, &Block),
    repetitions: u32,
) -> Option<PrimitiveRequest> {
    let TimedWork::Primitive { buffers, .. } = run.job.work(block.condition) else { return None };
    Some(PrimitiveRequest {
        primitive: texts.primitives.get(&(arm, block.condition))?.clone(),
        untimed_repetitions: UNTIMED_REPETITIONS,
        repetitions,
        buffers,
        first_buffer: u32::try_from(block.input).unwrap_or(0),
    })
}

/// Measures the block.
pub(super) fn measure(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
    repetitions: u32,
) -> Result<(), Stop> {
    let block = measuring.block;
    for (place, arm) in block.order.iter().copied().enumerate() {
        if !crew.workers.contains_key(&arm) {
            continue;
        }
        run.heed_interrupt()?;
        let Some(request) = request(run, measuring.texts, (arm, block), repetitions) else {
            continue;
        };
        measuring.see_idle(crew);
        let slot = Slot {
            arm,
            place,
            chunk: 0,
            work: Work::Primitive,
            tokens: repetitions as usize,
            started: run.desk.journal.clock().nanoseconds(),
        };
        let Some(worker) = crew.workers.get_mut(&arm) else { continue };
        let timed = worker.primitive(request, run.call()).and_then(|timed| {
            let name = run.job.name(arm);
            let counted = (timed.bytes_moved, timed.operations);
            match seen(run, name, block.condition) {
                Some(before) if before != counted => Err(WorkerError::broken(format!(
                    "a repetition moved {} bytes in {} operations, and {} in {} before timing",
                    counted.0, counted.1, before.0, before.1
                ))),
                _ => Ok(timed),
            }
        });
        match timed {
            // a sum with a repetition that the timer did not resolve is no number
            Ok(timed) if timed.nanoseconds.contains(&0) => measuring.timed(run, slot, 0),
            Ok(timed) => {
                let all =
                    timed.nanoseconds.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
                measuring.timed(run, slot, all);
            }
            Err(error) => measuring.arm_failed(run, crew, slot, &error)?,
        }
    }
    Ok(())
}

/// Bytes and operations that the arm's worker counted before timing.
fn seen(run: &Run<'_, '_>, arm: &str, condition: u32) -> Option<(u64, u64)> {
    let all = run.desk.state.preflight.as_ref()?.primitives.iter();
    all.filter(|one| one.arm == arm && one.condition == condition)
        .map(|one| (one.bytes_moved, one.operations))
        .next()
}
