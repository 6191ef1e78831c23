//! The standard normal distribution.

/// Newton's steps from a start that is right to 3 digits; each doubles the digits.
const STEPS: u32 = 5;

/// `P(Z <= z)`, within 1e-12 of its value however far the tail. NaN for NaN.
///
/// Source: NIST DLMF 7.17 through the complementary error function, `erfc(-z / sqrt(2)) / 2`.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    normal_upper(-z)
}

/// `P(Z >= z)`, as [`normal_cdf`]. NaN for NaN.
#[must_use]
pub fn normal_upper(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Density at `z`. NaN for NaN.
#[must_use]
pub fn normal_density(z: f64) -> f64 {
    // 1 / sqrt(2 pi)
    const FRONT: f64 = 0.398_942_280_401_432_7;
    FRONT * libm::exp(-0.5 * z * z)
}

/// The z below which lies `probability`. `None` unless it lies strictly between 0 and 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> Option<f64> {
    if probability > 0.5 {
        // exact from one half on
        normal_upper_quantile(1.0 - probability)
    } else {
        normal_upper_quantile(probability).map(|z| -z)
    }
}

/// The z above which lies `probability`: for tails too small to be written as one less something.
/// `None` unless it lies strictly between 0 and 1.
///
/// Source: start from M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964),
/// 26.2.23, then Newton's method on the logarithm of [`normal_upper`].
#[must_use]
pub fn normal_upper_quantile(probability: f64) -> Option<f64> {
    if !(probability > 0.0 && probability < 1.0) {
        return None;
    }
    if probability == 0.5 {
        return Some(0.0);
    }
    if probability > 0.5 {
        return normal_upper_quantile(1.0 - probability).map(|z| -z);
    }
    let goal = libm::log(probability);
    let t = libm::sqrt(-2.0 * goal);
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = t - above / below;
    for _ in 0..STEPS {
        let tail = normal_upper(z);
        let step = (libm::log(tail) - goal) * tail / normal_density(z);
        if !step.is_finite() {
            break;
        }
        z += step;
    }
    Some(z)
}

#[cfg(test)]
mod tests {
    use super::{normal_cdf, normal_quantile, normal_upper, normal_upper_quantile};

    #[test]
    fn tails_as_computed_with_forty_digits() {
        let cases = [
            (0.5, 0.308_537_538_725_986_9),
            (1.96, 0.024_997_895_148_220_435),
            (5.0, 2.866_515_718_791_939e-7),
            (8.0, 6.220_960_574_271_784e-16),
            (20.0, 2.753_624_118_606_233_7e-89),
            (37.5, 4.605_353_009_581_955e-308),
        ];
        for (z, right) in cases {
            assert!((normal_upper(z) / right - 1.0).abs() < 1e-12, "{z}: {}", normal_upper(z));
            assert_eq!(normal_cdf(-z), normal_upper(z));
            assert!((normal_cdf(z) - (1.0 - right)).abs() < 1e-15);
        }
    }

    #[test]
    fn quantiles_as_computed_with_forty_digits() {
        let cases = [
            (0.4, 0.253_347_103_135_799_8),
            (0.025, 1.959_963_984_540_054_3),
            (0.001, 3.090_232_306_167_813_6),
            (1e-10, 6.361_340_902_404_057),
            (1e-100, 21.273_453_560_965_326),
            (1e-300, 37.047_096_299_361_2),
        ];
        for (p, right) in cases {
            let found = normal_upper_quantile(p).unwrap();
            assert!((found / right - 1.0).abs() < 1e-13, "{p}: {found}");
            assert_eq!(normal_quantile(p), Some(-found));
        }
        assert_eq!(normal_quantile(0.5), Some(0.0));
        assert!((normal_quantile(0.975).unwrap() - 1.959_963_984_540_054_3).abs() < 1e-14);
        assert!((normal_upper_quantile(0.999).unwrap() + 3.090_232_306_167_813_6).abs() < 1e-12);
    }

    #[test]
    fn what_has_no_quantile_has_none_and_infinities_are_certain() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(normal_quantile(p), None);
            assert_eq!(normal_upper_quantile(p), None);
        }
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(normal_upper(f64::INFINITY), 0.0);
        assert!(normal_cdf(f64::NAN).is_nan());
        // the least number that there is
        assert!(normal_upper_quantile(5e-324).unwrap() > 38.0);
    }
}
