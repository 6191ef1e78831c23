//! Mann and Whitney's test of two samples that are not paired.

use super::rank_sums::{LARGEST_EXACT, mann_whitney_ways, two_sided};

/// A p, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MannWhitneyP {
    /// From the distribution of U over all choices of ranks.
    Exact(f64),
    /// From the normal approximation, corrected for ties and continuity: ties or more than 50
    /// values leave no exact distribution.
    Approximate(f64),
}

/// U of the first sample, and its p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample's value is the greater, a tie counting one half.
    pub u: f64,
    /// Two-sided p that neither sample tends to be the greater.
    pub p: MannWhitneyP,
}

/// Compares two samples by ranks; equal values share their mean rank, and none is left out.
/// `None` for an empty sample, values that are not finite, or values that are all equal.
///
/// Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", Annals of Mathematical Statistics 18 (1947); the
/// approximation is that of SciPy's `mannwhitneyu`.
#[must_use]
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    if first.iter().chain(second).any(|value| !value.is_finite()) {
        return None;
    }
    // (value, whether it is of the first sample); minus zero is zero
    let mut all: Vec<(f64, Sample)> = first
        .iter()
        .map(|value| (value + 0.0, Sample::First))
        .chain(second.iter().map(|value| (value + 0.0, Sample::Second)))
        .collect();
    all.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (mut before, mut ranks, mut tie_term, mut ties) = (0.0, 0.0, 0.0, false);
    for group in all.chunk_by(|left, right| left.0 == right.0) {
        let size = group.len() as f64;
        let of_first = group.iter().filter(|(_, sample)| *sample == Sample::First).count() as f64;
        ranks += of_first * (before + (size + 1.0) / 2.0);
        tie_term += size * size * size - size;
        ties |= group.len() > 1;
        before += size;
    }
    let (m, n) = (first.len() as f64, second.len() as f64);
    let u = ranks - m * (m + 1.0) / 2.0;
    if all.len() <= LARGEST_EXACT && !ties {
        let ways = mann_whitney_ways(first.len(), second.len());
        return Some(MannWhitney { u, p: MannWhitneyP::Exact(two_sided(&ways, u as usize)) });
    }
    let count = m + n;
    let variance = m * n / 12.0 * ((count + 1.0) - tie_term / (count * (count - 1.0)));
    if variance <= 0.0 {
        return None;
    }
    // Half a step of U: it moves in steps.
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    let z = distance / libm::sqrt(variance);
    let p = MannWhitneyP::Approximate(libm::erfc(z / std::f64::consts::SQRT_2));
    Some(MannWhitney { u, p })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sample {
    First,
    Second,
}

#[cfg(test)]
mod tests {
    use super::{MannWhitneyP, mann_whitney};

    #[test]
    fn no_sample_is_dropped() {
        // Five near 115 against five near 78.8: elsewhere one was dropped and p became 0.079.
        let high = [114.8, 115.1, 115.3, 114.9, 115.6];
        let low = [78.8, 78.7, 78.9, 79.1, 78.5];
        let found = mann_whitney(&high, &low).unwrap();
        assert_eq!(found.u, 25.0);
        assert_eq!(found.p, MannWhitneyP::Exact(2.0 / 252.0));
        assert_eq!(mann_whitney(&low, &high).unwrap().p, found.p);
    }

    #[test]
    fn agrees_with_scipy() {
        let first = [1.1, 2.2, 0.4, 3.9, 2.7, 5.1, 4.4];
        let second = [2.9, 6.0, 5.5, 4.9, 7.3, 3.1];
        let found = mann_whitney(&first, &second).unwrap();
        assert_eq!(found.u, 7.0);
        let MannWhitneyP::Exact(p) = found.p else { panic!("not exact") };
        assert!((p - 0.051_282_051_282_051_28).abs() < 1e-14, "{p}");
        // mannwhitneyu(…, method="asymptotic") with ties
        let first = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0];
        let second = [2.0, 4.0, 5.0, 6.0, 7.0];
        let found = mann_whitney(&first, &second).unwrap();
        let MannWhitneyP::Approximate(p) = found.p else { panic!("not approximate") };
        assert!((p - 0.163_045_055_854_237_34).abs() < 1e-14, "{p}");
    }

    #[test]
    fn what_has_no_ranks_has_none() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[1.0], &[]), None);
        assert_eq!(mann_whitney(&[1.0, f64::NAN], &[2.0]), None);
        assert_eq!(mann_whitney(&[1.0], &[f64::INFINITY]), None);
        assert_eq!(mann_whitney(&[2.0; 3], &[2.0; 4]), None);
        assert_eq!(mann_whitney(&[0.0], &[-0.0]), None);
        assert_eq!(mann_whitney(&vec![0.1; 500_000], &vec![0.1; 500_000]), None);
        assert_eq!(mann_whitney(&[1.0], &[2.0]).unwrap().p, MannWhitneyP::Exact(1.0));
    }
}
