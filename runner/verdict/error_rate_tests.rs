//! Errors of the whole rule under no effect, simulated. Two identical builds must not differ
//! more often than the rule admits.

use super::Verdict;
use super::blocks::gather;
use super::comparison::Case;
use super::judge::paired;
use super::rules::Rules;
use super::ruling::rule;
use super::setting::Frame;
use super::test_evidence::{World, evidence};
use crate::design::test_plan::plan;
use crate::manifest::{Role, Spending, Stop, TimedWork};

const EXPERIMENTS: u64 = 400;

/// How often the rule calls a difference where there is none.
fn false_positives(rounds: u32, stop: &Stop, round_sd: f64, block_sd: f64) -> u64 {
    let mut plan = plan(rounds, 5);
    plan.stop = stop.clone();
    // Margin 0 makes every false positive visible; the aa arm's own test is left out.
    plan.decision.margin_percent = 0.0;
    plan.arms.retain(|arm| arm.role != Role::Aa);
    plan.workload.work = TimedWork::Decode { prompt_tokens: 8, decode_tokens: 8, chunk_tokens: 8 };
    // The rule's looks and what follows from the samples, without what is only described.
    let frame = Frame::new(Rules::NOW, &plan);
    (0..EXPERIMENTS)
        .filter(|&seed| {
            let mut world = World::quiet(seed, &[]);
            world.round_sd = round_sd;
            world.block_sd = block_sd;
            let samples = evidence(&plan, &world).samples;
            let blocks = gather(&samples, frame.reading());
            let settings = frame.settings(&blocks);
            let (setting, arm, pairs) = paired(&plan, &settings).remove(0);
            let case = Case::new(setting, arm, &pairs);
            let verdict = rule(&plan, &setting.question(arm), &case.followed).code.verdict();
            matches!(verdict, Verdict::Win | Verdict::Loss)
        })
        .count() as u64
}

/// Nominal 5 % of 400 is 20; the upper 99.9 % point of the binomial is 35.
const MOST: u64 = 35;

#[test]
fn no_effect_is_called_a_difference_no_more_often_than_admitted() {
    let fixed = Stop::Fixed { cap_minutes: 20.0 };
    for (rounds, round_sd, block_sd) in [(4, 0.0, 0.03), (8, 0.01, 0.03), (8, 0.03, 0.01)] {
        let found = false_positives(rounds, &fixed, round_sd, block_sd);
        assert!(found <= MOST, "{rounds} rounds, {round_sd}, {block_sd}: {found}");
        // And the interval is not so wide that it could never err.
        assert!(found >= 6, "{rounds} rounds, {round_sd}, {block_sd}: {found}");
    }
}

#[test]
fn looking_several_times_calls_no_more_differences_than_admitted() {
    let looks = Stop::GroupSequential {
        looks_at_rounds: vec![8, 10, 12, 14, 16],
        spending: Spending::Pocock,
        futility_percent: None,
        cap_minutes: 20.0,
    };
    let found = false_positives(16, &looks, 0.01, 0.03);
    assert!(found <= MOST, "{found}");
    assert!(found >= 3, "{found}");
}
