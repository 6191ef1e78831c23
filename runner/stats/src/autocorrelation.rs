//! Whether neighbours in a series resemble each other.

use super::spread::mean;
use super::sum::sum;

/// Fewest values of which a correlation with the next says anything.
const FEWEST_VALUES: usize = 4;

/// Likeness of neighbours, and what it costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// Correlation of each value with the next, -1 to 1.
    pub lag_1: f64,
    /// Independent values that would tell as much of the mean: `n (1 - r) / (1 + r)`, held
    /// between 1 and n.
    pub effective_count: f64,
}

/// Lag-1 autocorrelation of a series and the number of independent values that it is worth for
/// its mean, if it is an autoregression of first order. Negative correlation is not counted as
/// a gain. `None` under four values, for values that are not finite, and where all are equal.
///
/// Source: G. E. P. Box and G. M. Jenkins, Time Series Analysis (1976), for the estimate;
/// G. V. Bayley and J. M. Hammersley, Supplement to the Journal of the Royal Statistical Society
/// 8 (1946), for the number.
#[must_use]
pub fn autocorrelation(values: &[f64]) -> Option<Autocorrelation> {
    if values.len() < FEWEST_VALUES || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let first = *values.first()?;
    let shifted: Vec<f64> = values.iter().map(|value| value - first).collect();
    let centre = mean(&shifted)?;
    let deviations: Vec<f64> = shifted.iter().map(|value| value - centre).collect();
    let products: Vec<f64> =
        deviations.windows(2).map(|pair| pair.iter().product::<f64>()).collect();
    let squares: Vec<f64> = deviations.iter().map(|deviation| deviation * deviation).collect();
    let lag_1 = sum(&products) / sum(&squares);
    if !lag_1.is_finite() {
        return None;
    }
    let lag_1 = lag_1.clamp(-1.0, 1.0);
    let count = values.len() as f64;
    let worth = count * (1.0 - lag_1) / (1.0 + lag_1);
    Some(Autocorrelation { lag_1, effective_count: worth.clamp(1.0, count) })
}

#[cfg(test)]
mod tests {
    use super::autocorrelation;
    use crate::Draws;

    #[test]
    fn by_hand() {
        // deviations -2, -1, 0, 1, 2: products 2, 0, 0, 2 over squares 10
        let found = autocorrelation(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((found.lag_1 - 0.4).abs() < 1e-15);
        assert!((found.effective_count - 5.0 * 0.6 / 1.4).abs() < 1e-14);
        // turn and turn about: no gain is counted
        let found = autocorrelation(&[1.0, 2.0, 1.0, 2.0]).unwrap();
        assert_eq!((found.lag_1, found.effective_count), (-0.75, 4.0));
    }

    #[test]
    fn a_series_of_known_correlation() {
        let mut draws = Draws::new(23, "autocorrelation");
        let mut value = 0.0;
        let series: Vec<f64> = (0..4_000)
            .map(|_| {
                value = 0.6 * value + draws.normal();
                value
            })
            .collect();
        let found = autocorrelation(&series).unwrap();
        assert!((found.lag_1 - 0.6).abs() < 0.05, "{found:?}");
        assert!((found.effective_count - 1_000.0).abs() < 150.0, "{found:?}");
    }

    #[test]
    fn short_flat_and_broken_series_have_none() {
        for none in [&[][..], &[1.0], &[1.0, 2.0], &[1.0, 2.0, 3.0], &[0.1; 7]] {
            assert_eq!(autocorrelation(none), None, "{none:?}");
        }
        assert_eq!(autocorrelation(&vec![0.1; 1_000_000]), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(autocorrelation(&[1.0, 2.0, bad, 3.0, 4.0]), None);
        }
        assert_eq!(autocorrelation(&[1e300, -1e300, 1e300, 1.0]), None);
    }
}
