//! The standard normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Newton's steps from a start that is right to three digits; each doubles them.
const POLISHING_STEPS: u32 = 4;

/// `P(Z <= z)`; NaN comes through.
///
/// Source: NIST DLMF 7.17 with `erfc`, which keeps its digits in both tails.
#[must_use]
pub fn normal_probability(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The z with `P(Z <= z) = probability`. `None` unless `probability` lies strictly between 0
/// and 1.
///
/// The start is formula 26.2.23 of M. Abramowitz and I. A. Stegun, Handbook of Mathematical
/// Functions (1964); Newton's method on the logarithm of the tail gives the other digits.
#[must_use]
pub fn normal_quantile(probability: f64) -> Option<f64> {
    if !(probability > 0.0 && probability < 1.0) {
        return None;
    }
    if probability > 0.5 {
        return Some(-lower_quantile(1.0 - probability));
    }
    Some(lower_quantile(probability))
}

/// For a probability of one half or less: never above zero.
fn lower_quantile(probability: f64) -> f64 {
    let t = libm::sqrt(-2.0 * libm::log(probability));
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = above / below - t;
    for _ in 0..POLISHING_STEPS {
        let tail = normal_probability(z);
        let density = libm::exp(-0.5 * z * z) / libm::sqrt(2.0 * PI);
        let step = (libm::log(probability) - libm::log(tail)) * tail / density;
        if !step.is_finite() {
            break;
        }
        z += step;
    }
    z.min(0.0)
}

#[cfg(test)]
mod tests {
    use super::{normal_probability, normal_quantile};

    #[test]
    fn printed_quantiles() {
        // SciPy's norm.ppf.
        for (probability, right) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_901),
            (0.05, -1.644_853_626_951_472_2),
            (1e-10, -6.361_340_902_404_056),
            (1e-300, -37.047_096_299_361_2),
        ] {
            let found = normal_quantile(probability).unwrap();
            assert!((found - right).abs() < 1e-12 * right.abs().max(1.0), "{probability} {found}");
        }
    }

    #[test]
    fn quantile_and_probability_are_each_others_inverse() {
        for z in [-8.0, -3.0, -1.0, -0.001, 0.0, 0.4, 2.0, 5.0] {
            let back = normal_quantile(normal_probability(z)).unwrap();
            assert!((back - z).abs() < 1e-9, "{z} {back}");
        }
    }

    #[test]
    fn outside_there_is_none() {
        for bad in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(normal_quantile(bad), None);
        }
    }
}
