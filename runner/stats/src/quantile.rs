//! Quantiles by linear interpolation (type 7).

/// The quantile at `probability` (0 to 1) by linear interpolation of order statistics, in the
/// unit of the values. `None` for no values, a NaN among them, or a probability outside 0 to 1.
///
/// Source: R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50 (1996), definition 7: the default of R and NumPy.
#[must_use]
pub fn quantile(values: &[f64], probability: f64) -> Option<f64> {
    at(&sorted(values)?, probability)
}

/// The median: [`quantile`] at one half.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Five order figures of a sample, in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quartiles {
    pub least: f64,
    pub first: f64,
    pub median: f64,
    pub third: f64,
    pub greatest: f64,
}

/// Least, quartiles (type 7) and greatest; `None` for no values or a NaN among them.
#[must_use]
pub fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let ordered = sorted(values)?;
    Some(Quartiles {
        least: at(&ordered, 0.0)?,
        first: at(&ordered, 0.25)?,
        median: at(&ordered, 0.5)?,
        third: at(&ordered, 0.75)?,
        greatest: at(&ordered, 1.0)?,
    })
}

/// In rising order; `None` for a NaN.
pub(super) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let mut ordered = values.to_vec();
    ordered.sort_by(f64::total_cmp);
    Some(ordered)
}

/// The quantile of values in rising order.
pub(super) fn at(ordered: &[f64], probability: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&probability) {
        return None;
    }
    let place = probability * (ordered.len().checked_sub(1)? as f64);
    let below = libm::floor(place) as usize;
    let low = *ordered.get(below)?;
    match ordered.get(below + 1) {
        Some(high) if place > below as f64 => Some(low + (place - below as f64) * (high - low)),
        _ => Some(low),
    }
}

#[cfg(test)]
mod tests {
    use super::{median, quantile, quartiles};

    #[test]
    fn interpolates_between_order_statistics() {
        // R: quantile(c(1, 2, 4, 8), c(.25, .5, .75)) gives 1.75, 3, 5.
        let values = [8.0, 1.0, 4.0, 2.0];
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(median(&values), Some(3.0));
        let five = quartiles(&values).unwrap();
        assert_eq!((five.least, five.third, five.greatest), (1.0, 5.0, 8.0));
    }

    #[test]
    fn no_values_nan_and_wild_probabilities_have_none() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
        assert_eq!(median(&[7.0]), Some(7.0));
    }
}
