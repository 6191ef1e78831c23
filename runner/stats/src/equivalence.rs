//! Two one-sided tests of equivalence.

use super::student::student_two_sided_p;

/// p of the hypothesis that a mean lies outside `-limit..=limit`: the greater of both one-sided
/// p. `freedom` are the degrees of freedom of `standard_error`; all in the unit of the mean.
/// `None` for a standard error or degrees of freedom of zero or below, or NaN.
///
/// Source: D. J. Schuirmann, "A comparison of the two one-sided tests procedure", Journal of
/// Pharmacokinetics and Biopharmaceutics 15 (1987).
#[must_use]
pub fn equivalence_p(mean: f64, standard_error: f64, freedom: f64, limit: f64) -> Option<f64> {
    if standard_error.is_nan() || standard_error <= 0.0 {
        return None;
    }
    let above_low = upper_tail((mean + limit) / standard_error, freedom)?;
    let below_high = upper_tail((limit - mean) / standard_error, freedom)?;
    Some(above_low.max(below_high))
}

/// P(T >= t).
fn upper_tail(t: f64, freedom: f64) -> Option<f64> {
    let half = student_two_sided_p(t, freedom)? / 2.0;
    Some(if t >= 0.0 { half } else { 1.0 - half })
}

#[cfg(test)]
mod tests {
    use super::equivalence_p;
    use crate::student_quantile;

    #[test]
    fn the_paired_example_of_r() {
        // R, as in statsmodels' tests: mean 0.5626667, standard error 0.2478276, 14 degrees of
        // freedom, limit 0.6: p 0.441203 and a 90 % interval of 0.126165 to 0.999168.
        let p = equivalence_p(0.562_666_7, 0.247_827_6, 14.0, 0.6).unwrap();
        assert!((p - 0.441_203).abs() < 1e-6, "{p}");
        let half = student_quantile(0.10, 14.0).unwrap() * 0.247_827_6;
        assert!((0.562_666_7 - half - 0.126_165).abs() < 1e-6);
        assert!((0.562_666_7 + half - 0.999_168).abs() < 1e-6);
    }

    #[test]
    fn without_spread_there_is_no_p() {
        assert_eq!(equivalence_p(0.0, 0.0, 5.0, 0.02), None);
        assert_eq!(equivalence_p(0.0, f64::NAN, 5.0, 0.02), None);
        assert_eq!(equivalence_p(0.0, 1.0, 0.0, 0.02), None);
    }
}
