//! Blocks that stand apart.

use super::units::Unit;
use crate::stats::{MarkScale, mad_marks};
use crate::verdict::description::Outliers;
use crate::verdict::words::percent;

/// Scaled median absolute deviations beyond which a block is marked.
///
/// Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers (1993): modified
/// z-scores over 3.5.
const THRESHOLD: f64 = 3.5;

/// Longest list of places in a record.
const MOST_PLACES: usize = 100;

/// Marks blocks by their log ratio: marked, never left out. `None` where all blocks agree,
/// so that there is no deviation to measure by.
pub(super) fn outliers(units: &[Unit<'_>]) -> Option<Outliers> {
    let blocks: Vec<_> =
        units.iter().flat_map(|unit| unit.blocks.iter().map(move |block| (unit, *block))).collect();
    let values: Vec<f64> = blocks.iter().map(|(_, block)| block.log_ratio).collect();
    let found =
        mad_marks(&values, THRESHOLD).filter(|found| found.measured_by != MarkScale::NoSpread)?;
    let mut marked: Vec<usize> = found.low.iter().chain(&found.high).copied().collect();
    marked.sort_unstable();
    let places: Vec<String> = marked
        .iter()
        .filter_map(|place| blocks.get(*place))
        .map(|(unit, block)| {
            let part = if unit.part == 0 { String::new() } else { format!(", part {}", unit.part) };
            let place = format!("round {}{part}, block {}", unit.round, block.key.block);
            format!("{place}: {}", percent(block.log_ratio))
        })
        .collect();
    Some(Outliers {
        threshold: THRESHOLD,
        count: places.len() as u32,
        marked: places.into_iter().take(MOST_PLACES).collect(),
        of: values.len() as u32,
    })
}
