//! The interval of a quantile between two order statistics.

use super::binomial::{binomial_at_least, binomial_at_most};
use super::quantile::{at, sorted};

/// A quantile with an interval that assumes nothing of the distribution, in the unit of the
/// values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileInterval {
    /// The sample's quantile (type 7).
    pub estimate: f64,
    /// Lower end: one of the values.
    pub lo: f64,
    /// Its place in rising order, from 1.
    pub lo_place: u64,
    /// Upper end: one of the values.
    pub hi: f64,
    /// Its place in rising order, from 1.
    pub hi_place: u64,
    /// Coverage that the interval has, percent, never under the one asked for. Equal values and
    /// rounded ones can only raise it.
    pub attained_confidence_percent: f64,
}

/// The interval of the quantile at `probability`, each end of which errs with half of what
/// `confidence_percent` leaves or less: from the greatest order statistic that lies above the
/// quantile with no more than that, to the least that lies below it with no more. `None` where n
/// is too small for either (the greatest of 298 values is not above the 99th percentile with
/// 95 % confidence), for values that are not finite, a probability not strictly between 0 and
/// 1, or a confidence not strictly between 0 and 100.
///
/// Source: H. A. David and H. N. Nagaraja, Order Statistics (2003), section 7.1: the number of
/// values below a quantile is binomial.
#[must_use]
pub fn quantile_interval(
    values: &[f64],
    probability: f64,
    confidence_percent: f64,
) -> Option<QuantileInterval> {
    let one_sided = (100.0 - confidence_percent) / 200.0;
    if !(one_sided > 0.0 && one_sided < 0.5) || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let ordered = sorted(values)?;
    let n = ordered.len() as u64;
    // P(B <= place - 1): the value at `place` lies above the quantile.
    let above = |place: u64| match place {
        0 => Some(0.0),
        _ => binomial_at_most(place - 1, n, probability),
    };
    // P(B >= place): the value at `place` lies below the quantile.
    let below = |place: u64| binomial_at_least(place, n, probability);
    let lo_place = last_with(n, |place| Some(above(place)? <= one_sided))?;
    let hi_place = last_with(n, |place| Some(below(place)? > one_sided))? + 1;
    let value_at = |place: u64| ordered.get(usize::try_from(place).ok()?.checked_sub(1)?).copied();
    Some(QuantileInterval {
        estimate: at(&ordered, probability)?,
        lo: value_at(lo_place)?,
        lo_place,
        hi: value_at(hi_place)?,
        hi_place,
        attained_confidence_percent: 100.0 * (1.0 - above(lo_place)? - below(hi_place)?),
    })
}

/// The last place from 0 to `n` at which `holds`, which holds at 0 and, once it fails, for no
/// greater one.
fn last_with(n: u64, holds: impl Fn(u64) -> Option<bool>) -> Option<u64> {
    let (mut holding, mut failing) = (0, n + 1);
    while failing - holding > 1 {
        let middle = holding + (failing - holding) / 2;
        if holds(middle)? {
            holding = middle;
        } else {
            failing = middle;
        }
    }
    Some(holding)
}

#[cfg(test)]
mod tests {
    use super::quantile_interval;
    use crate::median;

    fn first(n: u32) -> Vec<f64> {
        (1..=n).map(f64::from).collect()
    }

    #[test]
    fn the_median_of_ten_by_hand() {
        // P(B <= 1) = 11 / 1024 <= 0.025 < P(B <= 2) = 56 / 1024: from the 2nd to the 9th value,
        // with 1 - 22 / 1024.
        let found = quantile_interval(&first(10), 0.5, 95.0).unwrap();
        assert_eq!((found.lo_place, found.hi_place), (2, 9));
        assert_eq!((found.lo, found.hi, found.estimate), (2.0, 9.0, 5.5));
        assert!((found.attained_confidence_percent - 100.0 * (1.0 - 22.0 / 1024.0)).abs() < 1e-10);
    }

    #[test]
    fn too_few_values_have_none() {
        // 2 * 0.5^5 = 0.0625; 2 * 0.5^6 = 0.03125.
        assert_eq!(quantile_interval(&first(5), 0.5, 95.0), None);
        assert!(quantile_interval(&first(6), 0.5, 95.0).is_some());
        // One end at 0.05: the greatest of 298 values lies below p99 with 0.99^298 = 0.05003.
        assert_eq!(quantile_interval(&first(298), 0.99, 90.0), None);
        assert_eq!(quantile_interval(&first(299), 0.99, 90.0).unwrap().hi_place, 299);
        assert_eq!(quantile_interval(&[], 0.5, 95.0), None);
        assert_eq!(quantile_interval(&[1.0], 0.5, 95.0), None);
        assert_eq!(quantile_interval(&[1.0, 2.0], 0.5, 95.0), None);
    }

    #[test]
    fn arguments_outside_have_none() {
        for probability in [0.0, 1.0, f64::NAN] {
            assert_eq!(quantile_interval(&first(10), probability, 95.0), None);
        }
        for confidence in [0.0, 100.0, f64::NAN] {
            assert_eq!(quantile_interval(&first(10), 0.5, confidence), None);
        }
        for bad in [f64::NAN, f64::INFINITY] {
            let mut values = first(10);
            values.push(bad);
            assert_eq!(quantile_interval(&values, 0.5, 95.0), None);
        }
    }

    #[test]
    fn a_million_values_are_no_burden() {
        let found = quantile_interval(&first(1_000_000), 0.99, 95.0).unwrap();
        // 990,000 with a standard deviation of 99.5.
        assert!((found.lo - 989_805.0).abs() < 2.0, "{found:?}");
        assert!((found.hi - 990_196.0).abs() < 2.0, "{found:?}");
        assert!(found.attained_confidence_percent >= 95.0);
        let level = quantile_interval(&vec![0.1; 1_000_000], 0.9, 95.0).unwrap();
        assert_eq!((level.lo, level.estimate, level.hi), (0.1, 0.1, 0.1));
    }

    #[test]
    fn a_quantile_of_the_mirror_image_is_mirrored() {
        let values = [3.0, 9.5, 1.0, 4.0, 12.0, 5.0, 2.0, 7.0, 8.0, 6.0];
        let found = quantile_interval(&values, 0.4, 90.0).unwrap();
        let mirrored = quantile_interval(&values.map(|value| -value), 0.6, 90.0).unwrap();
        assert_eq!((mirrored.lo, mirrored.hi), (-found.hi, -found.lo));
        assert_eq!(
            quantile_interval(&values, 0.5, 90.0).unwrap().estimate,
            median(&values).unwrap()
        );
    }
}
