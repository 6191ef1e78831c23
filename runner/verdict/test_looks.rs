//! Looks for tests, as long as `rule::looks` has none: the error is shared out evenly.

use crate::manifest::{Plan, Stop};
use crate::rule::{EARLIEST_SEQUENCE_LOOK, Look};

pub fn bonferroni(plan: &Plan, alpha: f64) -> Vec<Look> {
    let places: Vec<u32> = match &plan.stop {
        Stop::Fixed { .. } => vec![plan.design.rounds],
        Stop::GroupSequential { looks_at_rounds, .. } => looks_at_rounds.clone(),
        Stop::ConfidenceSequence { .. } => (EARLIEST_SEQUENCE_LOOK..=plan.design.rounds).collect(),
    };
    let count = places.len() as f64;
    let look = |(index, rounds): (usize, u32)| Look {
        number: index as u32 + 1,
        rounds,
        information: f64::from(rounds) / f64::from(plan.design.rounds),
        nominal_p: alpha / count,
    };
    places.into_iter().enumerate().map(look).collect()
}
