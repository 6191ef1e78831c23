//! Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::incomplete_beta::incomplete_beta;

/// Newton's steps; each doubles the digits. statrs' root is right to 7 digits or more where
/// degrees of freedom are many, and to 1 at one degree and the far tail.
const POLISHING_STEPS: u32 = 6;

/// `P(|T| >= |t|)` with `freedom` degrees of freedom (any positive number, as Welch's are).
/// `None` for NaN or degrees of freedom of zero or below.
///
/// Source: NIST DLMF 8.17 through the incomplete beta function, `I_x(freedom / 2, 1 / 2)` at
/// `x = freedom / (freedom + t^2)`.
#[must_use]
pub fn student_two_sided_p(t: f64, freedom: f64) -> Option<f64> {
    if t.is_nan() || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    let square = t * t;
    if square.is_infinite() {
        return Some(0.0);
    }
    let whole = freedom + square;
    incomplete_beta(freedom / 2.0, 0.5, freedom / whole, square / whole)
}

/// The t above which, with its mirror image, lies `two_sided` of the probability. `None` unless
/// `two_sided` lies strictly between 0 and 1 and `freedom` is finite and above zero.
///
/// `statrs` finds the root; since its elementary functions may be the platform's, the low half
/// of its digits is dropped and found again by Newton's method on functions of `libm`.
#[must_use]
pub fn student_quantile(two_sided: f64, freedom: f64) -> Option<f64> {
    if !(two_sided > 0.0 && two_sided < 1.0 && freedom.is_finite() && freedom > 0.0) {
        return None;
    }
    let start = -StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(two_sided / 2.0);
    // 28 of the 52 bits of the fraction.
    let mut t = f64::from_bits(start.to_bits() & !0x0fff_ffff);
    if !t.is_finite() {
        return None;
    }
    for _ in 0..POLISHING_STEPS {
        // On log scales the tail is nearly a straight line, so a rough start does no harm.
        let p = student_two_sided_p(t, freedom)?;
        let slope = 2.0 * t * density(t, freedom) / p;
        let step = (libm::log(p) - libm::log(two_sided)) / slope;
        if !step.is_finite() {
            break;
        }
        t *= libm::exp(step);
    }
    Some(t)
}

fn density(t: f64, freedom: f64) -> f64 {
    let log_front = libm::lgamma((freedom + 1.0) / 2.0)
        - libm::lgamma(freedom / 2.0)
        - 0.5 * libm::log(freedom * std::f64::consts::PI);
    libm::exp(log_front - (freedom + 1.0) / 2.0 * libm::log1p(t * t / freedom))
}

#[cfg(test)]
mod tests {
    use super::{student_quantile, student_two_sided_p};

    #[test]
    fn quantiles_with_closed_forms() {
        // tan(pi (1 - alpha) / 2) at one degree, c sqrt(2 / (1 - c^2)) with c = 1 - alpha at two.
        for alpha in [0.5, 0.1, 0.05, 0.01] {
            let c: f64 = 1.0 - alpha;
            let cases = [
                (1.0, libm::tan(std::f64::consts::PI * c / 2.0)),
                (2.0, c * libm::sqrt(2.0 / (1.0 - c * c))),
            ];
            for (freedom, right) in cases {
                let found = student_quantile(alpha, freedom).unwrap();
                assert!((found / right - 1.0).abs() < 1e-12, "{freedom}: {found} {right}");
            }
        }
    }

    #[test]
    fn quantile_and_probability_are_each_others_inverse() {
        for two_sided in [0.9, 0.5, 0.05, 1e-3, 1e-6, 1e-9] {
            for freedom in [1.0, 1.7, 2.0, 7.0, 15.0, 63.2, 199.0, 5000.0] {
                let t = student_quantile(two_sided, freedom).unwrap();
                let back = student_two_sided_p(t, freedom).unwrap();
                assert!((back / two_sided - 1.0).abs() < 1e-10, "{two_sided} {freedom}: {back}");
            }
        }
    }

    #[test]
    fn arguments_outside_have_none() {
        assert_eq!(student_quantile(0.0, 3.0), None);
        assert_eq!(student_quantile(1.0, 3.0), None);
        assert_eq!(student_quantile(0.05, 0.0), None);
        assert_eq!(student_quantile(f64::NAN, 3.0), None);
        assert_eq!(student_two_sided_p(f64::NAN, 3.0), None);
        assert_eq!(student_two_sided_p(1.0, -1.0), None);
        assert_eq!(student_two_sided_p(f64::INFINITY, 3.0), Some(0.0));
        assert_eq!(student_two_sided_p(0.0, 3.0), Some(1.0));
    }
}
