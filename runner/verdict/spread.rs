//! Where the spread of a log ratio comes from: rounds, blocks of a round, chunks of a block.

use std::collections::{BTreeMap, BTreeSet};

use sample_table::SampleRow;

use super::blocks::{BlockKey, Blocks, Reading, gather, reading_of};
use super::description::NestedSpread;
use super::estimate::estimate;
use super::pairs::{PairedBlock, pair};
use crate::manifest::Plan;
use crate::stats::{Nested, NestedVariances, log_ratio, median, nested_variances};

/// Scaled median absolute deviations from the median of its round beyond which a block is a
/// stall. Normal noise passes it once in 10^8 blocks; a stall is ten times a block's length.
const STALL_DEVIATIONS: f64 = 6.0;

/// The median absolute deviation of normal values times this is their standard deviation.
/// Source: F. R. Hampel, "The influence curve and its role in robust estimation", Journal of the
/// American Statistical Association 69 (1974).
const SCALE_OF_MEDIAN_DEVIATION: f64 = 1.4826;

/// Fewest blocks of a round of which the round's value leaves some out.
pub(super) const FEWEST_TRIMMED_BLOCKS: u32 = 4;

/// Confidence of intervals that are not looked at.
const ANY_CONFIDENCE_PERCENT: f64 = 95.0;

/// The spread of two arms' log ratio at one condition value. Variances are of log ratios.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PairSpread {
    /// Two levels, from below: block log ratios as they are judged, rounds.
    pub by_block: NestedVariances,
    /// Three levels, from below: log ratios of chunks, blocks, rounds. `None` for work that is
    /// not cut.
    pub by_chunk: Option<NestedVariances>,
    /// Round values, stalled blocks included: trimmed means, as they are judged.
    pub units: Vec<f64>,
    /// Accepted blocks of whole rounds.
    pub blocks: u32,
    /// Of those, stalled ones that are left out of the variances.
    pub stalled: u32,
}

/// The rows of a run, gathered once for all its pairs.
pub(super) struct Gathered<'run> {
    pub plan: &'run Plan,
    pub rows: &'run [SampleRow],
    blocks: Blocks,
}

impl<'run> Gathered<'run> {
    /// Of a run of `plan`, for its primary metric.
    pub fn of(plan: &'run Plan, rows: &'run [SampleRow]) -> Gathered<'run> {
        Gathered { plan, rows, blocks: gather(rows, reading_of(plan, plan.metric.primary)) }
    }

    /// The spread of `arm` over off at a condition, from accepted blocks of whole rounds; stalled
    /// ones are left out of variances where the round's value would leave them out too. `None`
    /// under two rounds, or with no round of two blocks.
    pub fn spread(&self, condition: u32, arm: &str) -> Option<PairSpread> {
        let off = self.plan.arms.get(self.plan.off())?.name.as_str();
        let blocks_per_round = self.plan.design.blocks_per_round;
        let pairs = pair(&self.blocks, condition, off, arm, blocks_per_round);
        let accepted = pairs.accepted();
        let trims = blocks_per_round >= FEWEST_TRIMMED_BLOCKS;
        let left_out = if trims { stalled(&accepted) } else { BTreeSet::new() };
        let kept: Vec<&PairedBlock> =
            accepted.iter().copied().filter(|block| !left_out.contains(&block.key)).collect();
        let reading = reading_of(self.plan, self.plan.metric.primary);
        Some(PairSpread {
            by_block: by_block(&kept)?,
            by_chunk: by_chunk(self.rows, reading, (off, arm), &kept),
            units: estimate(&accepted, ANY_CONFIDENCE_PERCENT)?.units,
            blocks: accepted.len() as u32,
            stalled: left_out.len() as u32,
        })
    }
}

/// Where the spread of these blocks comes from, as a record's description shows it. `rows` hold
/// the chunks that `reading` reads of the arms `off` and `arm`. `None` under two rounds, or with no
/// round of two blocks.
pub(super) fn nested_spread(
    blocks: &[&PairedBlock],
    rows: &[SampleRow],
    reading: impl Into<Reading>,
    (off, arm): (&str, &str),
) -> Option<NestedSpread> {
    let by_chunk = by_chunk(rows, reading.into(), (off, arm), blocks);
    let (found, names) = match by_chunk {
        Some(found) => (found, &["chunk", "block", "round"][..]),
        None => (by_block(blocks)?, &["block", "round"][..]),
    };
    let sd = |name: &str| {
        let place = names.iter().position(|other| *other == name)?;
        found.levels.get(place).map(|level| libm::sqrt(level.clipped()))
    };
    let below_zero = names.iter().zip(&found.levels).filter(|(_, level)| level.is_below_zero());
    Some(NestedSpread {
        round_sd: sd("round")?,
        block_sd: sd("block")?,
        chunk_sd: sd("chunk"),
        clipped: below_zero.map(|(name, _)| (*name).to_owned()).collect(),
    })
}

/// Variances of block log ratios: two levels.
fn by_block(blocks: &[&PairedBlock]) -> Option<NestedVariances> {
    let values = blocks.iter().map(|block| (unit(&block.key), Nested::Value(block.log_ratio)));
    nested_variances(&tree(values))
}

/// A unit of analysis: a round, or a resumed part of one.
fn unit(key: &BlockKey) -> (u32, u32) {
    (key.round, key.segment)
}

/// Gathers what belongs to the same unit, in order.
fn tree(parts: impl Iterator<Item = ((u32, u32), Nested)>) -> Nested {
    let mut units = BTreeMap::<(u32, u32), Vec<Nested>>::new();
    for (unit, part) in parts {
        units.entry(unit).or_default().push(part);
    }
    Nested::Group(units.into_values().map(Nested::Group).collect())
}

/// Blocks that stand far from the median of their unit.
fn stalled(blocks: &[&PairedBlock]) -> BTreeSet<BlockKey> {
    let mut units = BTreeMap::<(u32, u32), Vec<f64>>::new();
    for block in blocks {
        units.entry(unit(&block.key)).or_default().push(block.log_ratio);
    }
    let centres: BTreeMap<(u32, u32), f64> =
        units.into_iter().filter_map(|(unit, ratios)| Some((unit, median(&ratios)?))).collect();
    let distances: Vec<(BlockKey, f64)> = blocks
        .iter()
        .filter_map(|block| {
            let centre = centres.get(&unit(&block.key))?;
            Some((block.key, (block.log_ratio - centre).abs()))
        })
        .collect();
    let all: Vec<f64> = distances.iter().map(|(_, distance)| *distance).collect();
    let scale = median(&all).unwrap_or(0.0) * SCALE_OF_MEDIAN_DEVIATION;
    distances
        .into_iter()
        .filter(|(_, distance)| scale > 0.0 && *distance > STALL_DEVIATIONS * scale)
        .map(|(key, _)| key)
        .collect()
}

/// Variances of the log ratios of chunks: arms are paired at the same chunk of a block.
fn by_chunk(
    rows: &[SampleRow],
    reading: Reading,
    (off, arm): (&str, &str),
    kept: &[&PairedBlock],
) -> Option<NestedVariances> {
    let keys: BTreeSet<BlockKey> = kept.iter().map(|block| block.key).collect();
    let mut sides = BTreeMap::<(BlockKey, u32), [Option<f64>; 2]>::new();
    for row in rows {
        let Some(rate) = reading.rate_of(row) else { continue };
        let key = BlockKey {
            condition: row.condition,
            round: row.round,
            segment: row.segment,
            block: row.block,
        };
        let side = if row.arm == off {
            0
        } else if row.arm == arm {
            1
        } else {
            continue;
        };
        if keys.contains(&key) {
            sides.entry((key, row.chunk)).or_default()[side] = Some(rate);
        }
    }
    let mut blocks = BTreeMap::<BlockKey, Vec<Nested>>::new();
    for ((key, _), rates) in sides {
        if let [Some(off), Some(arm)] = rates
            && let Some(ratio) = log_ratio(arm, off)
        {
            blocks.entry(key).or_default().push(Nested::Value(ratio));
        }
    }
    nested_variances(&tree(
        blocks.into_iter().map(|(key, chunks)| (unit(&key), Nested::Group(chunks))),
    ))
}

#[cfg(test)]
mod tests {
    use sample_table::Work;

    use super::{Gathered, nested_spread};
    use crate::design::test_plan::plan;
    use crate::manifest::{Metric, TimedWork};
    use crate::stats::Draws;
    use crate::verdict::blocks::gather;
    use crate::verdict::pairs::pair;
    use crate::verdict::test_evidence::{World, evidence};

    #[test]
    fn three_levels_are_told_apart() {
        let plan = plan(80, 6);
        let mut world = World::quiet(51, &[]);
        world.round_sd = 0.02;
        world.block_sd = 0.03;
        let mut rows = evidence(&plan, &world).samples;
        // 4 % more from chunk to chunk, half the variance from either side
        let mut draws = Draws::new(52, "chunks");
        for row in rows.iter_mut().filter(|row| row.work == Work::Decode) {
            let noise = libm::exp(0.04 * std::f64::consts::FRAC_1_SQRT_2 * draws.normal());
            row.nanoseconds = (row.nanoseconds as f64 * noise) as u64;
        }
        let blocks = gather(&rows, Work::Decode);
        let pairs = pair(&blocks, 0, "off", "off-again", 6);
        let found =
            nested_spread(&pairs.accepted(), &rows, Work::Decode, ("off", "off-again")).unwrap();
        assert!((found.round_sd - 0.02).abs() < 0.006, "{found:?}");
        assert!((found.block_sd - 0.03).abs() < 0.003, "{found:?}");
        assert!((found.chunk_sd.unwrap() - 0.04).abs() < 0.002, "{found:?}");
        assert!(found.clipped.is_empty());
        // a block with what its chunks add: 9 + 16 / 6
        let spread = Gathered::of(&plan, &rows).spread(0, "off-again").unwrap();
        let block_sd = libm::sqrt(spread.by_block.levels[0].own);
        assert!((block_sd - 0.0342).abs() < 0.004, "{block_sd}");
        assert_eq!((spread.blocks, spread.stalled, spread.units.len()), (480, 0, 80));
    }

    #[test]
    fn an_estimate_below_zero_is_named_and_given_as_zero() {
        let plan = plan(40, 6);
        let mut world = World::quiet(53, &[]);
        world.round_sd = 0.0;
        world.block_sd = 0.0;
        let mut rows = evidence(&plan, &world).samples;
        // the place in a chunk matters and cancels over a block: chunks differ, blocks do not
        for row in &mut rows {
            row.nanoseconds = row.nanoseconds * [105, 100, 95][row.place as usize] / 100;
        }
        let blocks = gather(&rows, Work::Decode);
        let pairs = pair(&blocks, 0, "off", "off-again", 6);
        let found =
            nested_spread(&pairs.accepted(), &rows, Work::Decode, ("off", "off-again")).unwrap();
        assert_eq!(found.block_sd, 0.0);
        assert!(found.chunk_sd.unwrap() > 0.05, "{found:?}");
        assert!(found.clipped.contains(&"block".to_owned()), "{found:?}");
    }

    #[test]
    fn work_that_is_not_cut_has_two_levels() {
        let mut plan = plan(10, 6);
        plan.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
        plan.metric.primary = Metric::PrefillTokensPerSecond;
        let rows = evidence(&plan, &World::quiet(54, &[])).samples;
        let spread = Gathered::of(&plan, &rows).spread(0, "fast").unwrap();
        assert_eq!((spread.by_chunk, spread.by_block.levels.len()), (None, 2));
        let blocks = gather(&rows, Work::Prefill);
        let pairs = pair(&blocks, 0, "off", "fast", 6);
        let found =
            nested_spread(&pairs.accepted(), &rows, Work::Prefill, ("off", "fast")).unwrap();
        assert_eq!(found.chunk_sd, None);
    }

    #[test]
    fn nothing_measured_has_no_spread() {
        let plan = plan(10, 6);
        assert_eq!(Gathered::of(&plan, &[]).spread(0, "fast"), None);
        assert_eq!(nested_spread(&[], &[], Work::Decode, ("off", "fast")), None);
    }
}
