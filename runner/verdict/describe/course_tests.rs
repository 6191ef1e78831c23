//! Course, spread and outliers of runs whose truth is known.

use sample_table::Work;

use super::describe_tests::{described, is_sound, of_world};
use crate::design::test_plan::plan;
use crate::manifest::{Metric, TimedWork};
use crate::verdict::description::Description;
use crate::verdict::test_evidence::{World, evidence};

/// The run with each sample of an arm slowed by a factor.
fn slowed(arm: &str, by: impl Fn(u32, u32, u32) -> f64) -> Description {
    let plan = plan(10, 6);
    let mut samples = evidence(&plan, &World::quiet(21, &[("fast", 0.05)])).samples;
    for row in samples.iter_mut().filter(|row| row.work == Work::Decode) {
        if arm.is_empty() || row.arm == arm {
            let factor = by(row.round, row.block, row.place);
            row.nanoseconds = (row.nanoseconds as f64 * factor) as u64;
        }
    }
    let found = described(&plan, &samples);
    is_sound(&found);
    found
}

#[test]
fn a_quiet_run_has_no_course_worth_a_name() {
    let course = slowed("", |_, _, _| 1.0).course.unwrap();
    assert!(course.trend.abs() < 0.01 && course.trend_p.unwrap() > 0.01, "{course:?}");
    assert!(course.shift.is_none_or(|shift| shift.series == "off"));
    assert_eq!(course.places.len(), 3);
    assert!(course.places.iter().all(|place| place.log_rate.abs() < 0.001));
    assert!(course.effective_rounds.unwrap() <= 10.0);
}

#[test]
fn a_drift_of_one_arm_is_seen_and_of_both_it_is_not() {
    let drift = |round, _, _| 1.0 - 0.004 * f64::from(round);
    let of_one = slowed("fast", drift).course.unwrap();
    assert!((of_one.trend - 0.037).abs() < 0.006, "{of_one:?}");
    assert!(of_one.trend_p.unwrap() < 1e-4);
    let of_both = slowed("", drift).course.unwrap();
    assert!(of_both.trend.abs() < 0.006 && of_both.trend_p.unwrap() > 0.01, "{of_both:?}");
}

#[test]
fn a_shift_of_the_log_ratio_is_named_before_one_of_off() {
    let late = |round, _, _| if round < 4 { 1.10 } else { 1.0 };
    let of_one = slowed("fast", late).course.unwrap().shift.unwrap();
    assert_eq!((of_one.series.as_str(), of_one.after_block), ("log_ratio", 24));
    assert!((of_one.size - 0.095).abs() < 0.01 && of_one.p < 1e-6, "{of_one:?}");
    let larger = |round, _, _| if round < 4 { 1.60 } else { 1.0 };
    let of_both = slowed("", larger).course.unwrap().shift.unwrap();
    // inputs differ too, by 10 %
    assert!(of_both.series == "off" && of_both.after_block.abs_diff(24) <= 2, "{of_both:?}");
}

#[test]
fn the_place_in_a_chunk_is_told_apart_from_the_arm() {
    let course = slowed("", |_, _, place| 1.0 + 0.02 * f64::from(place)).course.unwrap();
    let rates: Vec<f64> = course.places.iter().map(|place| place.log_rate).collect();
    for (rate, right) in rates.iter().zip([0.0196, 0.0, -0.0196]) {
        assert!((rate - right).abs() < 0.002, "{rates:?}");
    }
    assert!(course.places_p.unwrap() < 1e-6);
}

#[test]
fn a_stalled_block_is_marked_where_it_stands() {
    let stall = |round, block, _| if (round, block) == (3, 2) { 10.0 } else { 1.0 };
    let found = slowed("fast", stall).outliers.unwrap();
    assert_eq!((found.count, found.of, found.marked.len()), (1, 60, 1));
    assert!(found.marked[0].starts_with("round 3, block 2: -89."), "{found:?}");
}

#[test]
fn the_spread_has_a_chunk_level_only_where_work_is_cut() {
    let mut plan = plan(10, 6);
    let spread = of_world(&plan, &World::quiet(22, &[("fast", 0.05)])).spread.unwrap();
    assert!(spread.chunk_sd.is_some());
    plan.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
    plan.metric.primary = Metric::PrefillTokensPerSecond;
    let found = of_world(&plan, &World::quiet(22, &[("fast", 0.05)]));
    let spread = found.spread.as_ref().unwrap();
    assert_eq!(spread.chunk_sd, None);
    assert!((spread.block_sd - 0.005).abs() < 0.002, "{spread:?}");
    is_sound(&found);
}

#[test]
fn what_the_clock_does_not_resolve_has_no_course() {
    let mut world = World::quiet(23, &[("fast", 0.05)]);
    (world.round_sd, world.block_sd) = (0.0, 0.0);
    let found = of_world(&plan(8, 6), &world);
    let course = found.course.as_ref().unwrap();
    assert_eq!((course.trend, course.trend_p, course.lag_1), (0.0, None, None));
    assert!(found.outliers.is_none());
    assert!(course.shift.as_ref().is_none_or(|shift| shift.series == "off"));
    is_sound(&found);
}
