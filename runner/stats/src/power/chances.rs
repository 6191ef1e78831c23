//! The chances of each decision of a t interval against margins.

use super::over_spread::{Turn, expectation};
use crate::normal::normal_upper;
use crate::student::student_quantile;

/// Chances of a t interval's decisions, 0 to 1; what is left to 1 is undecided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecisionChances {
    /// The interval lies above the margin.
    pub win: f64,
    /// The interval lies below minus the margin.
    pub loss: f64,
    /// The interval lies within the margins.
    pub level: f64,
}

impl DecisionChances {
    /// None of them.
    #[must_use]
    pub fn undecided(&self) -> f64 {
        (1.0 - self.win - self.loss - self.level).max(0.0)
    }
}

/// Chances of each decision by the two-sided t interval of error `alpha` over `n` independent
/// normal values of mean `effect` and standard deviation `sd`, against `margin` (zero or above);
/// all in one unit, as log ratios. Without spread the interval is the effect itself. Absolute
/// error 1e-11.
///
/// `None` for n under 2, an error not strictly between 0 and 1, a margin or spread below zero, or
/// a number that is not finite.
///
/// Source: given the spread that is found, the mean is normal; the expectation over the spread is
/// taken by numerical integration. For `level` this is the integral behind D. B. Owen, "A special
/// case of a bivariate non-central t-distribution", Biometrika 52 (1965).
#[must_use]
pub fn decision_chances(
    n: u32,
    effect: f64,
    sd: f64,
    margin: f64,
    alpha: f64,
) -> Option<DecisionChances> {
    let finite = effect.is_finite() && sd.is_finite() && margin.is_finite();
    if n < 2 || !finite || sd < 0.0 || margin < 0.0 {
        return None;
    }
    let freedom = f64::from(n - 1);
    let t = student_quantile(alpha, freedom)?;
    // in standard errors
    let unit = sd / libm::sqrt(f64::from(n));
    let (effect, margin) = match (effect / unit, margin / unit) {
        (scaled, limit) if unit > 0.0 && scaled.is_finite() && limit.is_finite() => (scaled, limit),
        _ => return Some(without_spread(effect, margin)),
    };
    let slope = 1.0 / t;
    let tail = |from: f64| {
        let turn = [Turn { at: -from * slope, width: slope }];
        expectation(freedom, f64::INFINITY, &turn, |s| normal_upper(from + t * s))
    };
    // level needs half a width of no more than the margin
    let turns = [
        Turn { at: (margin - effect) * slope, width: slope },
        Turn { at: (margin + effect) * slope, width: slope },
    ];
    let level = expectation(freedom, margin * slope, &turns, |s| {
        let room = margin - t * s;
        between(-room - effect, room - effect)
    })?;
    Some(DecisionChances {
        win: tail(margin - effect)?.clamp(0.0, 1.0),
        loss: tail(margin + effect)?.clamp(0.0, 1.0),
        level: level.clamp(0.0, 1.0),
    })
}

fn without_spread(effect: f64, margin: f64) -> DecisionChances {
    let chance = |certain: bool| if certain { 1.0 } else { 0.0 };
    DecisionChances {
        win: chance(effect > margin),
        loss: chance(effect < -margin),
        level: chance(effect.abs() <= margin),
    }
}

/// Chance that both one-sided tests of error `alpha` each find the mean of `n` independent normal
/// values within `-limit..=limit`; units and `None` as in [`decision_chances`]. It is the chance of
/// `level` by an interval of error `2 alpha`, which must stay below 1.
#[must_use]
pub fn equivalence_power(n: u32, effect: f64, sd: f64, limit: f64, alpha: f64) -> Option<f64> {
    decision_chances(n, effect, sd, limit, 2.0 * alpha).map(|chances| chances.level)
}

/// P(lo <= Z <= hi), without losing a small difference of two numbers near 1.
fn between(lo: f64, hi: f64) -> f64 {
    if lo > 0.0 {
        normal_upper(lo) - normal_upper(hi)
    } else {
        normal_upper(-hi) - normal_upper(-lo)
    }
}

#[cfg(test)]
mod tests {
    use super::{DecisionChances, decision_chances, equivalence_power};
    use crate::{Draws, mean, standard_deviation, student_quantile};

    #[test]
    fn without_margin_and_effect_each_side_errs_as_often_as_it_may() {
        for n in [2, 3, 8, 200] {
            for alpha in [0.5, 0.05, 1e-4, 1e-9] {
                let found = decision_chances(n, 0.0, 2.0, 0.0, alpha).unwrap();
                assert!((found.win / (alpha / 2.0) - 1.0).abs() < 1e-9, "{n} {alpha} {found:?}");
                assert_eq!((found.win, found.level), (found.loss, 0.0));
            }
        }
    }

    #[test]
    fn signs_mirror_and_units_do_not_matter() {
        let one = decision_chances(12, 0.03, 0.02, 0.015, 0.05).unwrap();
        let mirrored = decision_chances(12, -0.03, 0.02, 0.015, 0.05).unwrap();
        let scaled = decision_chances(12, 3.0, 2.0, 1.5, 0.05).unwrap();
        assert!((one.win - mirrored.loss).abs() < 1e-14);
        assert!((one.level - mirrored.level).abs() < 1e-14);
        assert!((one.win - scaled.win).abs() < 1e-13 && (one.level - scaled.level).abs() < 1e-13);
    }

    #[test]
    fn chances_as_computed_with_25_digits() {
        // adaptive quadrature of the same integral with multiprecision arithmetic
        let cases = [
            ((4, 0.0, 0.015, 0.02, 0.05), 2.128_397_030_721_452e-5, 0.233_375_339_793_886_94),
            ((8, 0.01, 0.015, 0.02, 0.05), 0.000_142_841_345_369_674_4, 0.368_627_078_756_951_8),
            ((16, 0.03, 0.02, 0.02, 0.05), 0.464_808_938_591_570_1, 6.101_704_386_836_835e-5),
            ((40, 0.005, 0.03, 0.02, 0.0125), 1.504_082_286_275_942_3e-8, 0.699_246_681_168_322_8),
            ((3, 0.04, 0.005, 0.02, 0.05), 0.908_488_743_681_027_3, 4.336_628_583_448_723e-15),
        ];
        for ((n, effect, sd, margin, alpha), win, level) in cases {
            let found = decision_chances(n, effect, sd, margin, alpha).unwrap();
            assert!((found.win / win - 1.0).abs() < 1e-9, "{n}: {found:?} {win}");
            assert!((found.level / level - 1.0).abs() < 1e-9, "{n}: {found:?} {level}");
        }
    }

    /// The same rule, drawn.
    #[test]
    fn simulated_experiments_decide_as_often() {
        const EXPERIMENTS: u32 = 20_000;
        let (n, effect, sd, margin, alpha) = (6, 0.012, 0.015, 0.02, 0.05);
        let t = student_quantile(alpha, 5.0).unwrap();
        let mut draws = Draws::new(20_261_129, "decision chances");
        let (mut win, mut level) = (0, 0);
        for _ in 0..EXPERIMENTS {
            let values: Vec<f64> = (0..n).map(|_| effect + sd * draws.normal()).collect();
            let centre = mean(&values).unwrap();
            let half = t * standard_deviation(&values).unwrap() / f64::from(n).sqrt();
            win += u32::from(centre - half > margin);
            level += u32::from(centre - half >= -margin && centre + half <= margin);
        }
        let right = decision_chances(n, effect, sd, margin, alpha).unwrap();
        for (found, right) in [(win, right.win), (level, right.level)] {
            let count = f64::from(EXPERIMENTS);
            let error = (right * (1.0 - right) / count).sqrt();
            assert!((f64::from(found) / count - right).abs() < 3.5 * error, "{found} {right}");
        }
        assert!(right.level > 0.1 && right.win > 0.0, "{right:?}");
    }

    #[test]
    fn no_spread_is_certain_and_little_spread_nearly_so() {
        let at = |effect: f64, sd: f64| decision_chances(5, effect, sd, 0.02, 0.05).unwrap();
        for sd in [0.0, 1e-320, 1e-200, 1e-9] {
            assert_eq!(at(0.05, sd), DecisionChances { win: 1.0, loss: 0.0, level: 0.0 }, "{sd}");
            assert_eq!(at(0.0, sd), DecisionChances { win: 0.0, loss: 0.0, level: 1.0 }, "{sd}");
        }
        assert_eq!(at(-0.05, 0.0).loss, 1.0);
        assert_eq!(at(0.02, 0.0).level, 1.0);
        assert!(at(0.0, 1e9).level < 1e-9);
        assert!((at(0.03, 0.02).undecided() - 0.6).abs() < 0.4);
    }

    #[test]
    fn arguments_outside_have_none() {
        assert_eq!(decision_chances(1, 0.0, 1.0, 0.1, 0.05), None);
        assert_eq!(decision_chances(0, 0.0, 1.0, 0.1, 0.05), None);
        for wild in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(decision_chances(5, 0.0, wild, 0.1, 0.05), None);
            assert_eq!(decision_chances(5, 0.0, 1.0, wild, 0.05), None);
            assert_eq!(decision_chances(5, 0.0, 1.0, 0.1, wild), None);
        }
        assert_eq!(decision_chances(5, f64::NAN, 1.0, 0.1, 0.05), None);
        assert_eq!(equivalence_power(5, 0.0, 1.0, 0.1, 0.5), None);
    }
}
