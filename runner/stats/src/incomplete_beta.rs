//! The regularised incomplete beta function.

/// Steps of the continued fraction; it converges in about the square root of the larger
/// parameter, and the largest here are a few million samples.
const MOST_STEPS: u32 = 20_000;

/// `I_x(a, b)`, where `y` is `1 - x` (taken apart, so that neither loses digits near 1).
/// `None` unless `a` and `b` are finite and above zero and `x` and `y` lie within 0 to 1.
///
/// Source: W. H. Press et al., Numerical Recipes, 6.4: Lentz's evaluation of the continued
/// fraction of NIST DLMF 8.17.22. Own code because the elementary functions must be `libm`'s.
#[must_use]
pub fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> Option<f64> {
    let proper = |value: f64| value.is_finite() && value > 0.0;
    let share = |value: f64| (0.0..=1.0).contains(&value);
    if !(proper(a) && proper(b) && share(x) && share(y)) {
        return None;
    }
    if x == 0.0 {
        return Some(0.0);
    }
    if y == 0.0 {
        return Some(1.0);
    }
    let log_front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log(y);
    let front = libm::exp(log_front);
    let value = if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, y) / b
    };
    Some(value.clamp(0.0, 1.0))
}

fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero =
        |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..=MOST_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::incomplete_beta;

    #[test]
    fn agrees_with_closed_forms() {
        for x in [0.01, 0.3, 0.5, 0.9, 0.999] {
            let y = 1.0 - x;
            // I_x(1, 1) = x, I_x(2, 1) = x^2, I_x(1, 3) = 1 - (1 - x)^3.
            let cases = [(1.0, 1.0, x), (2.0, 1.0, x * x), (1.0, 3.0, 1.0 - y * y * y)];
            for (a, b, right) in cases {
                let found = incomplete_beta(a, b, x, y).unwrap();
                assert!((found - right).abs() < 1e-14, "{a} {b} {x}: {found} {right}");
            }
        }
    }

    #[test]
    fn agrees_with_statrs() {
        for a in [0.5, 1.0, 7.5, 100.0] {
            for b in [0.5, 3.0, 40.0] {
                for x in [1e-6, 0.1, 0.6, 0.99] {
                    let right = statrs::function::beta::beta_reg(a, b, x);
                    let found = incomplete_beta(a, b, x, 1.0 - x).unwrap();
                    assert!((found - right).abs() <= 1e-11 * right.max(1e-3), "{a} {b} {x}");
                }
            }
        }
    }

    #[test]
    fn arguments_outside_have_none() {
        assert_eq!(incomplete_beta(0.0, 1.0, 0.5, 0.5), None);
        assert_eq!(incomplete_beta(1.0, f64::NAN, 0.5, 0.5), None);
        assert_eq!(incomplete_beta(1.0, 1.0, 1.5, -0.5), None);
        assert_eq!(incomplete_beta(1.0, 1.0, 0.0, 1.0), Some(0.0));
        assert_eq!(incomplete_beta(1.0, 1.0, 1.0, 0.0), Some(1.0));
    }
}
