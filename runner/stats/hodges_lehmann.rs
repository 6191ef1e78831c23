//! The Hodges-Lehmann estimate.

use super::quantile::median;

/// Median of the means of all pairs of values, each with itself among them (Walsh averages), in
/// the unit of the values; `None` for no values or a NaN. Memory grows with the square of n.
///
/// Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals
/// of Mathematical Statistics 34 (1963).
#[must_use]
pub fn hodges_lehmann(values: &[f64]) -> Option<f64> {
    let mut averages = Vec::with_capacity(values.len() * (values.len() + 1) / 2);
    for (place, first) in values.iter().enumerate() {
        averages.extend(values[place..].iter().map(|second| (first + second) / 2.0));
    }
    median(&averages)
}
