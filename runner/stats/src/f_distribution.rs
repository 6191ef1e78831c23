//! The F distribution.

use super::incomplete_beta::incomplete_beta;

/// `P(F >= f)` with `numerator` and `denominator` degrees of freedom. `None` for a NaN, `f` below
/// zero, or degrees of freedom that are not finite and above zero.
///
/// Source: NIST DLMF 8.17 through the incomplete beta function, `I_x(denominator / 2,
/// numerator / 2)` at `x = denominator / (denominator + numerator f)`.
#[must_use]
pub fn f_upper_p(f: f64, numerator: f64, denominator: f64) -> Option<f64> {
    if f.is_nan() || f < 0.0 {
        return None;
    }
    let explained = numerator * f;
    if explained.is_infinite() {
        return incomplete_beta(denominator / 2.0, numerator / 2.0, 0.0, 1.0);
    }
    let whole = denominator + explained;
    incomplete_beta(denominator / 2.0, numerator / 2.0, denominator / whole, explained / whole)
}

#[cfg(test)]
mod tests {
    use super::f_upper_p;
    use crate::student_two_sided_p;

    #[test]
    fn closed_form_and_the_square_of_t() {
        // two degrees above: (1 + 2 f / d)^(-d / 2)
        for f in [0.1, 1.0, 4.0, 30.0] {
            let right = libm::pow(1.0 + 2.0 * f / 9.0, -4.5);
            assert!((f_upper_p(f, 2.0, 9.0).unwrap() / right - 1.0).abs() < 1e-12);
            let of_t = student_two_sided_p(libm::sqrt(f), 9.0).unwrap();
            assert!((f_upper_p(f, 1.0, 9.0).unwrap() / of_t - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn arguments_outside_have_none() {
        for (f, one, other) in [(-1.0, 2.0, 2.0), (f64::NAN, 2.0, 2.0), (1.0, 0.0, 2.0)] {
            assert_eq!(f_upper_p(f, one, other), None);
        }
        assert_eq!(f_upper_p(1.0, 2.0, f64::INFINITY), None);
        assert_eq!(f_upper_p(0.0, 2.0, 3.0), Some(1.0));
        assert_eq!(f_upper_p(f64::INFINITY, 2.0, 3.0), Some(0.0));
    }
}
