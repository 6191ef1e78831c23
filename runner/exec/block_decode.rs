//! A block of decoding: prompts first, then chunks in turn, every second one backwards.

use std::collections::BTreeMap;

use engine_protocol::{Beginning, DecodeRequest, Feed, Token};
use sample_table::Work;

use super::block::{Measuring, Slot, tokens_of_chunk};
use super::block_whole;
use super::crew::Crew;
use super::job::UNTIMED_TOKENS;
use super::references;
use super::run::Run;
use super::stop::Stop;
use crate::failure::Failure;

/// Off's output for the block's input.
struct Expected {
    /// What is fed: the first token and all chosen ones but the last.
    fed: Vec<Token>,
    /// What is chosen after each of those.
    chosen: Vec<Token>,
}

/// One chunk's request.
pub(super) fn request(chunk_tokens: u32, feed: Feed) -> DecodeRequest {
    DecodeRequest { untimed_tokens: UNTIMED_TOKENS, timed_tokens: chunk_tokens, feed }
}

/// Measures the block.
pub(super) fn measure(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
    chunk_tokens: u32,
) -> Result<(), Stop> {
    let block = measuring.block;
    let expected = expected(run, measuring, chunk_tokens)?;
    let order: Vec<(usize, usize)> = block.order.iter().copied().enumerate().collect();
    let length = tokens_of_chunk(chunk_tokens);
    if run.job.plan.is_paired_whole() {
        for (place, arm) in order {
            prompt(run, crew, measuring, place, arm)?;
            let slot = Slot::of_chunk(run, (arm, place, 0), chunk_tokens);
            decode(run, crew, measuring, slot, (0, length), &expected)?;
        }
        return Ok(());
    }
    for (place, arm) in &order {
        prompt(run, crew, measuring, *place, *arm)?;
    }
    // An arm that drafts may end a chunk beyond its length: the next one is shorter by as much.
    let mut evaluated: BTreeMap<usize, usize> = BTreeMap::new();
    for chunk in 0..block.chunks {
        let backwards = chunk % 2 == 1;
        let turn: Vec<usize> = if backwards {
            block.order.iter().rev().copied().collect()
        } else {
            block.order.clone()
        };
        let end = (chunk as usize + 1) * length;
        for (place, arm) in turn.into_iter().enumerate() {
            let slot = Slot::of_chunk(run, (arm, place, chunk), chunk_tokens);
            let from = evaluated.get(&arm).copied().unwrap_or(0);
            let kept = decode(run, crew, measuring, slot, (from, end), &expected)?;
            evaluated.insert(arm, from + kept);
        }
    }
    Ok(())
}

/// Off's output, whole.
fn expected(
    run: &Run<'_, '_>,
    measuring: &Measuring<'_>,
    chunk_tokens: u32,
) -> Result<Expected, Stop> {
    let block = measuring.block;
    let needed =
        block.chunks as usize * tokens_of_chunk(chunk_tokens) + run.job.beyond(block.condition);
    let reference = references::find(&run.desk.state.references, block.condition, block.input);
    let Some(reference) = reference.filter(|reference| reference.chosen.len() >= needed) else {
        return Err(Failure::failed("the journal lacks off's output for an input")
            .at(run.input_label(block.condition, block.input))
            .into());
    };
    let mut fed = vec![reference.first];
    fed.extend(reference.chosen.iter().copied().take(needed.saturating_sub(1)));
    Ok(Expected { fed, chosen: reference.chosen.clone() })
}

impl Slot {
    /// A chunk's slot of an arm: its place in turn, and the chunk.
    fn of_chunk(
        run: &Run<'_, '_>,
        (arm, place, chunk): (usize, usize, u32),
        chunk_tokens: u32,
    ) -> Slot {
        let tokens = chunk_tokens as usize * run.job.slots(arm);
        Slot { arm, place, chunk, work: Work::Decode, tokens, started: 0 }
    }
}

fn prompt(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
    place: usize,
    arm: usize,
) -> Result<(), Stop> {
    if !crew.workers.contains_key(&arm) {
        return Ok(());
    }
    run.heed_interrupt()?;
    measuring.see_idle(crew);
    let block = measuring.block;
    let texts = measuring.texts.of_arm(arm);
    let beginning = Beginning {
        depth: texts.depth(block.condition),
        prompt: texts.front(block.condition, block.input),
    };
    let slot = Slot {
        arm,
        place,
        chunk: 0,
        work: Work::Prompt,
        tokens: beginning.prompt.len() * run.job.slots(arm),
        started: run.desk.journal.clock().nanoseconds(),
    };
    let Some(worker) = crew.workers.get_mut(&arm) else { return Ok(()) };
    match worker.begin(beginning, run.call()) {
        Ok(begun) => {
            // another engine tells the time of its prompt with its tokens, or not at all
            if !run.job.is_paired_whole(arm) {
                measuring.timed(run, slot, begun.nanoseconds);
            }
            Ok(())
        }
        Err(error) => measuring.arm_failed(run, crew, slot, &error),
    }
}

fn decode(
    run: &mut Run<'_, '_>,
    crew: &mut Crew,
    measuring: &mut Measuring<'_>,
    slot: Slot,
    (from, end): (usize, usize),
    expected: &Expected,
) -> Result<usize, Stop> {
    if !crew.workers.contains_key(&slot.arm) {
        return Ok(0);
    }
    run.heed_interrupt()?;
    measuring.see_idle(crew);
    let block = measuring.block;
    let generates = run.job.generates(slot.arm);
    // A chunk is longer than any draft, so there is always something left to time.
    let timed = end.saturating_sub(from + UNTIMED_TOKENS as usize).max(1);
    let asked = timed + UNTIMED_TOKENS as usize;
    let fed = expected.fed.get(from..from + asked).unwrap_or_default();
    let feed = if generates { Feed::Free } else { Feed::Fed(fed.to_vec()) };
    let position = run.job.depth(block.condition) + run.job.front_tokens(block.condition) + from;
    let request = request(u32::try_from(timed).unwrap_or(u32::MAX), feed);
    let drafting = run.job.drafting(slot.arm);
    let slot = Slot { started: run.desk.journal.clock().nanoseconds(), ..slot };
    let Some(worker) = crew.workers.get_mut(&slot.arm) else { return Ok(0) };
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    let before = run.energy.read();
    match worker.decode(request, position, drafting, run.call()) {
        Ok(decoded) => {
            let spent = run.energy.since(before);
            let kept = decoded.chosen.len();
            let in_all = decoded.timed_tokens as usize * run.job.slots(slot.arm);
            let slot = Slot { tokens: in_all, ..slot };
            let of_all = kept * run.job.slots(slot.arm);
            if run.job.is_paired_whole(slot.arm) {
                // its prompt, or its start, would be in the energy and not in the tokens
                measuring.timed(run, slot, decoded.nanoseconds);
            } else {
                measuring.timed_with_energy(run, slot, decoded.nanoseconds, (spent, of_all));
            }
            measuring.drafted(run, slot.arm, &decoded);
            if let Some(report) = decoded.peer {
                block_whole::told(measuring, run, slot, report);
            } else if run.job.has_own_inputs(slot.arm) {
                // off's tokens continue other texts
            } else if generates {
                let should = expected.chosen.get(from..from + kept).unwrap_or_default();
                // The first token, chosen after the prompt, is position 0.
                measuring.check_output(run, slot.arm, (should, &decoded.chosen), from as u64 + 1);
            } else if run.job.slots(slot.arm) > 1 {
                let should = expected.chosen.get(from..from + kept).unwrap_or_default();
                measuring.check_choices(run, slot.arm, (should, &decoded.chosen), from as u64 + 1);
            }
            Ok(kept)
        }
        Err(error) => measuring.arm_failed(run, crew, slot, &error).map(|()| 0),
    }
}
