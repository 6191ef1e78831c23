//! Means of resamples: the loop in which the time goes.

use super::places::Places;
use crate::Draws;

/// Values side by side in a line of a table: 64 bytes, what a processor reads at once.
const LINE: usize = 8;

/// Tables that a row of places is read through.
const TABLES: usize = 4;

/// Smallest sample whose resamples share places. Two resamples that share are correlated as two
/// random orders of the sample are, by about `1 / sqrt(n)` and without a preferred sign. However
/// many share, that changes the variance of a simulated share of resamples by a factor of about
/// `1 ± sqrt(2 / n)`: 6 % at 500. Smaller samples cost little.
const SHARED_FROM: usize = 500;

/// Sums of `draws` resamples of `deviations` (finite, at most 2^32 of them), each of as many
/// values as there are.
///
/// From 500 values on, 32 resamples are made from one row of random places: each reads them in a
/// random order of the sample of its own, so that every resample by itself is an ordinary one
/// (uniform, independent draws with replacement).
pub(super) fn resampled_sums(deviations: &[f64], draws: u32, stream: &mut Draws) -> Vec<f64> {
    let bound = u32::try_from(deviations.len()).unwrap_or(u32::MAX);
    let mut places = Places::new(bound);
    let mut row = vec![0_u32; deviations.len()];
    let draws = draws as usize;
    if deviations.len() < SHARED_FROM {
        return (0..draws)
            .map(|_| {
                places.fill(&mut row, stream);
                sum_at(deviations, &row)
            })
            .collect();
    }
    let tables: Vec<Vec<[f64; LINE]>> =
        (0..TABLES).map(|_| shuffled_side_by_side(deviations, stream)).collect();
    let mut sums = Vec::with_capacity(draws + TABLES * LINE);
    while sums.len() < draws {
        places.fill(&mut row, stream);
        for table in &tables {
            sums.extend(sums_at(table, &row));
        }
    }
    sums.truncate(draws);
    sums
}

/// The sample in eight random orders: line `i` holds the `i`-th value of each.
fn shuffled_side_by_side(deviations: &[f64], stream: &mut Draws) -> Vec<[f64; LINE]> {
    let mut table = vec![[0.0; LINE]; deviations.len()];
    let mut order = deviations.to_vec();
    for lane in 0..LINE {
        stream.shuffle(&mut order);
        for (line, value) in table.iter_mut().zip(&order) {
            line[lane] = *value;
        }
    }
    table
}

/// Four running sums, so that an addition need not wait for the one before.
fn sum_at(deviations: &[f64], row: &[u32]) -> f64 {
    let mut sums = [0.0_f64; 4];
    let at = |place: u32| deviations.get(place as usize).copied().unwrap_or(0.0);
    let quads = row.chunks_exact(4);
    let rest = quads.remainder();
    for quad in quads {
        for (sum, place) in sums.iter_mut().zip(quad) {
            *sum += at(*place);
        }
    }
    for (sum, place) in sums.iter_mut().zip(rest) {
        *sum += at(*place);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// A function of its own, over whole lines: so the compiler keeps the sums in registers.
#[inline(never)]
fn sums_at(table: &[[f64; LINE]], row: &[u32]) -> [f64; LINE] {
    let mut sums = [0.0_f64; LINE];
    for &place in row {
        let line = &table[place as usize];
        let mut next = [0.0_f64; LINE];
        for lane in 0..LINE {
            next[lane] = sums[lane] + line[lane];
        }
        sums = next;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{LINE, SHARED_FROM, TABLES, resampled_sums};
    use crate::{Draws, mean, standard_deviation};

    const SHARING: usize = LINE * TABLES;

    fn deviations(n: usize) -> Vec<f64> {
        let mut draws = Draws::new(4, "deviations");
        let values: Vec<f64> = (0..n).map(|_| draws.normal()).collect();
        let centre = mean(&values).unwrap();
        values.iter().map(|value| value - centre).collect()
    }

    #[test]
    fn sums_have_the_moments_that_theory_gives() {
        // Both sides of the border: a sum of n draws has mean 0 and variance sum(d^2).
        for n in [SHARED_FROM - 1, SHARED_FROM] {
            let deviations = deviations(n);
            let right = deviations.iter().map(|value| value * value).sum::<f64>().sqrt();
            let sums = resampled_sums(&deviations, 4_000, &mut Draws::new(8, "sums"));
            assert_eq!(sums.len(), 4_000);
            // Four standard errors of a mean and of a standard deviation.
            assert!(mean(&sums).unwrap().abs() < 4.0 * right / 4_000_f64.sqrt(), "{n}");
            let found = standard_deviation(&sums).unwrap();
            assert!((found / right - 1.0).abs() < 4.0 / 8_000_f64.sqrt(), "{n}: {found} {right}");
        }
    }

    #[test]
    fn resamples_that_share_places_are_nearly_uncorrelated() {
        let deviations = deviations(SHARED_FROM);
        let variance = deviations.iter().map(|value| value * value).sum::<f64>();
        let sums = resampled_sums(&deviations, 1_000 * SHARING as u32, &mut Draws::new(9, "sums"));
        let (mut all, mut squares, mut pairs) = (0.0, 0.0, 0.0);
        for first in 0..SHARING {
            for second in 0..first {
                let products: Vec<f64> =
                    sums.chunks_exact(SHARING).map(|lanes| lanes[first] * lanes[second]).collect();
                let correlation = mean(&products).unwrap() / variance;
                (all, squares, pairs) =
                    (all + correlation, squares + correlation * correlation, pairs + 1.0);
            }
        }
        // One pair: 1 / sqrt(500) by the orders and 1 / sqrt(1000) by the rows.
        let right = (1.0 / 500.0 + 1.0 / 1000.0_f64).sqrt();
        assert!((squares / pairs).sqrt() < 1.15 * right, "{}", (squares / pairs).sqrt());
        // The mean over 496 pairs, four deviations.
        assert!((all / pairs).abs() < 4.0 * right / 496.0_f64.sqrt(), "{}", all / pairs);
    }

    #[test]
    fn no_resample_comes_twice() {
        for n in [16, SHARED_FROM] {
            let mut sums = resampled_sums(&deviations(n), 2_000, &mut Draws::new(1, "sums"));
            sums.sort_by(f64::total_cmp);
            sums.dedup();
            assert_eq!(sums.len(), 2_000, "{n}");
        }
    }
}
