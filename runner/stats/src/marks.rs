//! Values that stand apart: marked, never left out.

use super::quantile::median;
use super::spread::mean;

/// Makes the median absolute deviation of a normal sample estimate its standard deviation:
/// 1 / z(0.75).
const MEDIAN_DEVIATION_SCALE: f64 = 1.482_602_218_505_602;

/// The same for the mean absolute deviation: sqrt(pi / 2).
const MEAN_DEVIATION_SCALE: f64 = 1.253_314_137_315_500_3;

/// What distances from the median were measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkScale {
    /// The median absolute deviation.
    MedianDeviation,
    /// The mean absolute deviation: over half of the values are equal, so that the median
    /// deviation is zero.
    MeanDeviation,
    /// All values are equal: none stands apart.
    NoSpread,
}

/// Values far from the median.
#[derive(Debug, Clone, PartialEq)]
pub struct Marks {
    /// The median, in the unit of the values.
    pub centre: f64,
    /// The deviation, scaled to be a standard deviation under normal noise; in the same unit.
    pub scale: f64,
    /// What it was made of.
    pub measured_by: MarkScale,
    /// Places of values below `centre - threshold * scale`, in order.
    pub low: Vec<usize>,
    /// Places of values above `centre + threshold * scale`, in order.
    pub high: Vec<usize>,
}

/// Marks values over `threshold` scaled deviations from the median, on either side. Nothing is
/// removed: whoever asks still has every value. `None` for no values, values that are not
/// finite, or a threshold that is not above zero.
///
/// Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers (1993), with their
/// mean deviation where the median deviation is zero.
#[must_use]
pub fn mad_marks(values: &[f64], threshold: f64) -> Option<Marks> {
    if values.iter().any(|value| !value.is_finite()) || threshold.is_nan() || threshold <= 0.0 {
        return None;
    }
    let centre = median(values)?;
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let of_median = MEDIAN_DEVIATION_SCALE * median(&distances)?;
    let of_mean = MEAN_DEVIATION_SCALE * mean(&distances)?;
    let (scale, measured_by) = if of_median > 0.0 {
        (of_median, MarkScale::MedianDeviation)
    } else if of_mean > 0.0 {
        (of_mean, MarkScale::MeanDeviation)
    } else {
        (0.0, MarkScale::NoSpread)
    };
    let places = |apart: &dyn Fn(f64) -> bool| -> Vec<usize> {
        values
            .iter()
            .enumerate()
            .filter(|(_, value)| apart(**value - centre))
            .map(|(place, _)| place)
            .collect()
    };
    let limit = threshold * scale;
    let (low, high) = (places(&|distance| distance < -limit), places(&|distance| distance > limit));
    Some(Marks { centre, scale, measured_by, low, high })
}

#[cfg(test)]
mod tests {
    use super::{MarkScale, mad_marks};

    #[test]
    fn both_sides_are_marked() {
        // Median 10; distances 8, 1, 0, 1, 90: median 1.
        let found = mad_marks(&[2.0, 9.0, 10.0, 11.0, 100.0], 3.5).unwrap();
        assert_eq!((found.centre, found.measured_by), (10.0, MarkScale::MedianDeviation));
        assert!((found.scale - 1.482_602_218_505_602).abs() < 1e-15);
        assert_eq!((found.low, found.high), (vec![0], vec![4]));
    }

    #[test]
    fn a_stall_stands_apart_from_equal_values() {
        let mut values = vec![1.0; 99];
        values.push(24.0);
        let found = mad_marks(&values, 3.5).unwrap();
        assert_eq!((found.measured_by, found.high), (MarkScale::MeanDeviation, vec![99]));
        assert!(found.low.is_empty());
    }

    #[test]
    fn equal_values_have_no_marks_and_bad_ones_no_answer() {
        let found = mad_marks(&vec![0.1; 1_000_000], 3.5).unwrap();
        assert_eq!((found.scale, found.measured_by), (0.0, MarkScale::NoSpread));
        assert!(found.low.is_empty() && found.high.is_empty());
        assert!(mad_marks(&[1.0, 1000.0], 3.5).unwrap().high.is_empty());
        assert_eq!(mad_marks(&[], 3.5), None);
        assert_eq!(mad_marks(&[1.0, f64::NAN], 3.5), None);
        assert_eq!(mad_marks(&[1.0, f64::INFINITY], 3.5), None);
        for threshold in [0.0, -1.0, f64::NAN] {
            assert_eq!(mad_marks(&[1.0, 2.0], threshold), None);
        }
    }

    #[test]
    fn shift_and_scale_leave_the_marks() {
        let values = [3.0, 1.0, 2.0, 64.0, 2.5, 1.5, -32.0];
        let right = mad_marks(&values, 3.0).unwrap();
        let moved = mad_marks(&values.map(|value| value * 8.0 - 16.0), 3.0).unwrap();
        assert_eq!((moved.low, moved.high), (right.low, right.high));
    }
}
