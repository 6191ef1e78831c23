//! Every pair, by round.

use super::units::Unit;
use crate::manifest::{Plan, Role};
use crate::verdict::description::RoundFigure;

/// Blocks of all comparisons of a record beyond which the pairs are left to the samples: a number
/// takes some 22 bytes in a record, and a record has 200 kB.
const MOST_BLOCKS_WRITTEN: usize = 2_000;

/// Each unit with its value and its blocks. The blocks' list is empty where all comparisons of
/// the plan would have more than 2,000: the samples hold them.
pub(super) fn round_figures(plan: &Plan, units: &[Unit<'_>]) -> Vec<RoundFigure> {
    let arms = plan.arms.iter().filter(|arm| !matches!(arm.role, Role::Off | Role::Aa)).count();
    let comparisons = (arms * plan.condition_values().len()).max(1);
    let blocks: usize = units.iter().map(|unit| unit.blocks.len()).sum();
    let written = blocks.saturating_mul(comparisons) <= MOST_BLOCKS_WRITTEN;
    let figure = |unit: &Unit<'_>| {
        Some(RoundFigure {
            round: unit.round,
            part: unit.part,
            value: unit.value()?,
            blocks: if written { unit.log_ratios() } else { Vec::new() },
        })
    };
    units.iter().filter_map(figure).collect()
}
