//! A block of decoding: prompts first, then chunks in turn, every second one backwards.

use engine_protocol::{Beginning, DecodeRequest, Feed, Token};
use sample_table::Work;

use super::block::{Measuring, Slot, tokens_of_chunk};
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
    for (place, arm) in &order {
        prompt(run, crew, measuring, *place, *arm)?;
    }
    let length = tokens_of_chunk(chunk_tokens);
    for chunk in 0..block.chunks {
        let backwards = chunk % 2 == 1;
        let turn: Vec<usize> = if backwards {
            block.order.iter().rev().copied().collect()
        } else {
            block.order.clone()
        };
        let from = chunk as usize * length;
        for (place, arm) in turn.into_iter().enumerate() {
            let slot = Slot {
                arm,
                place,
                chunk,
                work: Work::Decode,
                tokens: chunk_tokens as usize,
                started: 0,
            };
            decode(run, crew, measuring, slot, (from, length), &expected)?;
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
    let needed = block.chunks as usize * tokens_of_chunk(chunk_tokens);
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
    let beginning = Beginning {
        depth: measuring.texts.depth(block.condition),
        prompt: measuring.texts.front(block.condition, block.input),
    };
    let slot = Slot {
        arm,
        place,
        chunk: 0,
        work: Work::Prompt,
        tokens: beginning.prompt.len(),
        started: run.desk.journal.clock().nanoseconds(),
    };
    let Some(worker) = crew.workers.get_mut(&arm) else { return Ok(()) };
    match worker.begin(beginning, run.call()) {
        Ok(begun) => {
            measuring.timed(run, slot, begun.nanoseconds);
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
    (from, length): (usize, usize),
    expected: &Expected,
) -> Result<(), Stop> {
    if !crew.workers.contains_key(&slot.arm) {
        return Ok(());
    }
    run.heed_interrupt()?;
    measuring.see_idle(crew);
    let block = measuring.block;
    let generates = run.job.generates(slot.arm);
    let feed =
        if generates { Feed::Free } else { Feed::Fed(expected.fed[from..from + length].to_vec()) };
    let position = run.job.depth(block.condition) + run.job.front_tokens(block.condition) + from;
    let request = request(u32::try_from(slot.tokens).unwrap_or(u32::MAX), feed);
    let slot = Slot { started: run.desk.journal.clock().nanoseconds(), ..slot };
    let Some(worker) = crew.workers.get_mut(&slot.arm) else { return Ok(()) };
    match worker.decode(request, u32::try_from(position).unwrap_or(u32::MAX), run.call()) {
        Ok(decoded) => {
            measuring.timed(run, slot, decoded.nanoseconds);
            if generates {
                let should = &expected.chosen[from..from + length];
                // The first token, chosen after the prompt, is position 0.
                measuring.check_output(run, slot.arm, (should, &decoded.chosen), from as u64 + 1);
            }
            Ok(())
        }
        Err(error) => measuring.arm_failed(run, crew, slot, &error),
    }
}
