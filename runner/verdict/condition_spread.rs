//! The structure of a run's noise by condition value, and the sizes that it asks for.

use sample_table::SampleRow;
use serde::Serialize;

use super::layout_costs::{MeasuredCosts, measured_costs};
use super::registered_noise::{Pool, pooled, spreads_of_aa};
use super::spread::{FEWEST_TRIMMED_BLOCKS, Gathered, PairSpread};
use super::words::condition as condition_label;
use crate::manifest::Plan;
use crate::stats::{
    Layout, LayoutChoice, LayoutCosts, LayoutVariances, LevelVariance, best_layout,
    student_quantile,
};

/// Of every half width here.
const CONFIDENCE_PERCENT: f64 = 95.0;

/// Fewest rounds of a layout that is advised: from here on t is within a fifth of its limit.
const FEWEST_ROUNDS: u32 = 8;

/// Most blocks of a round that are looked at: a set of inputs has 48.
const MOST_BLOCKS: u32 = 48;

/// Most chunks of a block that are looked at.
const MOST_CHUNKS: u32 = 64;

/// Wall times for which the best layout is looked for, minutes.
const MINUTES: [u32; 3] = [5, 10, 20];

/// Wall time at which layouts are compared, minutes.
const COMPARED_AT_MINUTES: f64 = 10.0;

/// A level of repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Level {
    Round,
    Block,
    Chunk,
}

/// How an estimate of a variance came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimated {
    /// As it stands.
    Positive,
    /// Below zero, by chance: it is given as zero.
    BelowZero,
}

/// What a level adds to the spread of the log ratio.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LevelSpread {
    /// Which.
    pub level: Level,
    /// Standard deviation beyond what lies below, 100 times the log ratio.
    pub sd_percent: f64,
    /// Degrees of freedom, over all aa arms.
    pub freedom: u32,
    /// Whether that is the estimate.
    pub estimate: Estimated,
}

/// A number of rounds and blocks with the interval that it gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SizedLayout {
    /// Rounds.
    pub rounds: u32,
    /// Blocks of a round, at each condition value.
    pub blocks_per_round: u32,
    /// Chunks of a block; 1 for work that is not cut.
    pub chunks: u32,
    /// Half width of the 95 % interval, 100 times the log ratio.
    pub half_width_percent: f64,
    /// Wall time, minutes.
    pub minutes: f64,
}

/// The best layouts for a wall time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Advice {
    /// Wall time, minutes.
    pub minutes: u32,
    /// Blocks as they were measured. `None` when not even 8 rounds of one block fit.
    pub best: Option<SizedLayout>,
    /// The same with four blocks or more, of which a round's value leaves stalls out.
    pub with_trimming: Option<SizedLayout>,
    /// With any number of chunks in a block, four blocks or more. `None` for work that is not
    /// cut, and where blocks vary less than independent chunks would: then a block's chunks make
    /// up for each other, and other numbers of them cannot be reckoned with.
    pub any_chunks: Option<SizedLayout>,
}

/// Noise, costs and sizes at one condition value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConditionSpread {
    /// `chunk_tokens=8`; empty without a condition.
    pub condition: String,
    /// Units that a round's value was taken of, of each aa arm.
    pub rounds: u32,
    /// Accepted blocks of whole rounds, over all aa arms.
    pub blocks: u32,
    /// Of those, stalled ones that are left out of the levels' variances.
    pub stalled_blocks: u32,
    /// Round, block and, for work that is cut, chunk.
    pub levels: Vec<LevelSpread>,
    /// Standard deviation of a block's log ratio within its round, with what its chunks add.
    pub whole_block_sd_percent: f64,
    /// Standard deviation of a round's value, as it is judged.
    pub round_value_sd_percent: f64,
    /// Standard error of the comparison that was reached, and its half width.
    pub standard_error_percent: f64,
    /// Half width of the 95 % interval that was reached.
    pub half_width_percent: f64,
    /// Typical costs; `None` where no clock was kept.
    pub costs: Option<CostFigures>,
    /// This layout with as many rounds as 10 minutes hold, by the spread of its round values.
    pub in_ten_minutes: Option<SizedLayout>,
    /// Best layouts by wall time, by the levels' variances; empty without costs.
    pub advice: Vec<Advice>,
}

/// Costs in seconds of wall time, over all arms of the run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostFigures {
    /// A round without its blocks.
    pub round_seconds: f64,
    /// A whole block.
    pub block_seconds: f64,
    /// A chunk; `None` for work that is not cut.
    pub chunk_seconds: Option<f64>,
    /// Chunks of a block.
    pub chunks: u32,
}

/// Noise between off and off again in a run of `plan`, pooled over aa arms, with costs and best
/// sizes, for each condition value in the plan's order. `None` for a value without two whole
/// rounds, one of them of two blocks. `wall_nanoseconds` is the run's, or 0.
#[must_use]
pub fn condition_spreads(
    plan: &Plan,
    rows: &[SampleRow],
    wall_nanoseconds: u64,
) -> Vec<(String, Option<ConditionSpread>)> {
    let gathered = Gathered::of(plan, rows);
    let costs = measured_costs(plan, rows, wall_nanoseconds);
    let values = plan.condition_values();
    let all = values.iter().zip(costs).enumerate().map(|(index, (value, costs))| {
        let label = condition_label(plan, *value);
        let spreads = spreads_of_aa(&gathered, index as u32);
        let found = condition_spread(plan, label.clone(), &spreads, costs.as_ref());
        (label, found)
    });
    all.collect()
}

fn condition_spread(
    plan: &Plan,
    condition: String,
    spreads: &[PairSpread],
    costs: Option<&MeasuredCosts>,
) -> Option<ConditionSpread> {
    let pool = Pool::of(spreads)?;
    let levels = levels(spreads)?;
    let units = spreads.iter().map(|spread| spread.units.len()).min()?;
    let round_value = libm::sqrt(pool.round_value);
    let standard_error = round_value / libm::sqrt(units as f64);
    let costs = costs.and_then(|costs| {
        Some(CostFigures {
            round_seconds: costs.round_seconds?,
            block_seconds: costs.block_seconds,
            chunk_seconds: costs.chunk_seconds,
            chunks: costs.chunks,
        })
    });
    let blocks = plan.design.blocks_per_round;
    Some(ConditionSpread {
        condition,
        rounds: units as u32,
        blocks: spreads.iter().map(|spread| spread.blocks).sum(),
        stalled_blocks: spreads.iter().map(|spread| spread.stalled).sum(),
        whole_block_sd_percent: percent_sd(pool.block),
        round_value_sd_percent: 100.0 * round_value,
        standard_error_percent: 100.0 * standard_error,
        half_width_percent: 100.0 * quantile(units as u32)? * standard_error,
        in_ten_minutes: costs.as_ref().and_then(|costs| in_ten_minutes(round_value, costs, blocks)),
        advice: costs.as_ref().map(|costs| advice(&pool, &levels, costs)).unwrap_or_default(),
        costs,
        levels,
    })
}

fn percent_sd(variance: f64) -> f64 {
    100.0 * libm::sqrt(variance.max(0.0))
}

fn quantile(rounds: u32) -> Option<f64> {
    let freedom = rounds.checked_sub(1)?;
    student_quantile((100.0 - CONFIDENCE_PERCENT) / 100.0, f64::from(freedom))
}

/// What each level adds, highest first: by chunks where every aa arm has them.
fn levels(spreads: &[PairSpread]) -> Option<Vec<LevelSpread>> {
    let by_chunk: Option<Vec<&[LevelVariance]>> =
        spreads.iter().map(|spread| Some(spread.by_chunk.as_ref()?.levels.as_slice())).collect();
    let (arms, names) = match by_chunk {
        Some(arms) => (arms, &[Level::Chunk, Level::Block, Level::Round][..]),
        None => (
            spreads.iter().map(|spread| spread.by_block.levels.as_slice()).collect(),
            &[Level::Block, Level::Round][..],
        ),
    };
    let of_level = |(place, level): (usize, &Level)| {
        let figures = || arms.iter().filter_map(|levels| levels.get(place));
        let own = pooled(figures().map(|found| Some((found.own, f64::from(found.freedom)))))?;
        Some(LevelSpread {
            level: *level,
            sd_percent: percent_sd(own),
            freedom: figures().map(|found| found.freedom).sum(),
            estimate: if own < 0.0 { Estimated::BelowZero } else { Estimated::Positive },
        })
    };
    names.iter().enumerate().rev().map(of_level).collect()
}

/// The measured layout for ten minutes: more or fewer rounds of the same.
fn in_ten_minutes(round_value: f64, costs: &CostFigures, blocks: u32) -> Option<SizedLayout> {
    let of_round = costs.round_seconds + f64::from(blocks) * costs.block_seconds;
    let rounds = libm::floor(COMPARED_AT_MINUTES * 60.0 / of_round);
    if !(2.0..=f64::from(u32::MAX)).contains(&rounds) {
        return None;
    }
    let half_width = quantile(rounds as u32)? * round_value / libm::sqrt(rounds);
    Some(SizedLayout {
        rounds: rounds as u32,
        blocks_per_round: blocks,
        chunks: costs.chunks,
        half_width_percent: 100.0 * half_width,
        minutes: rounds * of_round / 60.0,
    })
}

fn advice(pool: &Pool, levels: &[LevelSpread], costs: &CostFigures) -> Vec<Advice> {
    let whole =
        LayoutVariances { round: pool.round.max(0.0), block: pool.block.max(0.0), chunk: 0.0 };
    let of_whole =
        LayoutCosts { round: costs.round_seconds, block: costs.block_seconds, chunk: 0.0 };
    let one = 1..=1;
    let sized = |layout: Layout, chunks: u32| SizedLayout {
        rounds: layout.rounds,
        blocks_per_round: layout.blocks,
        chunks,
        half_width_percent: 100.0 * layout.half_width,
        minutes: layout.seconds / 60.0,
    };
    let with_blocks = |fewest_blocks: u32, minutes: u32| {
        let choice = LayoutChoice {
            fewest_rounds: FEWEST_ROUNDS,
            blocks: fewest_blocks..=MOST_BLOCKS,
            chunks: one.clone(),
        };
        let seconds = f64::from(minutes) * 60.0;
        let found = best_layout(&whole, &of_whole, seconds, &choice, CONFIDENCE_PERCENT)?;
        Some(sized(found, costs.chunks))
    };
    let any_chunks = |minutes: u32| {
        let chunk = costs.chunk_seconds?;
        let set_up = (costs.block_seconds - f64::from(costs.chunks) * chunk).max(0.0);
        let of_level = |wanted: Level| levels.iter().find(|found| found.level == wanted);
        let variance = |wanted: Level| {
            let sd = of_level(wanted)?.sd_percent / 100.0;
            Some(sd * sd)
        };
        if of_level(Level::Block)?.estimate == Estimated::BelowZero {
            return None;
        }
        let variances = LayoutVariances {
            round: variance(Level::Round)?,
            block: variance(Level::Block)?,
            chunk: variance(Level::Chunk)?,
        };
        let costs = LayoutCosts { round: costs.round_seconds, block: set_up, chunk };
        let choice = LayoutChoice {
            fewest_rounds: FEWEST_ROUNDS,
            blocks: FEWEST_TRIMMED_BLOCKS..=MOST_BLOCKS,
            chunks: 1..=MOST_CHUNKS,
        };
        let seconds = f64::from(minutes) * 60.0;
        let found = best_layout(&variances, &costs, seconds, &choice, CONFIDENCE_PERCENT)?;
        Some(sized(found, found.chunks))
    };
    MINUTES
        .into_iter()
        .map(|minutes| Advice {
            minutes,
            best: with_blocks(1, minutes),
            with_trimming: with_blocks(FEWEST_TRIMMED_BLOCKS, minutes),
            any_chunks: any_chunks(minutes),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use sample_table::Work;

    use super::{Estimated, Level, condition_spreads};
    use crate::design::test_plan::{plan, with_depths};
    use crate::manifest::Plan;
    use crate::verdict::test_evidence::{World, evidence};

    /// Rows with a clock: restarts of 4 s, prompts of 0.5 s, chunks of 0.25 s an arm.
    fn timed(plan: &Plan, world: &World) -> Vec<sample_table::SampleRow> {
        let mut rows = evidence(plan, world).samples;
        let (mut now, mut round) = (0_u64, u32::MAX);
        for row in &mut rows {
            if row.round != round {
                (now, round) = (now + 4_000_000_000, row.round);
            }
            (row.segment, row.started_nanoseconds) = (0, now);
            now += if row.work == Work::Prompt { 500_000_000 } else { 250_000_000 };
        }
        rows
    }

    fn world(seed: u64) -> World {
        let mut world = World::quiet(seed, &[]);
        world.round_sd = 0.01;
        world.block_sd = 0.04;
        world
    }

    #[test]
    fn what_was_put_in_is_found_and_sizes_follow() {
        let plan = plan(60, 6);
        let found = condition_spreads(&plan, &timed(&plan, &world(71)), 0).remove(0).1.unwrap();
        assert_eq!((found.rounds, found.blocks, found.stalled_blocks), (60, 360, 0));
        let of = |level: Level| found.levels.iter().find(|one| one.level == level).unwrap();
        assert!((of(Level::Round).sd_percent - 1.0).abs() < 0.6, "{found:?}");
        assert!((of(Level::Block).sd_percent - 4.0).abs() < 0.4, "{found:?}");
        assert!(of(Level::Chunk).sd_percent < 0.001, "{found:?}");
        let costs = found.costs.unwrap();
        // 3 prompts, 6 chunks of 3 arms
        assert!((costs.block_seconds - 6.0).abs() < 1e-9);
        assert!((costs.round_seconds - 4.0).abs() < 1e-9);
        // 600 s over 4 + 6 * 6 s
        let same = found.in_ten_minutes.unwrap();
        assert_eq!((same.rounds, same.blocks_per_round, same.chunks), (15, 6, 6));
        assert!((same.half_width_percent / found.round_value_sd_percent - 0.553_78).abs() < 1e-4);
        for advice in &found.advice {
            let (best, trimming) = (advice.best.unwrap(), advice.with_trimming.unwrap());
            assert!(best.minutes <= f64::from(advice.minutes) && best.rounds >= 8);
            assert!(best.half_width_percent <= trimming.half_width_percent);
            assert!(trimming.blocks_per_round >= 4);
        }
        let ten = found.advice[1].best.unwrap();
        let twenty = found.advice[2].best.unwrap();
        assert!(twenty.half_width_percent < ten.half_width_percent);
    }

    #[test]
    fn chunks_that_make_up_for_each_other_are_said_and_not_reckoned_with() {
        let plan = plan(20, 6);
        let mut quiet = world(72);
        (quiet.round_sd, quiet.block_sd) = (0.0, 0.0);
        let mut rows = timed(&plan, &quiet);
        for row in rows.iter_mut().filter(|row| row.work == Work::Decode) {
            row.nanoseconds = row.nanoseconds * [105, 100, 95][row.place as usize] / 100;
        }
        let found = condition_spreads(&plan, &rows, 0).remove(0).1.unwrap();
        let block = found.levels.iter().find(|one| one.level == Level::Block).unwrap();
        assert_eq!((block.estimate, block.sd_percent), (Estimated::BelowZero, 0.0));
        assert!(found.advice.iter().all(|advice| advice.any_chunks.is_none()));
    }

    #[test]
    fn every_condition_value_has_its_own_and_a_missing_one_has_none() {
        let plan = with_depths(plan(12, 6), &[0, 512]);
        let mut rows = timed(&plan, &world(73));
        let all = condition_spreads(&plan, &rows, 0);
        let labels: Vec<&str> = all.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["depth_tokens=0", "depth_tokens=512"]);
        assert_ne!(all[0].1, all[1].1);
        rows.retain(|row| row.condition == 0);
        let one = condition_spreads(&plan, &rows, 0);
        assert!(one[0].1.is_some());
        assert_eq!(one[1].1, None);
    }

    #[test]
    fn without_a_clock_there_is_spread_and_no_advice() {
        let plan = plan(12, 6);
        let mut rows = evidence(&plan, &world(74)).samples;
        for row in &mut rows {
            row.segment = 0;
        }
        let found = condition_spreads(&plan, &rows, 0).remove(0).1.unwrap();
        assert!(found.round_value_sd_percent > 0.5);
        assert_eq!((found.in_ten_minutes, found.advice.len()), (None, 0));
    }
}
