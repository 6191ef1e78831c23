//! The interval of a claim about a class of inputs: it must allow for the choice of inputs as well
//! as for the restarts of the workers.

use std::collections::BTreeMap;

use super::description::ClassIntervals;
use super::pairs::PairedBlock;
use crate::stats::{mean, t_interval};

/// Fewest different inputs with which something is said of their class: t over fewer means is
/// ruled by chance.
pub(super) const FEWEST_INPUTS: u32 = 8;

/// Half widths over rounds (as given), over inputs, and clustered both ways; `None` under two
/// inputs.
pub(super) fn class_intervals(
    blocks: &[&PairedBlock],
    rounds_half_width: f64,
    confidence_percent: f64,
) -> Option<ClassIntervals> {
    let widths = clustered(blocks, confidence_percent)?;
    Some(ClassIntervals {
        rounds_half_width,
        inputs_half_width: widths.inputs,
        both_half_width: widths.both,
        inputs: widths.different_inputs,
    })
}

/// The half width that governs: the widest.
pub(super) fn governing_half_width(found: &ClassIntervals) -> f64 {
    found.rounds_half_width.max(found.inputs_half_width).max(found.both_half_width)
}

/// How many different inputs the blocks have.
pub(super) fn different_inputs(blocks: &[&PairedBlock]) -> u32 {
    by_input(blocks).len() as u32
}

struct Clustered {
    inputs: f64,
    both: f64,
    different_inputs: u32,
}

/// Half widths of the mean block log ratio, clustered by input and both ways.
///
/// The place of two-way clustering (`stats::two_way_interval`): until it is there, t over the means
/// of inputs stands for both.
fn clustered(blocks: &[&PairedBlock], confidence_percent: f64) -> Option<Clustered> {
    let by_input = by_input(blocks);
    let means: Vec<f64> = by_input.values().filter_map(|values| mean(values)).collect();
    let over_inputs = t_interval(&means, confidence_percent)?;
    let half_width = (over_inputs.hi - over_inputs.lo) / 2.0;
    Some(Clustered { inputs: half_width, both: half_width, different_inputs: means.len() as u32 })
}

fn by_input<'a>(blocks: &[&'a PairedBlock]) -> BTreeMap<&'a str, Vec<f64>> {
    let mut by_input: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for block in blocks {
        by_input.entry(&block.input).or_default().push(block.log_ratio);
    }
    by_input
}
