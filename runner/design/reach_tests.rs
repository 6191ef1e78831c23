//! What registration asks of a design.

use super::noise::Spreads;
use super::reach::{Aim, REQUIRED_CHANCE, Reach, Reachable, reach_by};
use super::simulation::Simulation;
use super::test_plan::plan;
use crate::manifest::Plan;

/// Enough to tell the cases apart; the standard error of a chance of 0.8 is 0.013.
fn reach(plan: &Plan) -> Reach {
    reach_by(plan, None, 1_000)
}

#[test]
fn the_designs_own_example_is_reached() {
    let found = reach(&plan(16, 6));
    assert!(found.is_reached(), "{found:?}");
    assert_eq!(found.with_expected_effect.aim, Aim::Win);
    // Round 0.8 and block 3.0 / sqrt(6) percent, the latter a tenth more for trimming.
    assert!((found.round_value_sd_percent - 1.53).abs() < 0.06, "{found:?}");
}

#[test]
fn too_few_rounds_say_what_would_do() {
    let mut small = plan(8, 2);
    small.noise.assumed_block_sd_percent = 6.0;
    let level = reach(&small).without_effect;
    assert!(!level.is_reached());
    let (rounds, blocks) =
        (level.rounds_that_would_do.unwrap(), level.blocks_that_would_do.unwrap());
    assert!(rounds > 10 && blocks > 10, "{level:?}");
    assert_eq!(
        level.to_string(),
        format!(
            "level: 8 rounds give it 0 %; {rounds} rounds would give 80 %, or {blocks} blocks a round"
        )
    );
    // what is said to do does, and one less does not
    let chance = |rounds, blocks| {
        let mut other = small.clone();
        other.design.rounds = rounds;
        other.design.blocks_per_round = blocks;
        let simulation =
            Simulation::of(&other, None, Spreads::of(&other).round_value, 1_000).unwrap();
        simulation.under(&[0.0])[0].chances.level
    };
    assert!(chance(rounds, 2) >= REQUIRED_CHANCE && chance(rounds - 1, 2) < REQUIRED_CHANCE);
    assert!(chance(8, blocks) >= REQUIRED_CHANCE && chance(8, blocks - 1) < REQUIRED_CHANCE);
}

#[test]
fn a_negative_effect_aims_at_loss_and_a_small_one_at_level() {
    let mut other = plan(16, 6);
    other.noise.expected_effect_percent = -5.0;
    let found = reach(&other).with_expected_effect;
    assert_eq!(found.aim, Aim::Loss);
    assert!(found.is_reached(), "{found:?}");
    other.noise.expected_effect_percent = 0.5;
    let found = reach(&other).with_expected_effect;
    assert_eq!(found.aim, Aim::Level);
    assert!(found.chance < reach(&other).without_effect.chance);
}

#[test]
fn restarts_that_differ_too_much_are_not_helped_by_blocks() {
    let mut hopeless = plan(4, 2);
    hopeless.noise.assumed_round_sd_percent = 60.0;
    let found = reach(&hopeless).without_effect;
    assert_eq!((found.rounds_that_would_do, found.blocks_that_would_do), (None, None));
    assert_eq!(
        found.to_string(),
        "level: 4 rounds give it 0 %; no number of rounds up to 200 gives 80 %, nor do more blocks"
    );
}

#[test]
fn extremes_have_defined_chances() {
    for (rounds, blocks) in [(2, 6), (0, 0)] {
        assert_eq!(reach(&plan(rounds, blocks)).without_effect.chance, 0.0);
    }
    let mut silent = plan(8, 6);
    silent.noise.assumed_round_sd_percent = 0.0;
    silent.noise.assumed_block_sd_percent = 0.0;
    assert!(reach(&silent).is_reached());
    for sd in [f64::NAN, f64::INFINITY] {
        silent.noise.assumed_round_sd_percent = sd;
        let found = reach(&silent);
        assert_eq!((found.without_effect.chance, found.experiments), (0.0, 0));
        assert_eq!(found.without_effect.rounds_that_would_do, None);
    }
    let mut other = plan(8, 6);
    other.decision.margin_percent = f64::NAN;
    assert!(!reach(&other).is_reached());
    let mut other = plan(8, 6);
    other.noise.expected_effect_percent = f64::NAN;
    let found = reach(&other).with_expected_effect;
    assert_eq!(found.chance, 0.0);
    assert!(!found.to_string().contains("NaN"), "{found}");
}

#[test]
fn what_is_refused_never_reads_like_enough() {
    let short = |chance: f64| Reachable {
        aim: Aim::Win,
        true_effect_percent: 5.0,
        rounds: 1,
        chance,
        rounds_that_would_do: Some(9),
        most_rounds: 200,
        blocks_that_would_do: None,
    };
    assert_eq!(
        short(0.79999).to_string(),
        "win under a true effect of +5 %: 1 round gives it 79.9 %; 9 rounds would give 80 %"
    );
    assert_eq!(short(0.8).to_string(), "win under a true effect of +5 %: 1 round gives it 80 %");
}
