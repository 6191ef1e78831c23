//! What became of drafts, counted.

use engine_protocol::SpeculationCounts;

/// One evaluation with the draft that it verified.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verified {
    /// Tokens of the batch.
    pub width: usize,
    /// Tokens that the drafter gave; padding is none.
    pub drafted: usize,
    /// Of those, kept.
    pub accepted: usize,
}

/// Adds one evaluation.
pub(super) fn add(counts: &mut SpeculationCounts, verified: Verified) {
    counts.evaluations += 1;
    counts.evaluated_tokens += verified.width as u64;
    raise(&mut counts.evaluations_by_width, verified.width.saturating_sub(1));
    for position in 0..verified.drafted {
        raise(&mut counts.drafted_by_position, position);
    }
    for position in 0..verified.accepted {
        raise(&mut counts.accepted_by_position, position);
    }
    // both lists speak of the same positions
    counts.accepted_by_position.resize(counts.drafted_by_position.len(), 0);
}

fn raise(list: &mut Vec<u64>, index: usize) {
    if list.len() <= index {
        list.resize(index + 1, 0);
    }
    if let Some(place) = list.get_mut(index) {
        *place += 1;
    }
}
