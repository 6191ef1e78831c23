//! What must not matter: the order of the values, their unit, their origin.

use super::{
    Draws, hodges_lehmann_interval, mad_marks, mann_whitney, quantile_interval, sign_counts,
    sign_flip_p, sign_test_p, signed_rank_p, t_interval, trimmed_mean_interval,
};

/// An estimate with its ends, by the name of its method.
type Ends = (&'static str, [f64; 3]);

fn intervals(values: &[f64]) -> Vec<Ends> {
    let mean = t_interval(values, 95.0).unwrap();
    let trimmed = trimmed_mean_interval(values, 95.0).unwrap();
    let ranks = hodges_lehmann_interval(values, 95.0).unwrap();
    let median = quantile_interval(values, 0.5, 90.0).unwrap();
    vec![
        ("t", [mean.lo, mean.mean, mean.hi]),
        ("trimmed", [trimmed.lo, trimmed.mean, trimmed.hi]),
        ("Hodges-Lehmann", [ranks.lo, ranks.estimate, ranks.hi]),
        ("median", [median.lo, median.estimate, median.hi]),
    ]
}

fn sample(n: usize) -> Vec<f64> {
    let mut draws = Draws::new(17, "metamorphic");
    (0..n).map(|_| draws.normal() + 0.3).collect()
}

fn same(one: &[Ends], other: &[Ends], change: impl Fn(f64) -> f64) {
    for ((name, ends), (_, found)) in one.iter().zip(other) {
        for (end, found) in ends.iter().zip(found) {
            assert!((change(*end) - found).abs() < 1e-9, "{name}: {} {found}", change(*end));
        }
    }
}

#[test]
fn order_does_not_matter() {
    for n in [9, 40, 60] {
        let values = sample(n);
        let mut shuffled = values.clone();
        Draws::new(3, "order").shuffle(&mut shuffled);
        same(&intervals(&values), &intervals(&shuffled), |end| end);
        assert_eq!(signed_rank_p(&values), signed_rank_p(&shuffled));
        assert_eq!(sign_test_p(sign_counts(&values)), sign_test_p(sign_counts(&shuffled)));
        let (first, second) = values.split_at(n / 2);
        let mut reversed = first.to_vec();
        reversed.reverse();
        assert_eq!(mann_whitney(first, second), mann_whitney(&reversed, second));
    }
    let values = sample(12);
    let mut shuffled = values.clone();
    shuffled.reverse();
    assert_eq!(sign_flip_p(&values, 0, 0), sign_flip_p(&shuffled, 0, 0));
}

#[test]
fn intervals_move_with_origin_and_unit() {
    for n in [9, 60] {
        let values = sample(n);
        let moved: Vec<f64> = values.iter().map(|value| value * 1024.0 - 7.0).collect();
        same(&intervals(&values), &intervals(&moved), |end| end * 1024.0 - 7.0);
        let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
        let turned: Vec<Ends> = intervals(&mirrored)
            .into_iter()
            .map(|(name, [lo, estimate, hi])| (name, [-hi, -estimate, -lo]))
            .collect();
        same(&intervals(&values), &turned, |end| end);
    }
}

#[test]
fn ranks_see_no_rising_transformation() {
    let (first, second) = (sample(8), sample(20).split_off(9));
    let bent = |values: &[f64]| -> Vec<f64> { values.iter().map(|v| libm::exp(*v)).collect() };
    assert_eq!(mann_whitney(&first, &second), mann_whitney(&bent(&first), &bent(&second)));
}

#[test]
fn a_stall_moves_the_mean_and_not_the_others() {
    let mut values = sample(40);
    let before = intervals(&values);
    values[7] = 1e6;
    let after = intervals(&values);
    for ((name, [_, estimate, _]), (_, [lo, _, hi])) in before.iter().zip(&after) {
        let near = lo <= estimate && estimate <= hi && hi - lo < 2.0;
        assert_eq!(near, *name != "t", "{name}: {lo} {hi}");
    }
    assert_eq!(mad_marks(&values, 10.0).unwrap().high, [7]);
}

#[test]
fn a_million_equal_values_are_level() {
    let values = vec![0.1; 1_000_000];
    for (name, ends) in intervals(&values) {
        assert_eq!(ends, [0.1; 3], "{name}");
    }
}
