//! Wilcoxon's signed-rank test.

use super::rank_sums::{LARGEST_EXACT, signed_rank_ways, two_sided};

/// A p, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SignedRankP {
    /// From the distribution of the rank sum over all signs.
    Exact(f64),
    /// From the normal approximation, corrected for ties and continuity: zeros, ties or more than 50
    /// differences leave no exact distribution.
    Approximate(f64),
}

/// Two-sided p that differences are symmetric about zero. Zeros are left out; equal sizes share
/// their mean rank. `None` when nothing but zeros is left, or for values that are not finite.
///
/// Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1
/// (1945); the choice between both forms is SciPy's.
#[must_use]
pub fn signed_rank_p(differences: &[f64]) -> Option<SignedRankP> {
    if differences.iter().any(|difference| !difference.is_finite()) {
        return None;
    }
    let mut kept: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
    if kept.is_empty() {
        return None;
    }
    kept.sort_by(|left, right| left.abs().total_cmp(&right.abs()));
    let n = kept.len() as f64;
    let mut positive_ranks = 0.0;
    let mut tie_term = 0.0;
    let mut ties = false;
    for group in kept.chunk_by(|left, right| left.abs() == right.abs()) {
        // `group` is a slice of `kept`: its place is the distance of both starts.
        let before = kept.partition_point(|value| value.abs() < group[0].abs()) as f64;
        let size = group.len() as f64;
        let rank = before + (size + 1.0) / 2.0;
        positive_ranks += rank * group.iter().filter(|value| **value > 0.0).count() as f64;
        tie_term += size * size * size - size;
        ties |= group.len() > 1;
    }
    if kept.len() <= LARGEST_EXACT && kept.len() == differences.len() && !ties {
        return Some(SignedRankP::Exact(two_sided(
            &signed_rank_ways(kept.len()),
            positive_ranks as usize,
        )));
    }
    let expected = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_term / 48.0;
    // Half a rank: the sum moves in steps.
    let distance = ((positive_ranks - expected).abs() - 0.5).max(0.0);
    let z = distance / libm::sqrt(variance);
    Some(SignedRankP::Approximate(libm::erfc(z / std::f64::consts::SQRT_2)))
}

#[cfg(test)]
mod tests {
    use super::{SignedRankP, signed_rank_p};

    #[test]
    fn the_least_attainable_p() {
        for (n, right) in [(5, 0.0625), (6, 0.03125), (8, 0.007_812_5)] {
            let differences: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(signed_rank_p(&differences), Some(SignedRankP::Exact(right)));
        }
    }

    #[test]
    fn nothing_but_zeros_has_no_p() {
        assert_eq!(signed_rank_p(&[0.0, 0.0]), None);
        assert_eq!(signed_rank_p(&[]), None);
        assert_eq!(signed_rank_p(&[f64::NAN]), None);
        assert_eq!(signed_rank_p(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn neither_order_nor_scale_nor_side_matters() {
        let differences = [0.3, -1.1, 2.0, 5.5, 0.9, 4.1, -0.2, 3.3];
        let right = signed_rank_p(&differences);
        let mut turned = differences;
        turned.reverse();
        assert_eq!(signed_rank_p(&turned), right);
        assert_eq!(signed_rank_p(&turned.map(|value| value * 1e-3)), right);
        assert_eq!(signed_rank_p(&turned.map(|value| -value)), right);
    }

    #[test]
    fn a_million_equal_differences_are_one_tie() {
        // All on one side: z is about sqrt(n) = 1000, and its tail is below every f64.
        let found = signed_rank_p(&vec![0.25; 1_000_000]);
        assert_eq!(found, Some(SignedRankP::Approximate(0.0)));
    }
}
