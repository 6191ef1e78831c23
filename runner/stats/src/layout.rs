//! How many rounds, blocks and chunks give the narrowest interval for a given time.

use std::ops::RangeInclusive;

use super::student::student_quantile;

/// Most rounds that are looked at: t has long stopped falling.
const MOST_ROUNDS: u32 = 10_000;

/// Variances by level, each what the level adds of its own, in the square of a log ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayoutVariances {
    /// Between rounds.
    pub round: f64,
    /// Between blocks of a round.
    pub block: f64,
    /// Between chunks of a block; 0 where they are not looked at apart.
    pub chunk: f64,
}

/// What a level costs, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayoutCosts {
    /// A round without its blocks: workers end, start, load and warm up.
    pub round: f64,
    /// A block without its chunks: its prompt, or all of it where chunks are not looked at apart.
    pub block: f64,
    /// A chunk, all arms.
    pub chunk: f64,
}

/// Numbers that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutChoice {
    /// Fewest rounds.
    pub fewest_rounds: u32,
    /// Blocks of a round.
    pub blocks: RangeInclusive<u32>,
    /// Chunks of a block.
    pub chunks: RangeInclusive<u32>,
}

/// Numbers of rounds, blocks and chunks, and what is to be expected of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Rounds.
    pub rounds: u32,
    /// Blocks of a round.
    pub blocks: u32,
    /// Chunks of a block.
    pub chunks: u32,
    /// Half the width of the t interval over rounds, log ratio.
    pub half_width: f64,
    /// Wall time, seconds.
    pub seconds: f64,
}

/// The half width to be expected of `rounds` x `blocks` x `chunks`: Student's t with rounds - 1
/// degrees of freedom times `sqrt((round + (block + chunk / chunks) / blocks) / rounds)`. `None`
/// under two rounds, for a count of zero, variances that are negative or not finite, or a
/// confidence that is not strictly between 0 and 100.
#[must_use]
pub fn layout_half_width(
    variances: &LayoutVariances,
    (rounds, blocks, chunks): (u32, u32, u32),
    confidence_percent: f64,
) -> Option<f64> {
    let all = [variances.round, variances.block, variances.chunk];
    if all.iter().any(|own| !own.is_finite() || *own < 0.0) || blocks == 0 || chunks == 0 {
        return None;
    }
    let freedom = rounds.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let quantile = student_quantile((100.0 - confidence_percent) / 100.0, f64::from(freedom))?;
    let of_block = variances.block + variances.chunk / f64::from(chunks);
    let of_round = variances.round + of_block / f64::from(blocks);
    Some(quantile * libm::sqrt(of_round / f64::from(rounds)))
}

/// Wall time of a layout, seconds.
#[must_use]
pub fn layout_seconds(costs: &LayoutCosts, (rounds, blocks, chunks): (u32, u32, u32)) -> f64 {
    let of_block = costs.block + f64::from(chunks) * costs.chunk;
    f64::from(rounds) * (costs.round + f64::from(blocks) * of_block)
}

/// The layout of `choice` with the narrowest interval that fits into `seconds`; of several, the
/// one with fewest blocks, then fewest chunks. Every pair of blocks and chunks is tried with as
/// many rounds as fit. `None` when not even the smallest fits, a cost is negative or not finite,
/// a round costs nothing, or [`layout_half_width`] has none.
///
/// T. Kalibera and R. Jones (ISMM 2013) give the numbers below the top level in
/// closed form ([`optimal_counts`]) and the top one from the width that is wanted. Under a fixed
/// time both change t, which is large over few rounds, and so all are searched.
#[must_use]
pub fn best_layout(
    variances: &LayoutVariances,
    costs: &LayoutCosts,
    seconds: f64,
    choice: &LayoutChoice,
    confidence_percent: f64,
) -> Option<Layout> {
    let all = [costs.round, costs.block, costs.chunk];
    if all.iter().any(|cost| !cost.is_finite() || *cost < 0.0) || !seconds.is_finite() {
        return None;
    }
    let mut best: Option<Layout> = None;
    for blocks in choice.blocks.clone() {
        for chunks in choice.chunks.clone() {
            let of_one = layout_seconds(costs, (1, blocks, chunks));
            if of_one <= 0.0 {
                return None;
            }
            let rounds = libm::floor(seconds / of_one).clamp(0.0, f64::from(MOST_ROUNDS)) as u32;
            if rounds < choice.fewest_rounds.max(2) {
                continue;
            }
            let counts = (rounds, blocks, chunks);
            let half_width = layout_half_width(variances, counts, confidence_percent)?;
            if best.is_none_or(|best| half_width < best.half_width) {
                let seconds = layout_seconds(costs, counts);
                best = Some(Layout { rounds, blocks, chunks, half_width, seconds });
            }
        }
    }
    best
}

/// Repetitions below the highest level, from the lowest up, that give the least variance for
/// their cost: `n_i = ceil(sqrt(c_(i+1) / c_i * T_i^2 / T_(i+1)^2))`, at least 1, for n levels
/// with n variances `T^2` and n costs `c`, in any units. A count is `None` where the level above
/// adds no variance at all: the more the better. The whole is `None` for fewer than two levels,
/// lists of unlike length, a variance that is negative or not finite, or a cost that is not
/// finite and above zero.
///
/// Source: T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013;
/// `c_i` is what one more repetition at level i costs.
#[must_use]
pub fn optimal_counts(variances: &[f64], costs: &[f64]) -> Option<Vec<Option<u32>>> {
    let sound = variances.len() >= 2
        && variances.len() == costs.len()
        && variances.iter().all(|own| own.is_finite() && *own >= 0.0)
        && costs.iter().all(|cost| cost.is_finite() && *cost > 0.0);
    if !sound {
        return None;
    }
    let counts = variances.windows(2).zip(costs.windows(2)).map(|(own, cost)| {
        (own[1] > 0.0).then(|| {
            let count = libm::ceil(libm::sqrt(cost[1] / cost[0] * own[0] / own[1]));
            count.clamp(1.0, f64::from(u32::MAX)) as u32
        })
    });
    Some(counts.collect())
}

#[cfg(test)]
mod tests {
    use super::{
        LayoutChoice, LayoutCosts, LayoutVariances, best_layout, layout_half_width, layout_seconds,
        optimal_counts,
    };
    use crate::{Draws, mean, standard_deviation, student_quantile};

    const VARIANCES: LayoutVariances = LayoutVariances { round: 0.64, block: 4.0, chunk: 6.0 };
    const COSTS: LayoutCosts = LayoutCosts { round: 3.0, block: 1.5, chunk: 0.25 };

    fn choice() -> LayoutChoice {
        LayoutChoice { fewest_rounds: 8, blocks: 1..=40, chunks: 1..=20 }
    }

    #[test]
    fn the_half_width_is_that_of_simulated_rounds() {
        let mut draws = Draws::new(43, "layout");
        let means: Vec<f64> = (0..20_000)
            .map(|_| {
                let of_round = 0.8 * draws.normal();
                let of_blocks = (0..3).map(|_| {
                    let chunks: f64 = (0..4).map(|_| libm::sqrt(6.0) * draws.normal()).sum();
                    2.0 * draws.normal() + chunks / 4.0
                });
                of_round + of_blocks.sum::<f64>() / 3.0
            })
            .collect();
        let right =
            student_quantile(0.05, 8.0).unwrap() * standard_deviation(&means).unwrap() / 3.0;
        let found = layout_half_width(&VARIANCES, (9, 3, 4), 95.0).unwrap();
        assert!((found / right - 1.0).abs() < 0.02, "{found} {right}");
        assert!(mean(&means).unwrap().abs() < 0.05);
    }

    #[test]
    fn the_best_layout_fits_and_no_other_is_better() {
        let best = best_layout(&VARIANCES, &COSTS, 300.0, &choice(), 95.0).unwrap();
        let found = (best.rounds, best.blocks, best.chunks);
        assert!(best.seconds <= 300.0);
        assert!((best.seconds - layout_seconds(&COSTS, found)).abs() < 1e-12);
        for rounds in 8..=60 {
            for blocks in 1..=40 {
                for chunks in [1, 2, 3, 5, 8, 13, 20] {
                    let counts = (rounds, blocks, chunks);
                    if layout_seconds(&COSTS, counts) <= 300.0 {
                        let other = layout_half_width(&VARIANCES, counts, 95.0).unwrap();
                        assert!(other >= best.half_width, "{counts:?} is better than {best:?}");
                    }
                }
            }
        }
        // without t the optimum of chunks is that of the closed form
        let right = optimal_counts(&[6.0, 4.0, 0.64], &[0.25, 1.5, 3.0]).unwrap();
        assert_eq!(right, [Some(3), Some(4)]);
        assert!(best.chunks.abs_diff(3) <= 1, "{best:?}");
    }

    #[test]
    fn dear_restarts_ask_for_more_blocks_and_noisy_rounds_for_fewer() {
        let with = |round_cost: f64, round_variance: f64| {
            let variances = LayoutVariances { round: round_variance, block: 9.0, chunk: 0.0 };
            let costs = LayoutCosts { round: round_cost, block: 5.0, chunk: 0.0 };
            let choice = LayoutChoice { chunks: 1..=1, ..choice() };
            best_layout(&variances, &costs, 1200.0, &choice, 95.0).unwrap().blocks
        };
        assert!(with(20.0, 0.5) > with(2.0, 0.5));
        assert!(with(5.0, 0.1) > with(5.0, 3.0));
    }

    #[test]
    fn no_variance_between_rounds_is_no_reason_for_few_of_them() {
        let variances = LayoutVariances { round: 0.0, ..VARIANCES };
        let best = best_layout(&variances, &COSTS, 600.0, &choice(), 95.0).unwrap();
        assert!(best.rounds >= 8, "{best:?}");
        assert_eq!(optimal_counts(&[2.0, 0.0], &[1.0, 1.0]), Some(vec![None]));
        let none = LayoutVariances { round: 0.0, block: 0.0, chunk: 0.0 };
        let best = best_layout(&none, &COSTS, 600.0, &choice(), 95.0).unwrap();
        assert_eq!((best.blocks, best.chunks, best.half_width), (1, 1, 0.0));
    }

    #[test]
    fn what_does_not_fit_or_is_no_number_has_none() {
        let tight = best_layout(&VARIANCES, &COSTS, 30.0, &choice(), 95.0);
        assert_eq!(tight, None);
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(best_layout(&VARIANCES, &COSTS, seconds, &choice(), 95.0), None);
        }
        let free = LayoutCosts { round: 0.0, block: 0.0, chunk: 0.0 };
        assert_eq!(best_layout(&VARIANCES, &free, 60.0, &choice(), 95.0), None);
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let costs = LayoutCosts { round: bad, ..COSTS };
            assert_eq!(best_layout(&VARIANCES, &costs, 60.0, &choice(), 95.0), None);
            let variances = LayoutVariances { block: bad, ..VARIANCES };
            assert_eq!(layout_half_width(&variances, (9, 3, 4), 95.0), None);
            assert_eq!(optimal_counts(&[bad, 1.0], &[1.0, 1.0]), None);
            assert_eq!(optimal_counts(&[1.0, 1.0], &[bad, 1.0]), None);
        }
        for counts in [(0, 1, 1), (1, 1, 1), (2, 0, 1), (2, 1, 0)] {
            assert_eq!(layout_half_width(&VARIANCES, counts, 95.0), None);
        }
        assert_eq!(layout_half_width(&VARIANCES, (9, 3, 4), 100.0), None);
        assert_eq!(optimal_counts(&[1.0], &[1.0]), None);
        assert_eq!(optimal_counts(&[1.0, 1.0], &[1.0]), None);
    }
}
