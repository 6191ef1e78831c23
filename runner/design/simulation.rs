//! Experiments drawn from registered noise, each judged by the rule at many numbers of rounds.

use super::noise::FEWEST_ROUNDS;
use super::reach::Aim;
use crate::stats::{Draws, student_quantile};

/// Of the aa interval; the same number as in the judgement.
pub const AA_CONFIDENCE_PERCENT: f64 = 99.0;

/// What is simulated. Margins and spreads are log ratios.
pub(super) struct Rule {
    pub margin: f64,
    pub confidence_percent: f64,
    pub round_value_sd: f64,
    pub has_aa: bool,
    pub seed: u64,
    pub experiments: u32,
}

/// Chances by target and number of rounds.
#[derive(Debug, Default)]
pub(super) struct Chances {
    first_rounds: u32,
    /// By target, then by number of rounds from `first_rounds` on.
    by_target: Vec<Vec<f64>>,
}

impl Chances {
    pub fn at(&self, target: usize, rounds: u32) -> Option<f64> {
        let place = rounds.checked_sub(self.first_rounds)? as usize;
        self.by_target.get(target)?.get(place).copied()
    }

    /// The least number of rounds with at least this chance.
    pub fn first(&self, target: usize, chance: f64) -> Option<u32> {
        let place = self.by_target.get(target)?.iter().position(|found| *found >= chance)?;
        Some(self.first_rounds + place as u32)
    }
}

/// Mean and spread of a growing sample.
///
/// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and
/// products", Technometrics 4 (1962).
#[derive(Default, Clone, Copy)]
struct Growing {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Growing {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn half_width(&self, quantile: f64) -> f64 {
        quantile * libm::sqrt(self.squares / (self.count - 1.0) / self.count)
    }
}

/// Chance of each target (an outcome and the true log ratio) at each number of rounds in
/// `from..=to`. A log ratio's noise is half off's and half the arm's own, so that the aa arm
/// shares off's half with the treatment.
pub(super) fn simulate(rule: &Rule, targets: &[(Aim, f64)], from: u32, to: u32) -> Chances {
    let from = from.max(FEWEST_ROUNDS);
    if to < from || rule.round_value_sd.is_nan() {
        return Chances::default();
    }
    let quantiles = |confidence_percent: f64| -> Vec<f64> {
        let two_sided = (100.0 - confidence_percent) / 100.0;
        (from..=to)
            .map(|rounds| {
                student_quantile(two_sided, f64::from(rounds - 1)).unwrap_or(f64::INFINITY)
            })
            .collect()
    };
    let judged_quantiles = quantiles(rule.confidence_percent);
    let aa_quantiles = quantiles(AA_CONFIDENCE_PERCENT);
    let half = rule.round_value_sd / std::f64::consts::SQRT_2;
    let mut draws = Draws::new(rule.seed, "reach");
    let mut counts = vec![vec![0_u32; judged_quantiles.len()]; targets.len()];
    for _ in 0..rule.experiments {
        let mut judged = Growing::default();
        let mut aa = Growing::default();
        for round in 1..=to {
            let off = draws.normal() * half;
            judged.add(draws.normal() * half - off);
            if rule.has_aa {
                aa.add(draws.normal() * half - off);
            }
            let Some(place) = round.checked_sub(from).map(|place| place as usize) else {
                continue;
            };
            let aa_half_width = aa.half_width(aa_quantiles[place]);
            let biased =
                rule.has_aa && aa.mean.abs() > aa_half_width && aa.mean.abs() > rule.margin / 2.0;
            if biased {
                continue;
            }
            let aa_allows_level = !rule.has_aa || aa_half_width <= rule.margin;
            let half_width = judged.half_width(judged_quantiles[place]);
            for ((aim, effect), count) in targets.iter().zip(&mut counts) {
                let lo = effect + judged.mean - half_width;
                let hi = effect + judged.mean + half_width;
                let reached = match aim {
                    Aim::Win => lo > rule.margin,
                    Aim::Loss => hi < -rule.margin,
                    Aim::Level => lo >= -rule.margin && hi <= rule.margin && aa_allows_level,
                };
                count[place] += u32::from(reached);
            }
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(rule.experiments.max(1));
    Chances {
        first_rounds: from,
        by_target: counts
            .into_iter()
            .map(|counts| counts.into_iter().map(share).collect())
            .collect(),
    }
}
