//! Where the spread comes from, in words.

use super::super::figures::size;
use crate::verdict::NestedSpread;

/// One line: a standard deviation for each level.
pub(super) fn line(spread: &NestedSpread) -> String {
    let mut levels = vec![("round", spread.round_sd), ("block", spread.block_sd)];
    levels.extend(spread.chunk_sd.map(|sd| ("chunk", sd)));
    let listed: Vec<String> = levels
        .into_iter()
        .map(|(level, sd)| {
            let clipped = spread.clipped.iter().any(|clipped| clipped == level);
            let note = if clipped { " (its variance came out below zero)" } else { "" };
            format!("{level} {}{note}", size(sd))
        })
        .collect();
    format!(
        "spread of the log ratio by level, beyond what the level below explains: {}",
        listed.join(", ")
    )
}
