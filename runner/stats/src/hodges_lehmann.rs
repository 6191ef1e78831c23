//! The Hodges-Lehmann estimate and its interval.

use super::normal::{normal_cdf, normal_quantile};
use super::rank_sums::{LARGEST_EXACT, signed_rank_ways};
use super::walsh::WalshAverages;

/// Median of the means of all pairs of values, each with itself among them (Walsh averages), in
/// the unit of the values; `None` for no values or values that are not finite. Memory is linear
/// in n, time about n log n.
///
/// Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals
/// of Mathematical Statistics 34 (1963).
#[must_use]
pub fn hodges_lehmann(values: &[f64]) -> Option<f64> {
    WalshAverages::new(values)?.median()
}

/// How the attained confidence of a rank interval is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankMethod {
    /// From the counted distribution of the signed-rank sum.
    Exact,
    /// From its normal approximation, with half a rank for continuity.
    Approximate,
}

/// An estimate of location with an interval that assumes no shape beyond symmetry, in the unit
/// of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HodgesLehmannInterval {
    /// Median of the Walsh averages.
    pub estimate: f64,
    /// Lower end: a Walsh average.
    pub lo: f64,
    /// Upper end: a Walsh average.
    pub hi: f64,
    /// Confidence that the interval has, percent: the least that n allows at or above the one
    /// asked for. Ties in the values can only raise it.
    pub attained_confidence_percent: f64,
    /// How that is known.
    pub method: RankMethod,
}

/// The interval of all centres that the signed-rank test at `confidence_percent` would not
/// reject: between two order statistics of the Walsh averages. The distribution of the signed
/// rank sum is counted up to n = 50 and approximated by a normal one beyond. `None` where n is
/// too small for the confidence (n = 5 attains 93.75 % at most), for values that are not finite,
/// or a confidence not strictly between 0 and 100.
///
/// Source: M. Hollander, D. A. Wolfe and E. Chicken, Nonparametric Statistical Methods (2014),
/// section 3.3 (J. W. Tukey's interval); R's `wilcox.test(conf.int = TRUE)` gives the same ends.
#[must_use]
pub fn hodges_lehmann_interval(
    values: &[f64],
    confidence_percent: f64,
) -> Option<HodgesLehmannInterval> {
    let one_sided = (100.0 - confidence_percent) / 200.0;
    if !(one_sided > 0.0 && one_sided < 0.5) {
        return None;
    }
    let averages = WalshAverages::new(values)?;
    let tail = tail(values.len(), one_sided)?;
    Some(HodgesLehmannInterval {
        estimate: averages.median()?,
        lo: averages.smallest(tail.cut)?,
        hi: averages.smallest(averages.count().checked_sub(tail.cut + 1)?)?,
        attained_confidence_percent: 100.0 * (1.0 - 2.0 * tail.probability),
        method: tail.method,
    })
}

/// How many Walsh averages are cut from each end.
struct Tail {
    cut: u64,
    /// `P(W <= cut)`.
    probability: f64,
    method: RankMethod,
}

/// The most that can be cut with `P(W <= cut)` at or under `one_sided`; `None` when nothing can.
fn tail(n: usize, one_sided: f64) -> Option<Tail> {
    if n <= LARGEST_EXACT {
        let ways = signed_rank_ways(n);
        let all: f64 = ways.iter().sum();
        let (mut cut, mut seen) = (0, 0.0);
        for count in ways {
            if seen + count > one_sided * all {
                break;
            }
            seen += count;
            cut += 1;
        }
        // A sum of 0 (nothing cut) is not an interval: it would claim all confidence.
        let cut = u64::try_from(cut).ok()?.checked_sub(1)?;
        return Some(Tail { cut, probability: seen / all, method: RankMethod::Exact });
    }
    let n = n as f64;
    let expected = n * (n + 1.0) / 4.0;
    let deviation = libm::sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0);
    let greatest = libm::floor(expected + normal_quantile(one_sided)? * deviation - 0.5);
    if greatest < 0.0 {
        return None;
    }
    let probability = normal_cdf((greatest + 0.5 - expected) / deviation);
    Some(Tail { cut: greatest as u64, probability, method: RankMethod::Approximate })
}

#[cfg(test)]
mod tests {
    use super::{RankMethod, hodges_lehmann, hodges_lehmann_interval};

    #[test]
    fn the_least_n_at_95_percent_is_six() {
        let six = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        assert_eq!(hodges_lehmann_interval(&six[..5], 95.0), None);
        // Only the least and the greatest average are left: 2 P(W = 0) = 2 / 64.
        let found = hodges_lehmann_interval(&six, 95.0).unwrap();
        assert_eq!((found.lo, found.hi), (1.0, 32.0));
        assert_eq!(found.attained_confidence_percent, 96.875);
        assert_eq!(found.method, RankMethod::Exact);
    }

    #[test]
    fn the_ends_by_listing() {
        // n = 8 at 95 %: P(W <= 3) = 5 / 256, P(W <= 4) = 7 / 256 > 0.025; so three averages are
        // cut from each end.
        let values = [0.3, -1.1, 2.0, 5.5, 0.9, 4.1, -0.2, 3.3];
        let mut averages: Vec<f64> = Vec::new();
        for (place, first) in values.iter().enumerate() {
            averages.extend(values[place..].iter().map(|second| first / 2.0 + second / 2.0));
        }
        averages.sort_by(f64::total_cmp);
        let found = hodges_lehmann_interval(&values, 95.0).unwrap();
        assert_eq!((found.lo, found.hi), (averages[3], averages[32]));
        assert!((found.attained_confidence_percent - 100.0 * (1.0 - 10.0 / 256.0)).abs() < 1e-12);
        assert_eq!(hodges_lehmann(&values), Some(found.estimate));
    }

    #[test]
    fn many_values_use_the_approximation() {
        let values: Vec<f64> = (0..51).map(f64::from).collect();
        let found = hodges_lehmann_interval(&values, 95.0).unwrap();
        assert_eq!(found.method, RankMethod::Approximate);
        assert_eq!(found.estimate, 25.0);
        assert!(found.attained_confidence_percent >= 95.0);
        assert!(found.attained_confidence_percent < 95.2);
    }

    #[test]
    fn what_has_no_interval_has_none() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(hodges_lehmann(&[1.0, bad]), None);
            assert_eq!(hodges_lehmann_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, bad], 95.0), None);
        }
        assert_eq!(hodges_lehmann(&[]), None);
        assert_eq!(hodges_lehmann_interval(&[], 95.0), None);
        for confidence in [0.0, 100.0, f64::NAN] {
            assert_eq!(hodges_lehmann_interval(&[1.0; 9], confidence), None);
        }
        let level = hodges_lehmann_interval(&[0.5; 9], 95.0).unwrap();
        assert_eq!((level.lo, level.estimate, level.hi), (0.5, 0.5, 0.5));
    }
}
