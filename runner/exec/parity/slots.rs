//! The same sequence alone, among others, and among other others.

use engine_protocol::{Settings, SlotOutput};

use super::run::Ground;
use super::session::{Answer, Session};
use crate::failure::Failure;
use crate::parity::{Gate, GateKind, SlotsComparison};

/// Sequences side by side.
const SEQUENCES: usize = 4;
/// Greedy steps.
const STEPS: u32 = 16;
/// Longest prompts used: slots of a server hold short texts too, and the KV cache is shared.
const MOST_TOKENS: usize = 256;

/// Runs both gates on the 32-bit floats.
pub(super) fn gates(ground: &Ground<'_>) -> Result<[Gate; 2], Failure> {
    let both = |gate: fn(GateKind, String) -> Gate, why: &str| {
        [GateKind::SlotsEqualBatch, GateKind::SlotsAlone].map(|kind| gate(kind, why.to_owned()))
    };
    let cut = |tokens: &[i32]| tokens[..tokens.len().min(MOST_TOKENS)].to_vec();
    let prompts: Vec<Vec<i32>> =
        ground.golden.prompts.iter().map(|prompt| cut(&prompt.tokens)).collect();
    let Some(first) = prompts.first() else {
        return Ok(both(Gate::missing, "the golden has no prompts"));
    };
    let others: Vec<Vec<i32>> =
        prompts.iter().cycle().skip(1).take(SEQUENCES - 1).cloned().collect();
    // the same texts backwards: as long, and other ones
    let other_others: Vec<Vec<i32>> =
        others.iter().map(|tokens| tokens.iter().rev().copied().collect()).collect();
    let longest = prompts.iter().map(Vec::len).max().unwrap_or(0) + STEPS as usize + 1;
    let settings = Settings {
        parallel_sequences: u32::try_from(SEQUENCES).ok(),
        context_tokens: u32::try_from((longest * SEQUENCES).next_multiple_of(256)).ok(),
        batch_tokens: None,
        micro_batch_tokens: None,
        ..ground.settings.clone()
    };
    let (mut session, _) =
        Session::load(ground.program, ground.scratch, &ground.floats, &settings)?;
    let among = |others: &[Vec<i32>]| {
        let mut all = vec![first.clone()];
        all.extend_from_slice(others);
        all
    };
    let mut outcomes = Vec::new();
    for batch in [vec![first.clone()], among(&others), among(&other_others)] {
        match session.slots(batch, STEPS) {
            Ok(Answer::Given(outputs)) => outcomes.push(first_of(&outputs)),
            Ok(Answer::Unsupported(why)) => {
                session.end();
                return Ok(both(Gate::not_run, &format!("the worker cannot: {why}")));
            }
            Err(failure) => {
                session.end();
                return Err(failure);
            }
        }
    }
    session.end();
    let mut outcomes = outcomes.into_iter();
    let mut next = || outcomes.next().unwrap_or_default();
    let comparison = SlotsComparison {
        alone: next(),
        among: next(),
        among_others: next(),
        sequences: SEQUENCES,
    };
    Ok(comparison.gates(u64::from(STEPS) + 1))
}

fn first_of(outputs: &[SlotOutput]) -> Vec<(i32, f32)> {
    let first = outputs.first();
    first.map_or_else(Vec::new, |output| {
        output.chosen.iter().copied().zip(output.margins.iter().copied()).collect()
    })
}
