//! The spread of a round's value, from the registered noise.

use crate::manifest::Plan;
use crate::rule::FEWEST_ROUNDS;
use crate::stats::{Draws, standard_deviation, student_quantile, trimmed_mean};

/// Simulated rounds behind the price of trimming: its standard error is one percent.
const ROUNDS: u32 = 5_000;

/// From this many blocks on the price of trimming has reached its limit.
const MANY_BLOCKS: u32 = 64;

/// Variance of a 25 %-trimmed mean of many normal values over that of their mean.
/// Source: closed form of the asymptotic variance at the normal; as the efficiency 0.84 in
/// P. J. Bickel and E. L. Lehmann, Annals of Statistics 3 (1975), table 2.
const PRICE_OF_TRIMMING_MANY: f64 = 1.195;

/// Standard deviations on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spreads {
    /// Of a round's value.
    pub round_value: f64,
}

impl Spreads {
    /// From a plan's registered noise: the variance between rounds, and that between blocks
    /// over their number, raised by what trimming costs.
    #[must_use]
    pub fn of(plan: &Plan) -> Spreads {
        let round = plan.noise.assumed_round_sd_percent / 100.0;
        let block = plan.noise.assumed_block_sd_percent / 100.0;
        let blocks = plan.design.blocks_per_round.max(1);
        let price = price_of_trimming(blocks, plan.design.order_seed);
        let variance = round * round + block * block / f64::from(blocks) * price;
        Spreads { round_value: libm::sqrt(variance) }
    }
}

/// Variance of the trimmed mean of `blocks` normal values, over that of their mean.
fn price_of_trimming(blocks: u32, seed: u64) -> f64 {
    if blocks < 4 {
        return 1.0;
    }
    if blocks >= MANY_BLOCKS {
        return PRICE_OF_TRIMMING_MANY;
    }
    let mut draws = Draws::new(seed, "price of trimming");
    let means: Vec<f64> = (0..ROUNDS)
        .filter_map(|_| {
            let values: Vec<f64> = (0..blocks).map(|_| draws.normal()).collect();
            trimmed_mean(&values)
        })
        .collect();
    let spread = standard_deviation(&means).unwrap_or(1.0);
    spread * spread * f64::from(blocks)
}

/// The least number of rounds at which the registered noise gives an interval whose half-width
/// is no more than the margin; `None` when no number up to 200 does. `confidence_percent` is
/// that of one comparison's interval, `margin` a log ratio.
#[must_use]
pub fn rounds_for_margin(plan: &Plan, margin: f64, confidence_percent: f64) -> Option<u32> {
    let spread = Spreads::of(plan).round_value;
    let two_sided = (100.0 - confidence_percent) / 100.0;
    (FEWEST_ROUNDS..=200).find(|&rounds| {
        student_quantile(two_sided, f64::from(rounds - 1))
            .is_some_and(|t| t * spread / libm::sqrt(f64::from(rounds)) <= margin)
    })
}

#[cfg(test)]
mod tests {
    use super::{PRICE_OF_TRIMMING_MANY, price_of_trimming, rounds_for_margin};
    use crate::design::test_plan::plan;

    #[test]
    fn trimming_costs_more_with_more_blocks_up_to_a_limit() {
        assert_eq!(price_of_trimming(3, 1), 1.0);
        let six = price_of_trimming(6, 1);
        assert!(six > 1.0 && six < PRICE_OF_TRIMMING_MANY + 0.05, "{six}");
        let many = price_of_trimming(60, 1);
        assert!((many - PRICE_OF_TRIMMING_MANY).abs() < 0.06, "{many}");
    }

    #[test]
    fn the_rounds_that_fit_an_interval_into_the_margin() {
        // Spread 1.5 %: t(0.975, 4) 2.776 x 1.5 / sqrt(5) = 1.86, and at 4 rounds 2.39.
        assert_eq!(rounds_for_margin(&plan(16, 6), 0.02, 95.0), Some(5));
        assert_eq!(rounds_for_margin(&plan(16, 6), 0.0, 95.0), None);
    }
}
