//! Power of the two-sided paired t test.

use super::chances::decision_chances;
use super::rounds::{least_effect, least_number};

/// Chance that the two-sided t test of error `alpha` over `n` independent normal differences
/// rejects a mean of zero, when their true mean is `effect_over_sd` of their standard deviations.
/// `None` as in [`decision_chances`]. Relative error 1e-10.
///
/// Source: the tails of the noncentral t distribution, NIST/SEMATECH e-Handbook 1.3.6.6.4 and
/// 7.2.2.2, here by integration over the standard deviation that is found.
#[must_use]
pub fn paired_t_power(n: u32, effect_over_sd: f64, alpha: f64) -> Option<f64> {
    let chances = decision_chances(n, effect_over_sd, 1.0, 0.0, alpha)?;
    Some((chances.win + chances.loss).min(1.0))
}

/// The least number of differences, 2 to `most`, with which the test has `power` or more. `None`
/// when none has, or for arguments outside.
#[must_use]
pub fn paired_t_sample_size(effect_over_sd: f64, alpha: f64, power: f64, most: u32) -> Option<u32> {
    least_number(2..=most, power, |n| paired_t_power(n, effect_over_sd, alpha))
}

/// The least effect, in standard deviations of the differences, that the test finds with `power`
/// or more; 0 when `power` is no more than `alpha`. `None` for arguments outside.
#[must_use]
pub fn paired_t_resolvable_effect(n: u32, alpha: f64, power: f64) -> Option<f64> {
    let unit = 1.0 / libm::sqrt(f64::from(n));
    least_effect(unit, power, |effect| paired_t_power(n, effect, alpha))
}

#[cfg(test)]
mod tests {
    use super::{paired_t_power, paired_t_resolvable_effect, paired_t_sample_size};

    #[test]
    fn powers_as_scipy_computes_them() {
        // SciPy 1.17.1, noncentral t, two-sided error 0.05: n, effect over sd, power.
        let cases = [
            (6, 0.25, 0.079_584_466_296_873_6),
            (6, 0.5, 0.170_707_079_649_121_3),
            (6, 1.0, 0.506_841_979_958_582_3),
            (12, 0.25, 0.124_464_543_793_867_15),
            (12, 0.5, 0.352_824_149_327_338_9),
            (12, 1.0, 0.882_891_637_729_132_5),
            (24, 0.25, 0.216_805_060_591_282_96),
            (24, 0.5, 0.650_391_834_154_541),
            (24, 1.0, 0.996_793_772_666_223_6),
            (48, 0.25, 0.396_286_345_487_662_3),
            (48, 0.5, 0.924_003_366_101_948_6),
            (48, 1.0, 0.999_999_288_263_961_4),
            (96, 0.25, 0.678_933_210_749_244_4),
            (96, 0.5, 0.998_067_373_800_667_5),
            (96, 1.0, 0.999_999_999_999_994_9),
        ];
        for (n, effect, right) in cases {
            let found = paired_t_power(n, effect, 0.05).unwrap();
            assert!((found / right - 1.0).abs() < 1e-9, "{n} {effect}: {found} {right}");
        }
    }

    #[test]
    fn without_effect_the_power_is_the_error() {
        for n in [2, 5, 100, 1_000_000] {
            let found = paired_t_power(n, 0.0, 0.05).unwrap();
            assert!((found - 0.05).abs() < 1e-10, "{n}: {found}");
        }
    }

    #[test]
    fn sizes_and_effects_are_the_powers_inverse() {
        for (effect, power) in [(0.25, 0.8), (0.5, 0.9), (1.0, 0.8)] {
            let n = paired_t_sample_size(effect, 0.05, power, 10_000).unwrap();
            assert!(paired_t_power(n, effect, 0.05).unwrap() >= power);
            assert!(paired_t_power(n - 1, effect, 0.05).unwrap() < power);
            let least = paired_t_resolvable_effect(n, 0.05, power).unwrap();
            assert!((paired_t_power(n, least, 0.05).unwrap() - power).abs() < 1e-9);
            assert!(least <= effect);
        }
        // J. Cohen, Statistical Power Analysis (1988): 34 pairs for half a deviation at 80 %.
        assert_eq!(paired_t_sample_size(0.5, 0.05, 0.8, 1_000), Some(34));
    }

    #[test]
    fn what_cannot_be_reached_has_none() {
        assert_eq!(paired_t_sample_size(0.0, 0.05, 0.8, 1_000), None);
        assert_eq!(paired_t_sample_size(0.1, 0.05, 0.8, 10), None);
        assert_eq!(paired_t_sample_size(0.5, 0.05, 0.8, 1), None);
        for power in [0.0, 1.0, -0.1, 1.5, f64::NAN] {
            assert_eq!(paired_t_sample_size(0.5, 0.05, power, 100), None);
            assert_eq!(paired_t_resolvable_effect(10, 0.05, power), None);
        }
        assert_eq!(paired_t_resolvable_effect(1, 0.05, 0.8), None);
        assert_eq!(paired_t_resolvable_effect(10, 0.05, 0.04), Some(0.0));
        assert_eq!(paired_t_power(10, f64::INFINITY, 0.05), None);
    }
}
