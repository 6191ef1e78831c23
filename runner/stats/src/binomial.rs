//! Tails of the binomial distribution.

use super::incomplete_beta::incomplete_beta;

/// `P(B <= successes)` for `trials` independent trials that each succeed with `chance`. `None`
/// unless `chance` lies strictly between 0 and 1.
///
/// Source: NIST DLMF 8.17.5: a binomial tail is an incomplete beta function.
#[must_use]
pub fn binomial_at_most(successes: u64, trials: u64, chance: f64) -> Option<f64> {
    if !(chance > 0.0 && chance < 1.0) {
        return None;
    }
    if successes >= trials {
        return Some(1.0);
    }
    let failures = (trials - successes) as f64;
    incomplete_beta(failures, successes as f64 + 1.0, 1.0 - chance, chance)
}

/// `P(B >= successes)`; otherwise as [`binomial_at_most`].
#[must_use]
pub fn binomial_at_least(successes: u64, trials: u64, chance: f64) -> Option<f64> {
    if !(chance > 0.0 && chance < 1.0) {
        return None;
    }
    if successes == 0 {
        return Some(1.0);
    }
    if successes > trials {
        return Some(0.0);
    }
    let failures = (trials - successes) as f64;
    incomplete_beta(successes as f64, failures + 1.0, chance, 1.0 - chance)
}

/// Exact two-sided interval of a chance, 0 to 1, from `successes` of `trials`; `None` for no
/// trials, more successes than trials, or a confidence not strictly between 0 and 100.
///
/// Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
/// in the case of the binomial", Biometrika 26 (1934).
#[must_use]
pub fn binomial_interval(
    successes: u64,
    trials: u64,
    confidence_percent: f64,
) -> Option<(f64, f64)> {
    let tail = (100.0 - confidence_percent) / 200.0;
    if trials == 0 || successes > trials || !(tail > 0.0 && tail < 0.5) {
        return None;
    }
    let lo = if successes == 0 {
        0.0
    } else {
        halving(|chance| binomial_at_least(successes, trials, chance).is_none_or(|p| p < tail))
    };
    let hi = if successes == trials {
        1.0
    } else {
        halving(|chance| binomial_at_most(successes, trials, chance).is_none_or(|p| p > tail))
    };
    Some((lo, hi))
}

/// Where `is_below` turns from true to false between 0 and 1, to the last bits.
fn halving(is_below: impl Fn(f64) -> bool) -> f64 {
    // 60 halvings of 1 are finer than the spacing of numbers near 0.01
    const HALVINGS: u32 = 60;
    let (mut lo, mut hi) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (lo + hi) / 2.0;
        if is_below(middle) { lo = middle } else { hi = middle }
    }
    (lo + hi) / 2.0
}

#[cfg(test)]
mod tests {
    use super::{binomial_at_least, binomial_at_most};

    #[test]
    fn small_tails_by_hand() {
        // Four fair coins: 1, 4, 6, 4, 1 of 16.
        for (successes, right) in [(0, 1.0), (1, 5.0), (2, 11.0), (3, 15.0), (4, 16.0)] {
            let found = binomial_at_most(successes, 4, 0.5).unwrap();
            assert!((found - right / 16.0).abs() < 1e-14, "{successes}: {found}");
        }
        assert!((binomial_at_least(3, 4, 0.5).unwrap() - 5.0 / 16.0).abs() < 1e-14);
    }

    #[test]
    fn both_tails_meet() {
        for trials in [1_u64, 7, 299, 2048, 1_000_000] {
            for share in [0.0, 0.003, 0.01, 0.02, 0.5, 0.99] {
                let successes = (share * trials as f64) as u64;
                let below = binomial_at_most(successes, trials, 0.01).unwrap();
                let above = binomial_at_least(successes + 1, trials, 0.01).unwrap();
                assert!(
                    (below + above - 1.0).abs() < 1e-8,
                    "{trials} {successes}: {below} {above}"
                );
            }
        }
    }

    #[test]
    fn a_million_trials_agree_with_scipy() {
        // binom.cdf(9900, 10**6, 0.01)
        let found = binomial_at_most(9_900, 1_000_000, 0.01).unwrap();
        assert!((found / 0.158_651_209_246_712_08 - 1.0).abs() < 1e-8, "{found}");
    }

    #[test]
    fn the_ends_and_what_lies_outside() {
        assert_eq!(binomial_at_most(3, 3, 0.2), Some(1.0));
        assert_eq!(binomial_at_least(0, 0, 0.2), Some(1.0));
        assert_eq!(binomial_at_least(4, 3, 0.2), Some(0.0));
        for bad in [0.0, 1.0, f64::NAN] {
            assert_eq!(binomial_at_most(0, 3, bad), None);
            assert_eq!(binomial_at_least(0, 3, bad), None);
        }
    }

    #[test]
    fn intervals_with_closed_forms() {
        // One of two: 1 - (1 - lo)^2 and 1 - hi^2 are each a tail.
        let (lo, hi) = super::binomial_interval(1, 2, 95.0).unwrap();
        assert!((lo - (1.0 - 0.975_f64.sqrt())).abs() < 1e-12, "{lo}");
        assert!((hi - 0.975_f64.sqrt()).abs() < 1e-12, "{hi}");
        let (lo, hi) = super::binomial_interval(0, 50, 99.0).unwrap();
        assert_eq!(lo, 0.0);
        assert!((hi - (1.0 - 0.005_f64.powf(1.0 / 50.0))).abs() < 1e-12, "{hi}");
        assert_eq!(super::binomial_interval(50, 50, 99.0).map(|found| found.1), Some(1.0));
        for bad in [(0, 0, 95.0), (2, 1, 95.0), (1, 2, 100.0), (1, 2, f64::NAN)] {
            assert_eq!(super::binomial_interval(bad.0, bad.1, bad.2), None);
        }
    }
}
