//! The bootstrap as a whole: what it refuses, what it does not depend on, what it covers.

use super::{NoBootstrap, Resampling};
use crate::{Draws, mean, median, trimmed_mean};

const SMALL: Resampling = Resampling { draws: 400, seed: 5 };

#[test]
fn what_cannot_be_resampled_is_refused_with_its_reason() {
    let refused = |values: &[f64]| SMALL.of_values(values).unwrap_err();
    assert_eq!(refused(&[]), NoBootstrap::TooFewUnits);
    assert_eq!(refused(&[1.0]), NoBootstrap::TooFewUnits);
    assert_eq!(refused(&[1.0, 1.0]), NoBootstrap::NoSpread);
    assert_eq!(refused(&vec![0.1; 1_000_000]), NoBootstrap::NoSpread);
    assert_eq!(refused(&[1.0, f64::NAN]), NoBootstrap::NotFinite);
    assert_eq!(refused(&[1.0, f64::INFINITY]), NoBootstrap::NotFinite);
    assert_eq!(refused(&[f64::MAX, f64::MAX, -f64::MAX]), NoBootstrap::NotFinite);
    let none = Resampling { draws: 0, seed: 5 };
    assert_eq!(none.of_values(&[1.0, 2.0]).unwrap_err(), NoBootstrap::NoDraws);
    let clusters: [&[f64]; 2] = [&[1.0], &[]];
    let refused = SMALL.of_cluster_means(&clusters, mean).unwrap_err();
    assert_eq!(refused, NoBootstrap::NoStatistic);
    let refused = SMALL.of_clusters(&clusters, |_| None).unwrap_err();
    assert_eq!(refused, NoBootstrap::NoStatistic);
    let refused = SMALL.of_clusters(&clusters, |_| Some(f64::NAN)).unwrap_err();
    assert_eq!(refused, NoBootstrap::NotFinite);
    let refused = SMALL.of_clusters(&clusters, |_| Some(1.0)).unwrap_err();
    assert_eq!(refused, NoBootstrap::NoSpread);
}

#[test]
fn intervals_that_do_not_exist_say_why() {
    let resampled = SMALL.of_values(&[1.0, 2.0, 4.0]).unwrap();
    for confidence in [0.0, 100.0, f64::NAN] {
        assert_eq!(resampled.percentile(confidence).unwrap_err(), NoBootstrap::Confidence);
        assert_eq!(resampled.basic(confidence).unwrap_err(), NoBootstrap::Confidence);
        assert_eq!(resampled.bca(confidence).unwrap_err(), NoBootstrap::Confidence);
    }
    // Of twenty different values no resample here holds all twenty.
    let values: Vec<f64> = (0..20).map(f64::from).collect();
    let clusters: Vec<&[f64]> = values.chunks(1).collect();
    let different = |sample: &[&[f64]]| {
        let mut values: Vec<f64> = sample.iter().map(|cluster| cluster[0]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        Some(values.len() as f64)
    };
    let resampled = SMALL.of_clusters(&clusters, different).unwrap();
    assert_eq!(resampled.bca(95.0).unwrap_err(), NoBootstrap::BiasUndefined);
    assert!(resampled.percentile(95.0).unwrap().hi < 20.0);
    // Leaving out any one of 1, 1, 4, 4 leaves the range.
    let clusters: [&[f64]; 4] = [&[1.0], &[1.0], &[4.0], &[4.0]];
    let range = |sample: &[&[f64]]| {
        let values = sample.iter().map(|cluster| cluster[0]);
        Some(values.clone().fold(0.0, f64::max) - values.fold(9.0, f64::min))
    };
    let resampled = SMALL.of_clusters(&clusters, range).unwrap();
    assert_eq!(resampled.bca(95.0).unwrap_err(), NoBootstrap::AccelerationUndefined);
    assert_eq!(resampled.percentile(95.0).unwrap().hi, 3.0);
}

#[test]
fn two_values_have_an_interval() {
    let found = SMALL.of_values(&[1.0, 3.0]).unwrap().bca(95.0).unwrap();
    assert_eq!((found.estimate, found.lo, found.hi), (2.0, 1.0, 3.0));
}

#[test]
fn shift_and_scale_move_the_interval_with_them() {
    let values = [3.0, 9.5, 1.0, 4.0, 12.0, 5.0, 2.0, 7.0];
    let found = SMALL.of_values(&values).unwrap();
    let moved = SMALL.of_values(&values.map(|value| value * 8.0 + 64.0)).unwrap();
    for (one, other) in [
        (found.bca(90.0), moved.bca(90.0)),
        (found.percentile(90.0), moved.percentile(90.0)),
        (found.basic(90.0), moved.basic(90.0)),
    ] {
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!((one.lo * 8.0 + 64.0 - other.lo).abs() < 1e-12);
        assert!((one.hi * 8.0 + 64.0 - other.hi).abs() < 1e-12);
        assert_eq!(other.resampling, SMALL);
    }
}

#[test]
fn clusters_of_one_value_are_the_values() {
    let values = [3.0, 9.5, 1.0, 4.0, 12.0];
    let clusters: Vec<&[f64]> = values.chunks(1).collect();
    let by_cluster = SMALL.of_cluster_means(&clusters, trimmed_mean).unwrap();
    assert_eq!(by_cluster, SMALL.of_values(&values).unwrap());
}

#[test]
fn a_statistic_of_clusters_agrees_with_the_mean_of_values() {
    let values = [10.0, 12.0, 13.9, 21.0, 23.0, 50.0, 89.0, 134.0];
    let clusters: Vec<&[f64]> = values.chunks(1).collect();
    let resampling = Resampling { draws: 20_000, seed: 3 };
    let fast = resampling.of_values(&values).unwrap().bca(90.0).unwrap();
    let general = resampling
        .of_clusters(&clusters, |sample| {
            mean(&sample.iter().flat_map(|cluster| cluster.iter().copied()).collect::<Vec<_>>())
        })
        .unwrap();
    let general = general.bca(90.0).unwrap();
    assert!((fast.lo / general.lo - 1.0).abs() < 0.04, "{fast:?} {general:?}");
    assert!((fast.hi / general.hi - 1.0).abs() < 0.04, "{fast:?} {general:?}");
    let middle = resampling
        .of_clusters(&clusters, |sample| {
            median(&sample.iter().flat_map(|cluster| cluster.iter().copied()).collect::<Vec<_>>())
        })
        .unwrap();
    assert_eq!(middle.estimate(), 22.0);
    assert!(middle.percentile(90.0).unwrap().lo >= 10.0);
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let mut draws = Draws::new(1, "values");
    let values: Vec<f64> = (0..600).map(|_| draws.normal()).collect();
    let found = Resampling { draws: 100, seed: 20_261_129 }.of_values(&values).unwrap();
    let interval = found.bca(90.0).unwrap();
    let bits = (interval.lo.to_bits(), interval.hi.to_bits());
    assert_eq!(bits, (0xbf83_fa92_233a_45e4, 0x3fbc_2a20_259b_499a), "{interval:?}");
}

#[test]
fn large_samples_have_the_normal_interval() {
    // 600 values share places between resamples: the interval is that of theory all the same.
    let mut draws = Draws::new(2, "values");
    let values: Vec<f64> = (0..600).map(|_| draws.normal()).collect();
    let found = Resampling { draws: 4_000, seed: 1 }.of_values(&values).unwrap();
    let student = crate::t_interval(&values, 95.0).unwrap();
    let interval = found.bca(95.0).unwrap();
    // An end's own error at 4,000 draws is about 0.04 standard errors of the mean.
    let tolerance = 0.2 * (student.hi - student.mean) / 1.96;
    assert!((interval.lo - student.lo).abs() < tolerance, "{interval:?} {student:?}");
    assert!((interval.hi - student.hi).abs() < tolerance, "{interval:?} {student:?}");
}
