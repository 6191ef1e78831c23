//! Descriptions of runs whose truth is known.

use sample_table::SampleRow;

use super::{DescribeInputs, describe};
use crate::design::test_plan::{arm, plan, with_depths};
use crate::manifest::{InputScope, Plan, Role};
use crate::rule::{Decision, decide};
use crate::stats::{log_of_percent, mean};
use crate::verdict::blocks::{gather, work_of};
use crate::verdict::description::{Description, Estimator, EstimatorFigure, Test};
use crate::verdict::estimate::estimate;
use crate::verdict::pairs::pair;
use crate::verdict::test_evidence::{World, evidence};

pub(super) fn described(plan: &Plan, samples: &[SampleRow]) -> Description {
    with_inputs(plan, samples, describe)
}

/// What `of` makes of the run.
pub(super) fn with_inputs<T>(
    plan: &Plan,
    samples: &[SampleRow],
    of: impl Fn(&DescribeInputs<'_>) -> T,
) -> T {
    let blocks = gather(samples, work_of(plan, plan.metric.primary));
    let pairs = pair(&blocks, 0, "off", "fast", plan.design.blocks_per_round);
    let accepted = pairs.accepted();
    of(&DescribeInputs {
        plan,
        pairs: &accepted,
        samples,
        arm: "fast",
        condition: 0,
        confidence_percent: 95.0,
        margin: log_of_percent(plan.decision.margin_percent),
        registered: &estimate(&accepted, 95.0).unwrap(),
    })
}

pub(super) fn of_world(plan: &Plan, world: &World) -> Description {
    described(plan, &evidence(plan, world).samples)
}

fn figure(description: &Description, estimator: Estimator) -> &EstimatorFigure {
    description.estimators.iter().find(|figure| figure.estimator == estimator).unwrap()
}

fn finite(value: &toml::Value) -> bool {
    match value {
        toml::Value::Float(number) => number.is_finite(),
        toml::Value::Array(items) => items.iter().all(finite),
        toml::Value::Table(table) => table.values().all(finite),
        _ => true,
    }
}

/// No NaN, and a record gives back what went in.
pub(super) fn is_sound(description: &Description) {
    let value = toml::Value::try_from(description).unwrap();
    assert!(finite(&value), "{description:?}");
    let text = toml::to_string(description).unwrap();
    assert_eq!(&toml::from_str::<Description>(&text).unwrap(), description);
}

#[test]
fn every_pair_stands_in_its_round() {
    let plan = plan(8, 6);
    let found = of_world(&plan, &World::quiet(1, &[("fast", 0.05)]));
    assert_eq!(found.rounds.len(), 8);
    for (round, figure) in found.rounds.iter().enumerate() {
        assert_eq!((figure.round as usize, figure.part, figure.blocks.len()), (round, 0, 6));
        let mut ordered = figure.blocks.clone();
        ordered.sort_by(f64::total_cmp);
        // a quarter of six blocks is one from each end
        assert!((figure.value - mean(&ordered[1..5]).unwrap()).abs() < 1e-12);
    }
    is_sound(&found);
}

#[test]
fn a_resumed_round_has_parts_and_one_without_a_block_still_counts() {
    let plan = plan(4, 6);
    let mut samples = evidence(&plan, &World::quiet(2, &[("fast", 0.05)])).samples;
    for row in samples.iter_mut().filter(|row| row.round == 2 && row.block >= 2) {
        row.segment += if row.block < 4 { 10 } else { 20 };
    }
    for row in samples.iter_mut().filter(|row| row.round == 2 && row.block < 2) {
        row.flags = "pressure".to_owned();
    }
    let found = described(&plan, &samples);
    let parts: Vec<(u32, u32)> =
        found.rounds.iter().map(|figure| (figure.round, figure.part)).collect();
    assert_eq!(parts, [(0, 0), (1, 0), (2, 1), (2, 2), (3, 0)]);
}

#[test]
fn the_registered_estimator_stands_first_and_pooling_hides_what_pairing_shows() {
    let plan = plan(8, 6);
    let found = of_world(&plan, &World::quiet(3, &[("fast", 0.04)]));
    let first = &found.estimators[0];
    assert_eq!((first.estimator, first.decision), (Estimator::TrimmedRounds, Some(Decision::Win)));
    assert_eq!(figure(&found, Estimator::MeanRounds).decision, Some(Decision::Win));
    // inputs differ by 10 %, in both arms alike
    assert_eq!(figure(&found, Estimator::PooledBlocks).decision, Some(Decision::Undecided));
    let gain = found.pairing.as_ref().unwrap();
    assert!(gain.correlation.unwrap() > 0.95, "{gain:?}");
    let factor = gain.blocks_factor.unwrap();
    assert!(factor > 20.0, "{gain:?}");
    let ratio = gain.pooled_standard_error / gain.paired_standard_error;
    assert!((factor - ratio * ratio).abs() < 1e-9 * factor);
}

#[test]
fn all_rounds_on_one_side_give_the_least_p() {
    let found = of_world(&plan(8, 6), &World::quiet(4, &[("fast", 0.05)]));
    let tests: Vec<(Test, Option<f64>, &str)> =
        found.tests.iter().map(|found| (found.test, found.p, found.method.as_str())).collect();
    let least = Some(2.0 / 256.0);
    assert_eq!(tests[0], (Test::SignedRank, least, "exact"));
    assert_eq!((tests[1].0, tests[1].2), (Test::Sign, "exact"));
    assert!((tests[1].1.unwrap() - 2.0 / 256.0).abs() < 1e-12);
    assert_eq!(tests[2], (Test::SignFlip, least, "exact"));
}

#[test]
fn where_the_clock_resolves_no_spread_nothing_is_decided() {
    let plan = plan(8, 6);
    for effect in [0.0, 0.05] {
        let mut world = World::quiet(5, &[("fast", effect)]);
        (world.round_sd, world.block_sd) = (0.0, 0.0);
        let found = of_world(&plan, &world);
        for figure in &found.estimators {
            if figure.estimator != Estimator::PooledBlocks {
                assert_eq!(figure.decision, None, "{figure:?}");
            }
        }
        assert!(found.estimators[0].lo.is_some());
        assert_eq!(found.pairing.as_ref().unwrap().blocks_factor, None);
        assert_eq!(found.tests[1].p.is_some(), effect > 0.0, "{:?}", found.tests);
        is_sound(&found);
    }
}

#[test]
fn one_block_and_one_round_are_defined() {
    for (rounds, blocks) in [(1, 1), (1, 6), (2, 1), (3, 2)] {
        let found = of_world(&plan(rounds, blocks), &World::quiet(6, &[("fast", 0.05)]));
        assert_eq!(found.rounds.len(), rounds as usize);
        assert_eq!(found.pairing.is_some(), rounds * blocks > 1);
        if rounds == 1 {
            assert_eq!(found.estimators[0].decision, None);
            assert_eq!(figure(&found, Estimator::MeanRounds).lo, None);
        }
        is_sound(&found);
    }
}

#[test]
fn very_many_blocks_are_left_to_the_samples() {
    let mut wide = plan(20, 60);
    let world = World::quiet(7, &[("fast", 0.05)]);
    let samples = evidence(&wide, &world).samples;
    let found = described(&wide, &samples);
    assert!(found.rounds.iter().all(|round| round.blocks.len() == 60));
    // two comparisons of 1,200 blocks each do not fit
    wide.arms.push(arm("other", Role::Control));
    let found = described(&wide, &samples);
    assert_eq!(found.rounds.len(), 20);
    assert!(found.rounds.iter().all(|round| round.blocks.is_empty()));
    let found = described(&with_depths(plan(20, 60), &[0, 512]), &samples);
    assert!(found.rounds.iter().all(|round| round.blocks.is_empty()));
}

#[test]
fn every_estimator_has_an_interval_from_enough_rounds() {
    let found = of_world(&plan(16, 6), &World::quiet(9, &[("fast", 0.05)]));
    let all = [
        Estimator::TrimmedRounds,
        Estimator::MeanRounds,
        Estimator::HodgesLehmannRounds,
        Estimator::BcaRounds,
        Estimator::PercentileRounds,
        Estimator::TrimmedBlocks,
        Estimator::PooledBlocks,
    ];
    assert_eq!(found.estimators.iter().map(|found| found.estimator).collect::<Vec<_>>(), all);
    for figure in &found.estimators {
        let (lo, hi) = (figure.lo.unwrap(), figure.hi.unwrap());
        assert!(lo < figure.log_ratio && figure.log_ratio < hi, "{figure:?}");
        assert!((figure.log_ratio - 0.05).abs() < 0.02, "{figure:?}");
        assert_eq!(figure.decision, Some(decide(lo, hi, log_of_percent(2.0))));
    }
    let flip = &found.tests[2];
    assert!(flip.p.unwrap() < 0.001);
    assert!(flip.method.starts_with("sampled, 10000 draws, seed "), "{flip:?}");
}

#[test]
fn of_a_class_of_inputs_only_the_registered_estimator_decides() {
    let mut plan = plan(16, 6);
    let world = World::quiet(9, &[("fast", 0.05)]);
    let of_set = of_world(&plan, &world);
    plan.design.input_scope = InputScope::Class;
    let of_class = of_world(&plan, &world);
    assert_eq!(of_class.estimators[0], of_set.estimators[0]);
    assert_eq!(of_class.estimators.len(), of_set.estimators.len());
    for (class, set) in of_class.estimators.iter().zip(&of_set.estimators).skip(1) {
        assert!(set.decision.is_some());
        assert_eq!(class, &EstimatorFigure { decision: None, ..set.clone() });
    }
    is_sound(&of_class);
}

#[test]
fn the_draws_follow_from_the_plan() {
    let mut plan = plan(16, 6);
    let samples = evidence(&plan, &World::quiet(8, &[("fast", 0.01)])).samples;
    let first = described(&plan, &samples);
    assert_eq!(described(&plan, &samples), first);
    plan.design.order_seed += 1;
    let other = described(&plan, &samples);
    assert_ne!(figure(&other, Estimator::BcaRounds), figure(&first, Estimator::BcaRounds));
    assert_eq!(figure(&other, Estimator::MeanRounds), figure(&first, Estimator::MeanRounds));
    assert_ne!(other.tests[2].method, first.tests[2].method);
}
