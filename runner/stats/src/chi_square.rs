//! The chi-square distribution.

/// Steps of series and continued fraction; both need about the square root of the parameter
/// beyond it, and degrees of freedom here are thousands at most.
const MOST_STEPS: u32 = 2_000;

/// Halvings of the bracket around a quantile: more than a double has digits.
const HALVINGS: u32 = 200;

/// `P(X <= x)` for a chi-square variable of `freedom` degrees. `None` for a NaN, `x` below zero,
/// or degrees of freedom that are not finite and above zero.
#[must_use]
pub fn chi_square_p(x: f64, freedom: f64) -> Option<f64> {
    if x.is_nan() || x < 0.0 || !freedom.is_finite() || freedom <= 0.0 {
        return None;
    }
    if x.is_infinite() {
        return Some(1.0);
    }
    Some(lower_gamma(freedom / 2.0, x / 2.0))
}

/// The x below which lies `probability` of a chi-square variable of `freedom` degrees. `None`
/// unless `probability` lies strictly between 0 and 1 and `freedom` is finite and above zero.
///
/// Found by halving a bracket until it closes, so that it is the exact inverse of
/// [`chi_square_p`] on every platform.
#[must_use]
pub fn chi_square_quantile(probability: f64, freedom: f64) -> Option<f64> {
    if !(probability > 0.0 && probability < 1.0 && freedom.is_finite() && freedom > 0.0) {
        return None;
    }
    let (mut low, mut high) = (0.0, freedom);
    while chi_square_p(high, freedom)? < probability {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if chi_square_p(middle, freedom)? < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// The upper limit, at `confidence` (0 to 1), of a standard deviation that was estimated as
/// `standard_deviation` on `freedom` degrees from normal values, in its unit. `None` where
/// [`chi_square_quantile`] has none or the estimate is negative or not finite.
///
/// Source: G. W. Snedecor and W. G. Cochran, Statistical Methods: `s^2 freedom / chi^2`.
#[must_use]
pub fn upper_standard_deviation(
    standard_deviation: f64,
    freedom: f64,
    confidence: f64,
) -> Option<f64> {
    if !(standard_deviation.is_finite() && standard_deviation >= 0.0) {
        return None;
    }
    let quantile = chi_square_quantile(1.0 - confidence, freedom)?;
    Some(standard_deviation * libm::sqrt(freedom / quantile)).filter(|limit| limit.is_finite())
}

/// The regularised lower incomplete gamma function `P(a, x)`, x finite.
///
/// Source: W. H. Press et al., Numerical Recipes, 6.2: the series of NIST DLMF 8.11.4 below
/// `a + 1`, Lentz's evaluation of the continued fraction 8.9.2 above.
fn lower_gamma(a: f64, x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    let value = if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut total = term;
        for step in 1..=MOST_STEPS {
            term *= x / (a + f64::from(step));
            total += term;
            if term <= total * f64::EPSILON {
                break;
            }
        }
        front * total
    } else {
        1.0 - front * upper_fraction(a, x)
    };
    value.clamp(0.0, 1.0)
}

fn upper_fraction(a: f64, x: f64) -> f64 {
    let away_from_zero =
        |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / away_from_zero(b);
    let mut fraction = d;
    for step in 1..=MOST_STEPS {
        let step = f64::from(step);
        let numerator = -step * (step - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
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
    use super::{chi_square_p, chi_square_quantile, upper_standard_deviation};

    #[test]
    fn two_degrees_have_a_closed_form() {
        for x in [1e-6, 0.1, 1.0, 5.0, 40.0] {
            let right = -libm::expm1(-x / 2.0);
            let found = chi_square_p(x, 2.0).unwrap();
            assert!((found / right - 1.0).abs() < 1e-13, "{x}: {found} {right}");
        }
    }

    #[test]
    fn agrees_with_statrs() {
        for freedom in [0.5, 1.0, 7.0, 60.0, 900.0] {
            for share in [0.01, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0] {
                let x: f64 = freedom * share;
                let right = statrs::function::gamma::gamma_lr(freedom / 2.0, x / 2.0);
                let found = chi_square_p(x, freedom).unwrap();
                assert!((found - right).abs() < 1e-11, "{freedom} {x}: {found} {right}");
            }
        }
    }

    #[test]
    fn quantiles_as_in_tables() {
        // SciPy: chi2.ppf.
        let cases = [
            (0.2, 1.0, 0.064_184_754_667_301_9),
            (0.2, 7.0, 3.822_321_907_766_138_3),
            (0.2, 15.0, 10.306_959_006_625_288),
            (0.05, 7.0, 2.167_349_909_298_057),
            (0.975, 60.0, 83.297_674_877_173_2),
        ];
        for (probability, freedom, right) in cases {
            let found = chi_square_quantile(probability, freedom).unwrap();
            assert!((found / right - 1.0).abs() < 1e-12, "{probability} {freedom}: {found}");
        }
    }

    #[test]
    fn the_limit_of_a_deviation_covers_as_often_as_it_says() {
        use crate::{Draws, standard_deviation};
        let mut draws = Draws::new(5, "chi square");
        let covered = (0..2_000)
            .filter(|_| {
                let values: Vec<f64> = (0..6).map(|_| draws.normal()).collect();
                let found = standard_deviation(&values).unwrap();
                upper_standard_deviation(found, 5.0, 0.8).unwrap() >= 1.0
            })
            .count();
        // standard deviation of the count: 18
        assert!(covered.abs_diff(1_600) < 72, "{covered}");
    }

    #[test]
    fn arguments_outside_have_none() {
        assert_eq!(chi_square_p(-1.0, 2.0), None);
        assert_eq!(chi_square_p(f64::NAN, 2.0), None);
        assert_eq!(chi_square_p(1.0, 0.0), None);
        assert_eq!(chi_square_p(0.0, 2.0), Some(0.0));
        assert_eq!(chi_square_p(f64::INFINITY, 2.0), Some(1.0));
        for probability in [0.0, 1.0, f64::NAN] {
            assert_eq!(chi_square_quantile(probability, 2.0), None);
        }
        assert_eq!(chi_square_quantile(0.5, f64::INFINITY), None);
        assert_eq!(upper_standard_deviation(f64::NAN, 2.0, 0.8), None);
        assert_eq!(upper_standard_deviation(1.0, 0.0, 0.8), None);
        assert_eq!(upper_standard_deviation(0.0, 3.0, 0.8), Some(0.0));
    }
}
