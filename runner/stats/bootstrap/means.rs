//! Means of resamples: the loop in which the time goes.

use super::places::Places;
use crate::stats::Draws;

/// Resamples that share a row of places. A row of the table is then one line of 64 bytes in the
/// processor's cache, and costs little more to read than a single value.
const SHARING: usize = 8;

/// Smallest sample whose resamples share places. Two resamples that share are correlated as two
/// random orders of the sample are, by about `1 / sqrt(n)` and without a preferred sign: 4 % at
/// 500, too little to widen the error of a simulated quantile. Smaller samples cost little.
const SHARED_FROM: usize = 500;

/// Sums of `draws` resamples of `deviations` (finite, at most 2^32 of them), each of as many
/// values as there are.
///
/// From 500 values on, [`SHARING`] resamples are made from one row of random places: each reads
/// them in a random order of the sample of its own, so that every resample by itself is an
/// ordinary one (uniform, independent draws with replacement).
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
    let table = shuffled_side_by_side(deviations, stream);
    let mut sums = Vec::with_capacity(draws + SHARING);
    while sums.len() < draws {
        places.fill(&mut row, stream);
        sums.extend(sums_at(&table, &row));
    }
    sums.truncate(draws);
    sums
}

/// The sample in eight random orders: line `i` holds the `i`-th value of each.
fn shuffled_side_by_side(deviations: &[f64], stream: &mut Draws) -> Vec<[f64; SHARING]> {
    let mut table = vec![[0.0; SHARING]; deviations.len()];
    let mut order = deviations.to_vec();
    for lane in 0..SHARING {
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

fn sums_at(table: &[[f64; SHARING]], row: &[u32]) -> [f64; SHARING] {
    let mut even = [0.0_f64; SHARING];
    let mut odd = [0.0_f64; SHARING];
    let pairs = row.chunks_exact(2);
    let rest = pairs.remainder();
    for pair in pairs {
        if let [first, second] = pair {
            add(&mut even, table, *first);
            add(&mut odd, table, *second);
        }
    }
    for place in rest {
        add(&mut even, table, *place);
    }
    let mut sums = [0.0; SHARING];
    for lane in 0..SHARING {
        sums[lane] = even[lane] + odd[lane];
    }
    sums
}

#[inline(always)]
fn add(sums: &mut [f64; SHARING], table: &[[f64; SHARING]], place: u32) {
    if let Some(line) = table.get(place as usize) {
        for lane in 0..SHARING {
            sums[lane] += line[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SHARED_FROM, SHARING, resampled_sums};
    use crate::stats::{Draws, mean, standard_deviation};

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
        let sums = resampled_sums(&deviations, 8_000, &mut Draws::new(9, "sums"));
        for first in 0..SHARING {
            for second in 0..first {
                let products: Vec<f64> =
                    sums.chunks_exact(SHARING).map(|lanes| lanes[first] * lanes[second]).collect();
                let correlation = mean(&products).unwrap() / variance;
                // 0.045 by design and 0.032 from a thousand rows: four deviations.
                assert!(correlation.abs() < 0.22, "{first} {second}: {correlation}");
            }
        }
    }
}
