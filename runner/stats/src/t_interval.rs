//! The t interval of a mean.

use super::spread::{mean, standard_deviation};
use super::student::{student_quantile, student_two_sided_p};

/// A mean with its interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation of the values.
    pub standard_deviation: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// `mean / (sd / sqrt(n))`; `None` when the spread is zero.
    pub t: Option<f64>,
    /// Two-sided p against a mean of zero; `None` when the spread is zero.
    pub p: Option<f64>,
}

/// Mean and two-sided t interval at `confidence_percent`, n - 1 degrees of freedom. With no
/// spread the interval has no width and there is no p: whoever asks decides what that means.
/// `None` under two values, for values that are not finite, or a confidence that is not
/// strictly between 0 and 100.
///
/// Source: Student, "The probable error of a mean", Biometrika 6 (1908).
#[must_use]
pub fn t_interval(values: &[f64], confidence_percent: f64) -> Option<MeanInterval> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let centre = mean(values)?;
    let spread = standard_deviation(values)?;
    let count = values.len() as f64;
    let freedom = count - 1.0;
    let standard_error = spread / libm::sqrt(count);
    let quantile = student_quantile((100.0 - confidence_percent) / 100.0, freedom)?;
    let t = (standard_error > 0.0).then(|| centre / standard_error);
    Some(MeanInterval {
        mean: centre,
        standard_deviation: spread,
        lo: centre - quantile * standard_error,
        hi: centre + quantile * standard_error,
        t,
        p: t.and_then(|t| student_two_sided_p(t, freedom)),
    })
}

#[cfg(test)]
mod tests {
    use super::t_interval;

    #[test]
    fn one_value_has_no_interval() {
        assert_eq!(t_interval(&[], 95.0), None);
        assert_eq!(t_interval(&[1.0], 95.0), None);
    }

    #[test]
    fn equal_values_have_no_width_and_no_p() {
        let found = t_interval(&[0.5; 4], 95.0).unwrap();
        assert_eq!((found.lo, found.hi, found.standard_deviation), (0.5, 0.5, 0.0));
        assert_eq!((found.t, found.p), (None, None));
    }

    #[test]
    fn what_has_no_interval_has_none() {
        assert_eq!(t_interval(&[1.0, f64::INFINITY], 95.0), None);
        assert_eq!(t_interval(&[1.0, 2.0], 100.0), None);
        assert_eq!(t_interval(&[1.0, 2.0], 0.0), None);
    }
}
