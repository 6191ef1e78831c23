//! Blocks by unit of analysis.

use std::collections::{BTreeMap, BTreeSet};

use sample_table::SampleRow;

use crate::stats::trimmed_mean;
use crate::verdict::pairs::PairedBlock;

/// A round, or a resumed part of one, with its blocks in order of measurement.
pub(super) struct Unit<'a> {
    pub round: u32,
    /// From 0: raised where the run was resumed within the round.
    pub part: u32,
    pub blocks: Vec<&'a PairedBlock>,
}

impl Unit<'_> {
    /// Log ratios of its blocks.
    pub fn log_ratios(&self) -> Vec<f64> {
        self.blocks.iter().map(|block| block.log_ratio).collect()
    }

    /// The registered value of the unit; `None` for no blocks.
    pub fn value(&self) -> Option<f64> {
        trimmed_mean(&self.log_ratios())
    }
}

/// The units of a comparison, in order of round and part. A part is counted even where none of
/// its blocks was accepted, so that the number names the same restart in every comparison.
pub(super) fn units<'a>(pairs: &[&'a PairedBlock], samples: &[SampleRow]) -> Vec<Unit<'a>> {
    let mut segments: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut last = None;
    for row in samples {
        let here = (row.round, row.segment);
        if last != Some(here) {
            segments.entry(row.round).or_default().insert(row.segment);
            last = Some(here);
        }
    }
    let mut blocks: BTreeMap<(u32, u32), Vec<&PairedBlock>> = BTreeMap::new();
    for &block in pairs {
        blocks.entry((block.key.round, block.key.segment)).or_default().push(block);
    }
    blocks
        .into_iter()
        .map(|((round, segment), blocks)| Unit {
            round,
            part: segments.get(&round).map_or(0, |all| all.range(..segment).count() as u32),
            blocks,
        })
        .collect()
}
