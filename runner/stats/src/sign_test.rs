//! The sign test.

use super::agreement::SignCounts;

/// Exact two-sided p of the sign test: zeros are left out, and twice the smaller tail of the
/// binomial is capped at 1. `None` when every difference is zero.
///
/// Source: W. J. Dixon and A. M. Mood, "The statistical sign test", JASA 41 (1946).
#[must_use]
pub fn sign_test_p(counts: SignCounts) -> Option<f64> {
    let trials = counts.positive + counts.negative;
    if trials == 0 {
        return None;
    }
    let n = f64::from(trials);
    let log_all = n * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for successes in 0..=counts.positive.min(counts.negative) {
        let k = f64::from(successes);
        let log_ways = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
        tail += libm::exp(log_ways - log_all);
    }
    Some((2.0 * tail).min(1.0))
}
