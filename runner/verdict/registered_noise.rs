//! The noise of a stored run, as `[noise]` of another experiment takes it.

use sample_table::SampleRow;

use super::spread::{Gathered, PairSpread};
use crate::manifest::{Plan, Role};
use crate::stats::{standard_deviation, sum, upper_standard_deviation};

/// Confidence of the upper limit of a round value's spread, 0 to 1.
const UPPER_CONFIDENCE: f64 = 0.8;

/// Correlation of the variances of two arms' log ratios that share off: the log ratios
/// themselves correlate by one half, and sample variances of normal values by its square.
const SHARED_OFF: f64 = 0.25;

/// Noise that a stored run saw between off and off again, as standard deviations of the log
/// ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegisteredNoise {
    /// Between rounds beyond what their blocks explain, percent; 0 where the estimate of the
    /// variance is below zero.
    pub round_sd_percent: f64,
    /// Of a block's log ratio within its round, percent: blocks with all that chunks add.
    pub block_sd_percent: f64,
    /// Degrees of freedom of a round value's spread.
    pub round_freedom: u32,
    /// Upper 80 % limit of the spread of a round's value (trimmed mean of as many blocks as that
    /// run had in a round), percent. What is expected of the next run is the estimate; a design
    /// that must hold up is made for this.
    pub upper_round_value_sd_percent: f64,
}

/// The noise in the rows of a run of `plan`: the pairs off and aa, whole rounds and blocks
/// without flags, pooled over aa arms and condition values.
///
/// Variances by the method of moments ([`crate::stats::nested_variances`]). A block that stands
/// more than six scaled median absolute deviations from the median of its round is left out
/// where a round has four blocks or more, since the round's trimmed mean leaves it out too. The
/// upper limit is of the trimmed means themselves. Condition values share their processes, so
/// they add no degrees of freedom; aa arms share off, and add fewer than they have.
///
/// `None` without an aa arm that has two whole rounds, one of them of two blocks.
#[must_use]
pub fn registered_noise(plan: &Plan, rows: &[SampleRow]) -> Option<RegisteredNoise> {
    let gathered = Gathered::of(plan, rows);
    let conditions = plan.condition_values().len() as u32;
    let mut spreads = Vec::new();
    let mut freedoms = Vec::new();
    for condition in 0..conditions {
        let found = spreads_of_aa(&gathered, condition);
        if let Some(pool) = Pool::of(&found) {
            freedoms.push(pool.round_value_freedom);
        }
        spreads.extend(found);
    }
    let pool = Pool::of(&spreads)?;
    let freedom = libm::floor(sum(&freedoms) / freedoms.len() as f64);
    let round_value_sd = libm::sqrt(pool.round_value);
    let upper = upper_standard_deviation(round_value_sd, freedom, UPPER_CONFIDENCE)?;
    Some(RegisteredNoise {
        round_sd_percent: 100.0 * libm::sqrt(pool.round.max(0.0)),
        block_sd_percent: 100.0 * libm::sqrt(pool.block.max(0.0)),
        round_freedom: freedom as u32,
        upper_round_value_sd_percent: 100.0 * upper,
    })
}

/// Spread of each aa arm over off at a condition.
pub(super) fn spreads_of_aa(gathered: &Gathered<'_>, condition: u32) -> Vec<PairSpread> {
    let arms = gathered.plan.arms.iter().filter(|arm| arm.role == Role::Aa);
    arms.filter_map(|arm| gathered.spread(condition, arm.name.as_str())).collect()
}

/// Variances of several pairs, pooled by degrees of freedom. Negative ones are clipped by the
/// reader: before that they balance others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pool {
    /// Between rounds, two levels.
    pub round: f64,
    /// Between blocks of a round, two levels.
    pub block: f64,
    /// Of round values.
    pub round_value: f64,
    /// Degrees of freedom of that, as arms that share off have together.
    pub round_value_freedom: f64,
}

impl Pool {
    /// `None` where no pair has a spread.
    pub fn of(spreads: &[PairSpread]) -> Option<Pool> {
        let values: Vec<(f64, f64)> = spreads
            .iter()
            .filter_map(|spread| {
                let sd = standard_deviation(&spread.units)?;
                Some((sd * sd, (spread.units.len() - 1) as f64))
            })
            .collect();
        let arms = values.len() as f64;
        let freedom = sum(&values.iter().map(|(_, freedom)| *freedom).collect::<Vec<f64>>());
        Some(Pool {
            round: pooled(spreads.iter().map(|spread| of_level(spread, 1)))?,
            block: pooled(spreads.iter().map(|spread| of_level(spread, 0)))?,
            round_value: pooled(values.iter().copied().map(Some))?,
            round_value_freedom: freedom / (1.0 + (arms - 1.0) * SHARED_OFF),
        })
    }
}

fn of_level(spread: &PairSpread, level: usize) -> Option<(f64, f64)> {
    let level = spread.by_block.levels.get(level)?;
    Some((level.own, f64::from(level.freedom)))
}

/// The mean of variances, weighted by their degrees of freedom.
pub(super) fn pooled(variances: impl Iterator<Item = Option<(f64, f64)>>) -> Option<f64> {
    let all: Vec<(f64, f64)> = variances.flatten().collect();
    let weights = sum(&all.iter().map(|(_, freedom)| *freedom).collect::<Vec<f64>>());
    let squares = sum(&all.iter().map(|(own, freedom)| own * freedom).collect::<Vec<f64>>());
    (weights > 0.0).then(|| squares / weights)
}

#[cfg(test)]
mod tests {
    use super::registered_noise;
    use crate::design::test_plan::{arm, plan, with_depths};
    use crate::manifest::Role;
    use crate::verdict::test_evidence::{World, evidence, rows_of};

    fn world(seed: u64) -> World {
        let mut world = World::quiet(seed, &[]);
        world.round_sd = 0.01;
        world.block_sd = 0.03;
        world
    }

    #[test]
    fn the_noise_of_a_run_is_split_into_rounds_and_blocks() {
        let plan = plan(120, 6);
        let found = registered_noise(&plan, &evidence(&plan, &world(41)).samples).unwrap();
        assert!((found.block_sd_percent - 3.0).abs() < 0.3, "{found:?}");
        assert!((found.round_sd_percent - 1.0).abs() < 0.4, "{found:?}");
        assert_eq!(found.round_freedom, 119);
        // a round's value: sqrt(1 + 9 / 6), at most a tenth more for trimming, and the limit
        let upper = found.upper_round_value_sd_percent;
        assert!(upper > 1.55 && upper < 2.0, "{found:?}");
    }

    #[test]
    fn condition_values_are_pooled_and_add_no_freedom_and_aa_arms_add_some() {
        let plan = with_depths(plan(12, 6), &[0, 512]);
        let found = registered_noise(&plan, &evidence(&plan, &world(42)).samples).unwrap();
        assert_eq!(found.round_freedom, 11);
        let mut plan = plan;
        plan.arms.insert(2, arm("off-once-more", Role::Aa));
        let found = registered_noise(&plan, &evidence(&plan, &world(42)).samples).unwrap();
        // 22 / 1.25
        assert_eq!(found.round_freedom, 17);
    }

    #[test]
    fn a_stall_is_left_out_where_the_round_leaves_it_out() {
        let mut plan = plan(12, 6);
        let mut evidence = evidence(&plan, &world(43));
        let before = registered_noise(&plan, &evidence.samples).unwrap();
        for row in rows_of(&mut evidence, 3, 2) {
            if row.arm == "off-again" {
                row.nanoseconds *= 15;
            }
        }
        let after = registered_noise(&plan, &evidence.samples).unwrap();
        assert!((after.block_sd_percent - before.block_sd_percent).abs() < 0.2, "{after:?}");
        assert!(after.upper_round_value_sd_percent < 1.3 * before.upper_round_value_sd_percent);
        // of fewer blocks none is cut, and the stall is part of what such a design meets
        plan.design.blocks_per_round = 3;
        let rows: Vec<_> = evidence.samples.iter().filter(|row| row.block < 3).cloned().collect();
        let whole = registered_noise(&plan, &rows).unwrap();
        assert!(whole.block_sd_percent > 20.0, "{whole:?}");
    }

    #[test]
    fn flagged_blocks_and_broken_rounds_do_not_count() {
        let plan = plan(8, 6);
        let mut evidence = evidence(&plan, &world(44));
        for row in rows_of(&mut evidence, 2, 1) {
            row.flags = "pressure".to_owned();
            row.nanoseconds = 1;
        }
        let flagged = registered_noise(&plan, &evidence.samples).unwrap();
        assert!(flagged.block_sd_percent < 5.0, "{flagged:?}");
        evidence.samples.retain(|row| (row.round, row.block) != (5, 0));
        assert_eq!(registered_noise(&plan, &evidence.samples).unwrap().round_freedom, 6);
    }

    #[test]
    fn without_two_rounds_two_blocks_or_an_aa_arm_there_is_none() {
        for (rounds, blocks) in [(1, 6), (8, 1)] {
            let plan = plan(rounds, blocks);
            let evidence = evidence(&plan, &world(45));
            assert_eq!(registered_noise(&plan, &evidence.samples), None, "{rounds} {blocks}");
        }
        let mut plan = plan(8, 6);
        let rows = evidence(&plan, &world(45)).samples;
        assert_eq!(registered_noise(&plan, &[]), None);
        plan.arms.retain(|arm| arm.role != Role::Aa);
        assert_eq!(registered_noise(&plan, &rows), None);
    }
}
