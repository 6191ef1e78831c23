//! The mean of values that share both rounds and inputs.

use std::collections::BTreeMap;

use super::spread::mean;
use super::student::student_quantile;
use super::sum::sum;

/// Half widths of an interval around the mean, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoWay {
    /// Mean of all values, each with the same weight.
    pub centre: f64,
    /// Clustered by round alone.
    pub rounds_half_width: f64,
    /// Clustered by input alone.
    pub inputs_half_width: f64,
    /// Clustered by both.
    pub both_half_width: f64,
    /// Different rounds.
    pub rounds: u32,
    /// Different inputs.
    pub inputs: u32,
}

/// Interval of the mean of `values` at `confidence_percent`, where `values[i]` was measured in
/// `rounds[i]` on `inputs[i]` and values of the same round, or on the same input, may depend on
/// each other.
///
/// The variance of the mean is `V_round + V_input - V_both`, each a sum over clusters of the
/// squared sum of deviations, over n squared, times `G / (G - 1)` for its G clusters; clusters
/// of both are values of the same round and input. Where that comes out at zero or below, the
/// greater of `V_round` and `V_input` stands for it. Student's t with `min(G) - 1` degrees of
/// freedom for both, `G - 1` for one.
///
/// `None` when the lists differ in length, with under two rounds or two inputs, for values that
/// are not finite, or a confidence that is not strictly between 0 and 100.
///
/// Source: A. C. Cameron, J. B. Gelbach and D. L. Miller, "Robust inference with multiway
/// clustering", Journal of Business & Economic Statistics 29 (2011).
#[must_use]
pub fn two_way_interval<R: Ord, I: Ord>(
    values: &[f64],
    rounds: &[R],
    inputs: &[I],
    confidence_percent: f64,
) -> Option<TwoWay> {
    two_way_interval_of_error(values, rounds, inputs, (100.0 - confidence_percent) / 100.0)
}

/// [`two_way_interval`] by its two-sided error, 0 to 1: for errors too small to be written as a
/// confidence.
#[must_use]
pub fn two_way_interval_of_error<R: Ord, I: Ord>(
    values: &[f64],
    rounds: &[R],
    inputs: &[I],
    two_sided: f64,
) -> Option<TwoWay> {
    let same = values.len() == rounds.len() && values.len() == inputs.len();
    if !same || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let first = *values.first()?;
    // equal values deviate by exactly nothing
    let shifted: Vec<f64> = values.iter().map(|value| value - first).collect();
    let centre = mean(&shifted)?;
    let deviations: Vec<f64> = shifted.iter().map(|value| value - centre).collect();
    let by_round = clustered(&deviations, rounds.iter())?;
    let by_input = clustered(&deviations, inputs.iter())?;
    let by_both = clustered(&deviations, rounds.iter().zip(inputs))?;
    let both = by_round.variance + by_input.variance - by_both.variance;
    let greater = by_round.variance.max(by_input.variance);
    let both = if both > 0.0 { both } else { greater };
    let half_width = |variance: f64, clusters: usize| {
        let quantile = student_quantile(two_sided, clusters.checked_sub(1)? as f64)?;
        Some(quantile * libm::sqrt(variance)).filter(|width| width.is_finite())
    };
    Some(TwoWay {
        centre: first + centre,
        rounds_half_width: half_width(by_round.variance, by_round.clusters)?,
        inputs_half_width: half_width(by_input.variance, by_input.clusters)?,
        both_half_width: half_width(both, by_round.clusters.min(by_input.clusters))?,
        rounds: u32::try_from(by_round.clusters).ok()?,
        inputs: u32::try_from(by_input.clusters).ok()?,
    })
}

struct Clustered {
    variance: f64,
    clusters: usize,
}

/// The variance of the mean when deviations of a cluster may depend on each other; `None` under
/// two clusters.
fn clustered<K: Ord>(deviations: &[f64], keys: impl Iterator<Item = K>) -> Option<Clustered> {
    let mut members = BTreeMap::<K, Vec<f64>>::new();
    for (deviation, key) in deviations.iter().zip(keys) {
        members.entry(key).or_default().push(*deviation);
    }
    let clusters = members.len();
    if clusters < 2 {
        return None;
    }
    let squares: Vec<f64> = members
        .values()
        .map(|members| {
            let total = sum(members);
            total * total
        })
        .collect();
    let count = deviations.len() as f64;
    let factor = clusters as f64 / (clusters - 1) as f64;
    Some(Clustered { variance: factor * sum(&squares) / (count * count), clusters })
}

#[cfg(test)]
mod tests {
    use super::two_way_interval;
    use crate::{Draws, standard_deviation, student_quantile, t_interval};

    fn close(found: f64, right: f64) {
        assert!((found / right - 1.0).abs() < 1e-12, "{found} {right}");
    }

    #[test]
    fn three_rounds_of_three_inputs_by_hand() {
        // Values less their mean 5: rounds sum to -6, 0, 6 and inputs to -3, -3, 6, squares 72 and
        // 54; squares of single values 162. Factors 3/2, 3/2, 9/8, and all over 9 squared.
        let table = [[2.0, 4.0, 3.0], [7.0, 6.0, 2.0], [3.0, 2.0, 16.0]];
        let (mut values, mut rounds, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for (round, row) in table.into_iter().enumerate() {
            for (input, value) in row.into_iter().enumerate() {
                values.push(value);
                rounds.push(round);
                inputs.push(["a", "b", "c"][input]);
            }
        }
        let found = two_way_interval(&values, &rounds, &inputs, 95.0).unwrap();
        let deviations: Vec<f64> = values.iter().map(|value| value - 5.0).collect();
        let squares = |sums: [f64; 3]| sums.iter().map(|sum| sum * sum).sum::<f64>();
        let of_rounds = squares([-6.0, 0.0, 6.0]);
        let of_inputs = squares([-3.0, -3.0, 6.0]);
        let of_values: f64 = deviations.iter().map(|value| value * value).sum();
        let t = student_quantile(0.05, 2.0).unwrap();
        let width = |variance: f64| t * libm::sqrt(variance / 81.0);
        close(found.centre, 5.0);
        close(found.rounds_half_width, width(1.5 * of_rounds));
        close(found.inputs_half_width, width(1.5 * of_inputs));
        // 108 + 81 - 1.125 * 162 = 6.75
        assert_eq!(of_values, 162.0);
        close(found.both_half_width, width(1.5 * of_rounds + 1.5 * of_inputs - 1.125 * of_values));
        assert_eq!((found.rounds, found.inputs), (3, 3));
    }

    #[test]
    fn a_negative_variance_falls_back_to_the_greater_one() {
        // rounds and inputs both sum to zero: only single values deviate
        let values = [1.0, -1.0, -1.0, 1.0];
        let found = two_way_interval(&values, &[0, 0, 1, 1], &[0, 1, 0, 1], 95.0).unwrap();
        assert_eq!((found.both_half_width, found.rounds_half_width), (0.0, 0.0));
        // rounds matter, single values more: (8 * 2 + 0 - 40 * 4/3) / 16 is below zero
        let values = [4.0, -2.0, -4.0, 2.0];
        let found = two_way_interval(&values, &[0, 0, 1, 1], &[0, 1, 0, 1], 95.0).unwrap();
        assert!(found.rounds_half_width > 0.0 && found.inputs_half_width == 0.0);
        assert_eq!(found.both_half_width, found.rounds_half_width);
    }

    #[test]
    fn inputs_that_never_come_back_add_nothing() {
        let values = [0.4, 1.0, 0.7, -0.2, 0.1, 0.9];
        let inputs = [0, 1, 2, 3, 4, 5];
        let found = two_way_interval(&values, &[0, 0, 1, 1, 2, 2], &inputs, 95.0).unwrap();
        close(found.both_half_width, found.rounds_half_width);
        // and with one value a round all of it is the t interval
        let found = two_way_interval(&values, &inputs, &inputs, 95.0).unwrap();
        let right = t_interval(&values, 95.0).unwrap();
        close(found.both_half_width, (right.hi - right.lo) / 2.0);
    }

    #[test]
    fn it_covers_where_rounds_and_inputs_both_matter_and_rounds_alone_do_not() {
        let mut draws = Draws::new(17, "two way");
        let (count, cells) = (600, 14);
        let mut covered = [0_u32; 3];
        for _ in 0..count {
            let of_round: Vec<f64> = (0..cells).map(|_| draws.normal()).collect();
            let of_input: Vec<f64> = (0..cells).map(|_| 2.0 * draws.normal()).collect();
            let (mut values, mut rounds, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
            for (round, a) in of_round.iter().enumerate() {
                for (input, b) in of_input.iter().enumerate() {
                    values.push(a + b + draws.normal());
                    rounds.push(round);
                    inputs.push(input);
                }
            }
            let found = two_way_interval(&values, &rounds, &inputs, 95.0).unwrap();
            let widths = [found.rounds_half_width, found.inputs_half_width, found.both_half_width];
            for (covered, width) in covered.iter_mut().zip(widths) {
                *covered += u32::from(found.centre.abs() <= width);
            }
        }
        // standard deviation of the count at 95 %: 5.3
        assert!(covered[2].abs_diff(570) < 16, "{covered:?}");
        assert!(covered[0] < 480, "rounds alone cover too little: {covered:?}");
    }

    #[test]
    fn what_has_no_interval_has_none() {
        let none: [(&[f64], &[u32], &[u32]); 7] = [
            (&[], &[], &[]),
            (&[1.0], &[0], &[0]),
            (&[1.0, 2.0], &[0, 0], &[0, 1]),
            (&[1.0, 2.0], &[0, 1], &[0, 0]),
            (&[1.0, 2.0], &[0, 1], &[0]),
            (&[1.0, f64::NAN], &[0, 1], &[0, 1]),
            (&[1.0, f64::INFINITY], &[0, 1], &[0, 1]),
        ];
        for (values, rounds, inputs) in none {
            assert_eq!(two_way_interval(values, rounds, inputs, 95.0), None, "{values:?}");
        }
        for confidence in [0.0, 100.0, f64::NAN] {
            assert_eq!(two_way_interval(&[1.0, 2.0], &[0, 1], &[0, 1], confidence), None);
        }
        let two = two_way_interval(&[1.0, 2.0], &[0, 1], &[0, 1], 95.0).unwrap();
        assert_eq!((two.centre, two.rounds, two.inputs), (1.5, 2, 2));
    }

    #[test]
    fn equal_values_have_no_width() {
        let values = vec![0.1; 100_000];
        let rounds: Vec<usize> = (0..values.len()).map(|index| index / 10).collect();
        let inputs: Vec<usize> = (0..values.len()).map(|index| index % 48).collect();
        let found = two_way_interval(&values, &rounds, &inputs, 95.0).unwrap();
        assert_eq!((found.centre, found.both_half_width), (0.1, 0.0));
        assert_eq!(standard_deviation(&values), Some(0.0));
    }
}
