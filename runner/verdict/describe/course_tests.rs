//! Course, spread and outliers of runs whose truth is known.

use sample_table::{SampleRow, Work};

use super::course::course;
use super::describe_tests::{described, is_sound, of_world, with_inputs};
use super::units::units;
use crate::design::test_plan::plan;
use crate::manifest::{Metric, TimedWork};
use crate::verdict::description::{Description, ShiftFigure};
use crate::verdict::test_evidence::{World, evidence};

/// The run with each sample of an arm slowed by a factor.
fn slowed(arm: &str, by: impl Fn(u32, u32, u32) -> f64) -> Description {
    changed(10, |row| {
        let meant = arm.is_empty() || row.arm == arm;
        if meant { by(row.round, row.block, row.place) } else { 1.0 }
    })
}

/// The run over so many rounds with each sample slowed by a factor.
fn changed(rounds: u32, by: impl Fn(&SampleRow) -> f64) -> Description {
    let plan = plan(rounds, 6);
    let mut samples = evidence(&plan, &World::quiet(21, &[("fast", 0.05)])).samples;
    for row in samples.iter_mut().filter(|row| row.work == Work::Decode) {
        row.nanoseconds = (row.nanoseconds as f64 * by(row)) as u64;
    }
    let found = described(&plan, &samples);
    is_sound(&found);
    found
}

/// The shift that is named over 24 rounds: `fast` is slower by a tenth before one round, and both
/// arms by half before the other.
fn shift_of(fast_before: u32, both_before: u32) -> Option<ShiftFigure> {
    let found = changed(24, |row| {
        let of_fast = if row.arm == "fast" && row.round < fast_before { 1.1 } else { 1.0 };
        of_fast * if row.round < both_before { 1.5 } else { 1.0 }
    });
    found.course.unwrap().shift
}

#[test]
fn a_quiet_run_has_no_course_worth_a_name() {
    let course = slowed("", |_, _, _| 1.0).course.unwrap();
    assert!(course.trend.abs() < 0.01 && course.trend_p.unwrap() > 0.01, "{course:?}");
    assert_eq!(course.shift, None);
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
fn a_shift_of_either_series_is_named_after_the_blocks_before_it() {
    let of_one = shift_of(10, 0).unwrap();
    assert_eq!((of_one.series.as_str(), of_one.after_block), ("log_ratio", 60));
    assert!((of_one.size - 0.095).abs() < 0.01 && of_one.p < 0.001, "{of_one:?}");
    let of_both = shift_of(0, 10).unwrap();
    assert_eq!((of_both.series.as_str(), of_both.after_block), ("off", 60));
    // inputs differ too, by 10 %
    assert!((of_both.size - 0.405).abs() < 0.05 && of_both.p < 0.001, "{of_both:?}");
}

#[test]
fn of_two_shifts_the_one_with_the_lower_p_is_named() {
    let series = |found: Option<ShiftFigure>| found.map(|shift| (shift.series, shift.after_block));
    assert_eq!(series(shift_of(8, 12)), Some(("off".to_owned(), 72)));
    assert_eq!(series(shift_of(12, 8)), Some(("log_ratio".to_owned(), 72)));
    assert_eq!(series(shift_of(12, 12)), Some(("log_ratio".to_owned(), 72)), "as low a p");
}

#[test]
fn blocks_that_a_sensor_flagged_do_not_count_before_a_shift() {
    let plan = plan(24, 6);
    let mut samples = evidence(&plan, &World::quiet(21, &[("fast", 0.05)])).samples;
    for row in &mut samples {
        if row.arm == "fast" && row.round < 12 {
            row.nanoseconds = (row.nanoseconds as f64 * 1.1) as u64;
        }
        if (row.round, row.block) == (3, 2) {
            row.flags = "pressure".to_owned();
        }
    }
    assert_eq!(described(&plan, &samples).course.unwrap().shift.unwrap().after_block, 71);
}

/// Blocks of a round share its restart. Were they taken for independent, a tenth of these runs
/// and more would have a shift.
#[test]
fn restarts_that_differ_are_no_shift() {
    let mut plan = plan(16, 6);
    plan.workload.work =
        TimedWork::Decode { prompt_tokens: 32, decode_tokens: 48, chunk_tokens: 48 };
    let named = (0..200)
        .filter(|seed| {
            let mut world = World::quiet(1_000 + seed, &[]);
            (world.round_sd, world.block_sd) = (0.01, 0.01);
            let samples = evidence(&plan, &world).samples;
            let course = with_inputs(&plan, &samples, |inputs| {
                course(inputs, &units(inputs.pairs, inputs.samples))
            });
            course.unwrap().shift.is_some()
        })
        .count();
    assert!(named <= 8, "{named} of 200");
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
    assert_eq!(course.shift, None);
    is_sound(&found);
}
