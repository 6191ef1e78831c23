//! The noise that a stored run shows, as a manifest registers it.

use sample_table::SampleRow;

use super::pilot::{pilot_effect, pilot_noise};
use crate::manifest::{Plan, Role};

/// Noise of off against off again, and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegisteredNoise {
    /// Standard deviation of the log ratio between rounds, percent.
    pub round_sd_percent: f64,
    /// Standard deviation of the log ratio between blocks of a round, percent.
    pub block_sd_percent: f64,
    /// Degrees of freedom of the spread between rounds.
    pub round_freedom: u32,
    /// Upper 80 % limit of the standard deviation of a round's value, percent.
    pub upper_round_value_sd_percent: f64,
}

/// z of the 20th percentile of the normal distribution.
const Z_20: f64 = -0.841_621_233_572_914_2;

/// The noise of a run's first aa arm against off. `None` under two whole rounds with both arms.
///
/// The upper limit uses the approximation of E. B. Wilson and M. M. Hilferty, PNAS 17 (1931), to
/// the chi-square quantile.
#[must_use]
pub fn registered_noise(plan: &Plan, rows: &[SampleRow]) -> Option<RegisteredNoise> {
    let off = plan.arms.get(plan.off())?.name.as_str();
    let aa = plan.arms.iter().find(|arm| arm.role == Role::Aa)?.name.as_str();
    let split = pilot_noise(rows, off, aa)?;
    let effect = pilot_effect(rows, off, aa)?;
    let freedom = effect.n.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let ninth = 2.0 / (9.0 * f64::from(freedom));
    let root = 1.0 - ninth + Z_20 * libm::sqrt(ninth);
    // chi-square over its degrees of freedom; never zero, so that the limit stays finite
    let share = (root * root * root).max(0.01);
    Some(RegisteredNoise {
        round_sd_percent: split.round_sd_percent,
        block_sd_percent: split.block_sd_percent,
        round_freedom: freedom,
        upper_round_value_sd_percent: 100.0 * effect.sd / libm::sqrt(share),
    })
}
