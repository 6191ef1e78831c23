//! Blocks that stand apart.

use super::pending::mad_marked;
use super::units::Unit;
use crate::verdict::description::Outliers;
use crate::verdict::words::percent;

/// Scaled median absolute deviations beyond which a block is marked.
///
/// Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers (1993): modified
/// z-scores over 3.5.
const THRESHOLD: f64 = 3.5;

/// Longest list of places in a record.
const MOST_PLACES: usize = 100;

/// Marks blocks by their log ratio: marked, never left out. `None` where half of the blocks or
/// more agree, so that there is no deviation to measure by.
pub(super) fn outliers(units: &[Unit<'_>]) -> Option<Outliers> {
    let blocks: Vec<_> =
        units.iter().flat_map(|unit| unit.blocks.iter().map(move |block| (unit, *block))).collect();
    let values: Vec<f64> = blocks.iter().map(|(_, block)| block.log_ratio).collect();
    let marks = mad_marked(&values, THRESHOLD)?;
    let places: Vec<String> = blocks
        .iter()
        .zip(&marks)
        .filter(|(_, marked)| **marked)
        .map(|((unit, block), _)| {
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
