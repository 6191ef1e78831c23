//! Mean and standard deviation in two passes.

use super::sum::sum;

/// Arithmetic mean, in the unit of the values; `None` for no values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(sum(values) / values.len() as f64)
}

/// Sample standard deviation (divisor n - 1), in the unit of the values; `None` under two
/// values.
///
/// Two passes, with the correction for the rounding of the mean: T. F. Chan, G. H. Golub and
/// R. J. LeVeque, "Algorithms for computing the sample variance", The American Statistician
/// 37 (1983), equation 1.7. One-pass formulas lose every digit on NIST's `NumAcc4`.
#[must_use]
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values)?;
    let deviations: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let squares: Vec<f64> = deviations.iter().map(|deviation| deviation * deviation).collect();
    let count = values.len() as f64;
    let rest = sum(&deviations);
    let variance = (sum(&squares) - rest * rest / count) / (count - 1.0);
    Some(libm::sqrt(variance.max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::{mean, standard_deviation};

    #[test]
    fn too_few_values_have_no_spread() {
        assert_eq!(mean(&[]), None);
        assert_eq!(standard_deviation(&[]), None);
        assert_eq!(standard_deviation(&[3.0]), None);
    }

    #[test]
    fn a_million_equal_values_have_spread_zero() {
        let values = vec![0.1; 1_000_000];
        assert_eq!(mean(&values), Some(0.1));
        assert_eq!(standard_deviation(&values), Some(0.0));
    }

    #[test]
    fn nanoseconds_of_twelve_seconds_do_not_overflow() {
        let samples = [12140144300.0, 12308847400.0, 12225136900.0, 12154929400.0, 11909783400.0];
        let spread = standard_deviation(&samples).unwrap();
        assert!((spread - 148894758.2).abs() < 0.05, "{spread}");
    }

    #[test]
    fn nist_numacc4_keeps_its_digits() {
        let mut values = vec![10000000.2];
        for _ in 0..500 {
            values.push(10000000.1);
            values.push(10000000.3);
        }
        let centre = mean(&values).unwrap();
        let spread = standard_deviation(&values).unwrap();
        assert!((centre - 10000000.2).abs() < 1e-8, "{centre}");
        // The decimal fractions themselves are rounded to 2e-9 at this size.
        assert!((spread - 0.1).abs() < 1e-8, "{spread}");
    }
}
