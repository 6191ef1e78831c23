//! Welch's interval: the pooled view of two samples that are not paired.

use super::spread::{mean, standard_deviation};
use super::student::{student_quantile, student_two_sided_p};

/// A difference of means with its interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WelchInterval {
    /// Mean of the first sample less that of the second.
    pub difference: f64,
    /// Root of the mean of both variances: the spread of single values.
    pub standard_deviation: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// Welch's degrees of freedom; `None` when neither sample has any spread.
    pub freedom: Option<f64>,
    /// Two-sided p against no difference; `None` when neither sample has any spread.
    pub p: Option<f64>,
}

/// Difference of means and its two-sided interval without assuming equal variances. With no
/// spread in either sample the interval has no width and there is no p. `None` under two values
/// in either, for values that are not finite, or a confidence not strictly between 0 and 100.
///
/// Source: B. L. Welch, "The generalization of Student's problem when several different
/// population variances are involved", Biometrika 34 (1947).
#[must_use]
pub fn welch_interval(
    first: &[f64],
    second: &[f64],
    confidence_percent: f64,
) -> Option<WelchInterval> {
    if first.iter().chain(second).any(|value| !value.is_finite()) {
        return None;
    }
    let two_sided = (100.0 - confidence_percent) / 100.0;
    if !(two_sided > 0.0 && two_sided < 1.0) {
        return None;
    }
    let difference = mean(first)? - mean(second)?;
    let spread = |values: &[f64]| {
        let sd = standard_deviation(values)?;
        let count = values.len() as f64;
        Some((sd * sd, sd * sd / count, count - 1.0))
    };
    let (variance_1, share_1, freedom_1) = spread(first)?;
    let (variance_2, share_2, freedom_2) = spread(second)?;
    let standard_deviation = libm::sqrt((variance_1 + variance_2) / 2.0);
    let variance = share_1 + share_2;
    if variance <= 0.0 {
        return Some(WelchInterval {
            difference,
            standard_deviation,
            lo: difference,
            hi: difference,
            freedom: None,
            p: None,
        });
    }
    // Divided by the variance first, so that squares of tiny variances do not vanish.
    let (part_1, part_2) = (share_1 / variance, share_2 / variance);
    let freedom = 1.0 / (part_1 * part_1 / freedom_1 + part_2 * part_2 / freedom_2);
    let standard_error = libm::sqrt(variance);
    let half = student_quantile(two_sided, freedom)? * standard_error;
    Some(WelchInterval {
        difference,
        standard_deviation,
        lo: difference - half,
        hi: difference + half,
        freedom: Some(freedom),
        p: student_two_sided_p(difference / standard_error, freedom),
    })
}

#[cfg(test)]
mod tests {
    use super::welch_interval;

    #[test]
    fn equal_sizes_and_variances_are_students_case() {
        // Both variances 2.5, n = 5: standard error 1, 8 degrees of freedom, t = -1:
        // p = 0.346593507087334 by the closed form for even degrees of freedom.
        let found =
            welch_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 3.0, 4.0, 5.0, 6.0], 95.0).unwrap();
        assert!((found.freedom.unwrap() - 8.0).abs() < 1e-12);
        assert!((found.p.unwrap() - 0.346_593_507_087_334).abs() < 1e-12);
        // t(0.975, 8) = 2.306004135204166.
        assert!((found.hi - (-1.0 + 2.306_004_135_204_166)).abs() < 1e-12);
    }

    #[test]
    fn unequal_variances_cost_degrees_of_freedom() {
        // Variances 1 and 100 at n = 3: shares 1/3 and 100/3,
        // freedom (101/3)^2 / ((1/9 + 10000/9) / 2) = 2.0 * 10201 / 10001.
        let found = welch_interval(&[-1.0, 0.0, 1.0], &[-10.0, 0.0, 10.0], 95.0).unwrap();
        assert!((found.freedom.unwrap() - 2.0 * 10201.0 / 10001.0).abs() < 1e-12);
    }

    #[test]
    fn no_spread_and_too_few() {
        let found = welch_interval(&[1.0, 1.0], &[3.0, 3.0], 95.0).unwrap();
        assert_eq!((found.lo, found.hi, found.p), (-2.0, -2.0, None));
        assert_eq!(welch_interval(&[1.0], &[3.0, 4.0], 95.0), None);
        assert_eq!(welch_interval(&[1.0, 2.0], &[3.0, f64::NAN], 95.0), None);
    }
}
