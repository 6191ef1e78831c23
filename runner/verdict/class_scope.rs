//! The interval of a claim about a class of inputs: it must allow for the choice of inputs as well
//! as for the restarts of the workers.

use std::collections::BTreeSet;

use super::description::ClassIntervals;
use super::pairs::PairedBlock;
use crate::stats::two_way_interval_of_error;

/// Fewest different inputs with which something is said of their class: t over fewer means is
/// ruled by chance.
pub(super) const FEWEST_INPUTS: u32 = 8;

/// Half widths over rounds (as given, of the registered estimate), and of the mean block log ratio
/// clustered by input and by both at a `two_sided` error; `None` under two inputs or two units.
pub(super) fn class_intervals(
    blocks: &[&PairedBlock],
    rounds_half_width: f64,
    two_sided: f64,
) -> Option<ClassIntervals> {
    let values: Vec<f64> = blocks.iter().map(|block| block.log_ratio).collect();
    let units: Vec<(u32, u32)> =
        blocks.iter().map(|block| (block.key.round, block.key.segment)).collect();
    let inputs: Vec<&str> = blocks.iter().map(|block| block.input.as_str()).collect();
    let found = two_way_interval_of_error(&values, &units, &inputs, two_sided)?;
    Some(ClassIntervals {
        rounds_half_width,
        inputs_half_width: found.inputs_half_width,
        both_half_width: found.both_half_width,
        inputs: found.inputs,
    })
}

/// The half width that governs: the widest.
pub(super) fn governing_half_width(found: &ClassIntervals) -> f64 {
    found.rounds_half_width.max(found.inputs_half_width).max(found.both_half_width)
}

/// How many different inputs the blocks have.
pub(super) fn different_inputs(blocks: &[&PairedBlock]) -> u32 {
    blocks.iter().map(|block| block.input.as_str()).collect::<BTreeSet<_>>().len() as u32
}
