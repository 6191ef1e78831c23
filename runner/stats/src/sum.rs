//! Compensated summation.

/// The sum of `values` in their order, with Neumaier's compensation for the rounding of each
/// step; 0 for none. An infinity or NaN among the values comes through as it would in a plain
/// sum.
///
/// Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
/// Summen", ZAMM 54 (1974), algorithm IV.
#[must_use]
pub fn sum(values: &[f64]) -> f64 {
    let mut total = 0.0_f64;
    let mut lost = 0.0_f64;
    for &value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    if lost.is_finite() { total + lost } else { total }
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn small_terms_survive_between_large_ones() {
        assert_eq!(sum(&[1.0, 1e100, 1.0, -1e100]), 2.0);
    }

    #[test]
    fn nothing_sums_to_zero_and_infinity_comes_through() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1.0, f64::INFINITY]), f64::INFINITY);
    }
}
