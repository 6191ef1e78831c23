//! Exact distributions of rank sums, by counting.

/// Largest sample for which a distribution is counted: counts up to 2^50 are exact in an f64.
pub(super) const LARGEST_EXACT: usize = 50;

/// How many of the `2^n` sign patterns give each sum of positive ranks, from 0 to
/// `n (n + 1) / 2`.
pub(super) fn signed_rank_ways(n: usize) -> Vec<f64> {
    let greatest = n * (n + 1) / 2;
    let mut ways = vec![0.0_f64; greatest + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=greatest).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways
}

/// How many of the choices of `first` out of `first + second` ranks give each value of Mann and
/// Whitney's U (the sum of the ranks chosen, less its least value), from 0 to `first * second`.
pub(super) fn mann_whitney_ways(first: usize, second: usize) -> Vec<f64> {
    let greatest = first * second;
    // By how many ranks are chosen so far: one more rank, not chosen, raises U by as many as
    // are still to be chosen; so count partitions into at most `first` parts of at most `second`.
    let mut ways = vec![vec![0.0_f64; greatest + 1]; first + 1];
    ways[0][0] = 1.0;
    for part in 0..=second {
        for chosen in 1..=first {
            for sum in part..=greatest {
                ways[chosen][sum] += ways[chosen - 1][sum - part];
            }
        }
    }
    ways.pop().unwrap_or_default()
}

/// Twice the smaller tail at `place`, as a share of all ways; never over 1.
pub(super) fn two_sided(ways: &[f64], place: usize) -> f64 {
    let all: f64 = ways.iter().sum();
    let below: f64 = ways.iter().take(place + 1).sum();
    let above: f64 = ways.iter().skip(place).sum();
    (2.0 * below.min(above) / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{mann_whitney_ways, signed_rank_ways};

    #[test]
    fn counts_by_hand() {
        assert_eq!(signed_rank_ways(3), [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]);
        // Two of four ranks: sums 3, 4, 5, 5, 6, 7.
        assert_eq!(mann_whitney_ways(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!(mann_whitney_ways(1, 3), [1.0; 4]);
        assert_eq!(mann_whitney_ways(5, 5).iter().sum::<f64>(), 252.0);
    }
}
