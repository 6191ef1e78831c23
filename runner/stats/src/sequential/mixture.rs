//! The two-sided normal-mixture boundary of confidence sequences.

/// The mixture's variance parameter for which the boundary is nearly narrowest at the intrinsic
/// time `v_best` (the number of values, when their variance is 1). `None` unless `v_best` is
/// finite and above zero and `alpha` strictly between 0 and 1.
///
/// Source: S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric,
/// nonasymptotic confidence sequences", Annals of Statistics 49 (2021), section 3.5, in the
/// closed approximation of the package `confseq`:
/// `v_best / (2 ln(1 / alpha) + ln(1 + 2 ln(1 / alpha)))`.
#[must_use]
pub fn mixture_rho(v_best: f64, alpha: f64) -> Option<f64> {
    if !(v_best.is_finite() && v_best > 0.0 && alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let twice = -2.0 * libm::log(alpha);
    let rho = v_best / (twice + libm::log1p(twice));
    (rho.is_finite() && rho > 0.0).then_some(rho)
}

/// What the absolute value of a sum of independent values of mean zero and total variance `v`
/// never passes at any time, with a chance of `1 - alpha`:
/// `sqrt((v + rho) ln((v + rho) / (rho alpha^2)))`. In the unit of the values. `None` unless `v`
/// is finite and zero or above, `rho` finite and above zero, and `alpha` strictly between 0
/// and 1.
///
/// Source: as [`mixture_rho`], proposition 5, equation 14; H. Robbins, "Statistical methods
/// related to the law of the iterated logarithm", Annals of Mathematical Statistics 41 (1970).
#[must_use]
pub fn mixture_bound(v: f64, rho: f64, alpha: f64) -> Option<f64> {
    let proper = v.is_finite() && v >= 0.0 && rho.is_finite() && rho > 0.0;
    if !(proper && alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    // apart, so that the square of a tiny error does not vanish
    let log = libm::log1p(v / rho) - 2.0 * libm::log(alpha);
    let bound = libm::sqrt((v + rho) * log);
    bound.is_finite().then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::{mixture_bound, mixture_rho};

    #[test]
    fn the_best_rho_is_nearly_the_best() {
        let rho = mixture_rho(50.0, 0.01).unwrap();
        let at = |rho: f64| mixture_bound(50.0, rho, 0.01).unwrap();
        for factor in [0.5, 0.8, 1.25, 2.0] {
            assert!(at(rho) < at(rho * factor), "{factor}");
        }
    }

    #[test]
    fn arguments_outside_have_none() {
        for alpha in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(mixture_rho(100.0, alpha), None);
            assert_eq!(mixture_bound(100.0, 12.0, alpha), None);
        }
        for wild in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(mixture_rho(wild, 0.05), None);
            assert_eq!(mixture_bound(wild, 12.0, 0.05), None);
            assert_eq!(mixture_bound(100.0, wild, 0.05), None);
        }
        assert_eq!(mixture_rho(0.0, 0.05), None);
        assert!(mixture_bound(0.0, 12.0, 0.05).unwrap() > 0.0);
        assert!(mixture_bound(100.0, 12.0, 1e-300).unwrap().is_finite());
        assert_eq!(mixture_bound(f64::MAX, 1.0, 0.05), None);
    }
}
