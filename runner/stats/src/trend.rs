//! Drift: whether a series rises or falls from its first value to its last.

use super::spread::mean;
use super::student::student_two_sided_p;
use super::sum::sum;

/// A straight line through a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change from the first place to the last along the line, in the unit of the values.
    pub change: f64,
    /// Two-sided p of no trend; `None` under three values and where nothing varies.
    pub p: Option<f64>,
}

/// The least-squares line of `values` over their places 0, 1, 2, …, with the t test of its
/// slope on n - 2 degrees of freedom. The test takes the values for independent and normal:
/// `None` under two values or for values that are not
/// finite.
///
/// Source: N. R. Draper and H. Smith, Applied Regression Analysis, chapter 1.
#[must_use]
pub fn linear_trend(values: &[f64]) -> Option<Trend> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let first = *values.first()?;
    let shifted: Vec<f64> = values.iter().map(|value| value - first).collect();
    let centre = mean(&shifted)?;
    let middle = (values.len() - 1) as f64 / 2.0;
    let places: Vec<f64> = (0..values.len()).map(|place| place as f64 - middle).collect();
    let squares = sum(&places.iter().map(|place| place * place).collect::<Vec<f64>>());
    let products: Vec<f64> =
        places.iter().zip(&shifted).map(|(place, value)| place * (value - centre)).collect();
    let slope = sum(&products) / squares;
    let change = slope * (values.len() - 1) as f64;
    if !change.is_finite() {
        return None;
    }
    let rest: Vec<f64> = places
        .iter()
        .zip(&shifted)
        .map(|(place, value)| {
            let distance = value - centre - slope * place;
            distance * distance
        })
        .collect();
    let freedom = values.len() as f64 - 2.0;
    let error = libm::sqrt(sum(&rest) / freedom / squares);
    let p = match (freedom > 0.0, slope == 0.0, error > 0.0) {
        (false, ..) | (true, true, false) => None,
        // a line without any rest: division gives the infinity that it is
        (true, ..) => student_two_sided_p(slope / error, freedom),
    };
    Some(Trend { change, p })
}

#[cfg(test)]
mod tests {
    use super::linear_trend;

    const SERIES: [f64; 8] = [1.0, 2.5, 2.0, 4.1, 3.9, 4.1, 6.0, 5.2];

    #[test]
    fn as_scipy_has_it() {
        // SciPy: linregress.
        let line = linear_trend(&SERIES).unwrap();
        assert!((line.change - 4.416_666_666_666_666).abs() < 1e-12, "{line:?}");
        assert!((line.p.unwrap() / 0.000_904_839_220_735_979_7 - 1.0).abs() < 1e-9, "{line:?}");
    }

    #[test]
    fn short_flat_and_broken_series_are_defined() {
        for none in [&[][..], &[1.0]] {
            assert_eq!(linear_trend(none), None);
        }
        let two = linear_trend(&[1.0, 3.0]).unwrap();
        assert_eq!((two.change, two.p), (2.0, None));
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(linear_trend(&[1.0, bad, 2.0]), None);
        }
        let flat = vec![0.1; 1_000_000];
        let line = linear_trend(&flat).unwrap();
        assert_eq!((line.change, line.p), (0.0, None));
        let straight = linear_trend(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((straight.change, straight.p), (3.0, Some(0.0)));
    }
}
