//! Ratios on the log scale, where gain and loss are symmetric.

/// `ln(treatment) - ln(off)` of one pair, both in the same unit. `None` unless both are finite
/// and above zero: outside that there is no ratio.
#[must_use]
pub fn log_ratio(treatment: f64, off: f64) -> Option<f64> {
    let has_log = |value: f64| value.is_finite() && value > 0.0;
    (has_log(treatment) && has_log(off)).then(|| libm::log(treatment) - libm::log(off))
}

/// [`log_ratio`] of each pair in order; `None` when the lengths differ or any pair has none.
#[must_use]
pub fn log_ratios(treatment: &[f64], off: &[f64]) -> Option<Vec<f64>> {
    if treatment.len() != off.len() {
        return None;
    }
    treatment.iter().zip(off).map(|(&treated, &base)| log_ratio(treated, base)).collect()
}

/// A change in percent as a log ratio: `ln(1 + percent / 100)`; minus infinity at -100 and
/// below.
#[must_use]
pub fn log_of_percent(percent: f64) -> f64 {
    if percent <= -100.0 { f64::NEG_INFINITY } else { libm::log1p(percent / 100.0) }
}

/// A log ratio as a change in percent: `100 (exp(log) - 1)`.
#[must_use]
pub fn percent_of_log(log: f64) -> f64 {
    100.0 * libm::expm1(log)
}

#[cfg(test)]
mod tests {
    use super::{log_of_percent, log_ratio, log_ratios, percent_of_log};

    #[test]
    fn values_without_a_log_have_no_ratio() {
        for bad in [0.0, -3200.0, f64::INFINITY, f64::NAN] {
            assert_eq!(log_ratio(bad, 1.0), None);
            assert_eq!(log_ratio(1.0, bad), None);
        }
        assert_eq!(log_ratios(&[1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn percent_and_log_are_each_others_inverse() {
        assert!((percent_of_log(log_of_percent(2.0)) - 2.0).abs() < 1e-14);
        assert_eq!(log_of_percent(-100.0), f64::NEG_INFINITY);
        assert_eq!(percent_of_log(f64::NEG_INFINITY), -100.0);
    }
}
