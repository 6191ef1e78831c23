//! The simulated rule against what is known of it.

use super::operating::{Operating, operating_by};
use super::simulation::{NotSimulated, Simulation};
use super::test_plan::{arm, plan, with_depths};
use super::time::TimeEstimate;
use crate::manifest::{InputScope, Plan, Role, Spending, Stop};
use crate::stats::{decision_chances, log_of_percent};

fn time(minutes: f64) -> TimeEstimate {
    TimeEstimate::Estimated { minutes, from: "before/20261129-120000".to_owned() }
}

fn of(plan: &Plan) -> Operating {
    operating_by(plan, None, time(8.0), 1_000).unwrap()
}

fn without_aa(mut plan: Plan) -> Plan {
    plan.arms.retain(|arm| arm.role != Role::Aa);
    plan
}

#[test]
fn power_is_that_of_the_paired_t_test() {
    // SciPy, noncentral t: n 12, effect one standard deviation, two-sided 5 %: 0.88289. With a
    // margin of zero a win is a significant positive mean; the other tail is under 1e-6.
    let mut plain = without_aa(plan(12, 1));
    plain.decision.margin_percent = 0.0;
    let sd = 0.03;
    let simulation = Simulation::of(&plain, None, sd, 10_000).unwrap();
    let found = simulation.under(&[sd, 0.5 * sd, 0.0]);
    // standard errors 0.0032, 0.0048, 0.0016
    assert!((found[0].chances.win - 0.882_891_6).abs() < 0.010, "{found:?}");
    assert!((found[1].chances.win - 0.352_824_1).abs() < 0.015, "{found:?}");
    assert!((found[2].chances.win - 0.025).abs() < 0.005, "{found:?}");
    assert!((found[2].chances.loss - 0.025).abs() < 0.005, "{found:?}");
}

#[test]
fn chances_are_those_of_integration() {
    let (rounds, sd, margin) = (9, 0.02, log_of_percent(2.0));
    let simulation = Simulation::of(&without_aa(plan(rounds, 1)), None, sd, 4_000).unwrap();
    let effects = [0.0, 0.01, 0.03, 0.05, -0.03];
    for (effect, found) in effects.into_iter().zip(simulation.under(&effects)) {
        let right = decision_chances(rounds, effect, sd, margin, 0.05).unwrap();
        let chances = found.chances;
        for (found, right) in
            [(chances.win, right.win), (chances.loss, right.loss), (chances.level, right.level)]
        {
            // four standard errors at most
            assert!((found - right).abs() < 0.03, "{effect}: {chances:?}");
        }
    }
}

fn with_looks(mut plan: Plan, futility_percent: Option<f64>) -> Plan {
    plan.stop = Stop::GroupSequential {
        looks_at_rounds: vec![8, 16],
        spending: Spending::OBrienFleming,
        futility_percent,
        cap_minutes: 20.0,
    };
    plan
}

#[test]
fn looks_stop_early_without_winning_too_often() {
    let margin = log_of_percent(2.0);
    let simulation = Simulation::of(&with_looks(plan(16, 6), None), None, 0.015, 4_000).unwrap();
    let found = simulation.under(&[0.0, margin, 3.0 * margin]);
    assert!(found[1].chances.win < 0.025 + 0.008, "{found:?}");
    assert!(found[2].rounds < 9.0 && found[2].chances.win > 0.98, "{found:?}");
    assert!((8.0..16.0).contains(&found[0].rounds), "{found:?}");
    // at the margin hardly anything is decided early
    assert!(found[1].rounds > 15.0, "{found:?}");
    let futile = with_looks(plan(16, 6), Some(20.0));
    let futile = Simulation::of(&futile, None, 0.015, 1_000).unwrap().under(&[margin])[0];
    assert!(futile.chances.parked_by_futility > 0.5 && futile.rounds < 13.0, "{futile:?}");
    assert!(futile.chances.parked_by_futility <= futile.chances.parked, "{futile:?}");
}

#[test]
fn a_family_runs_until_the_last_is_decided() {
    let one = with_looks(plan(16, 6), None);
    let mut three = with_depths(one.clone(), &[0, 512, 2048]);
    // the same intervals, so that only the waiting for the others differs
    three.decision.confidence_percent = 85.0;
    let effect = 2.0 * log_of_percent(2.0);
    let rounds =
        |plan: &Plan| Simulation::of(plan, None, 0.015, 1_000).unwrap().under(&[effect])[0].rounds;
    assert!(rounds(&three) > rounds(&one) + 1.0, "{} {}", rounds(&three), rounds(&one));
}

#[test]
fn a_confidence_sequence_looks_after_every_round_from_the_twentieth() {
    let mut endless = plan(40, 6);
    endless.stop = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 20.0 };
    let found = operating_by(&endless, None, time(8.0), 100).unwrap();
    assert_eq!((found.looks.len(), found.looks[0].rounds), (21, 20));
    assert!(found.rows.iter().all(|row| (20.0..=40.0).contains(&row.rounds)), "{found:?}");
    endless.design.rounds = 19;
    assert!(matches!(operating_by(&endless, None, time(8.0), 10), Err(NotSimulated::Looks(_))));
    let short = super::reach::reach_by(&endless, None, 100).without_effect;
    assert_eq!((short.chance, short.rounds_that_would_do), (0.0, None));
}

#[test]
fn chances_add_up_and_follow_the_effect() {
    let found = of(&plan(16, 6));
    assert_eq!(found.rows.len(), 10);
    for row in found.rows.iter().chain(&found.curve) {
        let c = row.chances;
        let all = c.win + c.loss + c.level + c.parked + c.void + c.insufficient;
        assert!((all - 1.0).abs() < 1e-9, "{row:?}");
        assert_eq!((row.rounds, row.minutes), (16.0, Some(8.0)));
    }
    // one noise for all effects: no chance of a win ever falls as the effect grows
    assert!(found.curve.is_sorted_by_key(|row| row.chances.win));
    assert!(found.curve.iter().rev().is_sorted_by_key(|row| row.chances.loss));
    let expected: Vec<_> = found.rows.iter().filter(|row| row.is_expected).collect();
    assert_eq!(expected.len(), 1);
    assert_eq!(expected[0].true_effect_percent, 5.0);
    assert_eq!(expected[0].chances.win, found.reach.with_expected_effect.chance);
    let none = found.rows.iter().find(|row| row.margins == Some(0.0)).unwrap();
    assert_eq!(none.chances.level, found.reach.without_effect.chance);
    assert_eq!(found, of(&plan(16, 6)));
}

#[test]
fn at_the_margin_a_win_is_as_rare_as_its_error() {
    let margin = log_of_percent(2.0);
    let simulation = Simulation::of(&plan(16, 6), None, 0.015, 4_000).unwrap();
    let found = simulation.under(&[margin, -margin]);
    for rate in [found[0].chances.win, found[1].chances.loss] {
        // 0.025, standard error 0.0025
        assert!((rate - 0.025).abs() < 0.008, "{found:?}");
    }
}

#[test]
fn an_aa_arm_voids_about_as_often_as_its_interval_is_wrong() {
    let simulation = Simulation::of(&plan(16, 6), None, 0.03, 4_000).unwrap();
    // 1 % of aa intervals leave out zero, and with this much noise nearly all of those estimates
    // are over half the margin
    let void = simulation.under(&[0.0])[0].chances.void;
    assert!((void - 0.01).abs() < 0.006, "{void}");
    let without = Simulation::of(&without_aa(plan(16, 6)), None, 0.03, 1_000).unwrap();
    assert_eq!(without.under(&[0.0])[0].chances.void, 0.0);
    let mut two = plan(16, 6);
    two.arms.push(arm("off-thrice", Role::Aa));
    let two = Simulation::of(&two, None, 0.03, 4_000).unwrap().under(&[0.0])[0].chances.void;
    assert!(two > 1.3 * void, "{two} {void}");
}

#[test]
fn a_family_shares_its_error_out() {
    let mut family = with_depths(plan(8, 6), &[0, 512]);
    family.arms.push(arm("faster", Role::Treatment));
    let found = of(&family);
    assert_eq!((found.family, found.confidence_of_one_percent), (4, 98.75));
    assert!(found.reach.without_effect.chance < of(&plan(8, 6)).reach.without_effect.chance);
}

#[test]
fn resolution_says_what_wins_and_what_falls_short() {
    let found = of(&plan(16, 6)).resolution;
    let effects: Vec<f64> = found.wins.iter().map(|one| one.effect_percent.unwrap()).collect();
    // By hand, spread 1.53 %: t(0.975, 15) 2.131 x 1.53 / 4 = 0.82 over the margin of 2 %, and
    // z(0.8) 0.84 and z(0.9) 1.28 standard errors of 0.38.
    assert!((effects[0] - 3.15).abs() < 0.1, "{effects:?}");
    assert!((effects[1] - 3.32).abs() < 0.1, "{effects:?}");
    assert!((found.half_width_percent.unwrap() - 0.82).abs() < 0.04);
    assert_eq!(found.rounds_for_margin, Some(5));
    assert!(found.rounds_for_level.is_some_and(|rounds| (5..=12).contains(&rounds)), "{found:?}");
    assert_eq!(found.shortfalls, []);
    let small = operating_by(&plan(4, 2), None, time(31.0), 300).unwrap().resolution;
    let texts: Vec<String> = small.shortfalls.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[0].starts_with("cannot resolve level within the cap, because it takes "));
    assert!(texts[0].ends_with(" rounds, and 4 are registered"), "{texts:?}");
    assert_eq!(
        texts[2],
        "cannot resolve anything within the cap, because all rounds take 31.0 min, and the cap \
         is 20 min"
    );
}

#[test]
fn extremes_are_defined() {
    let of = |plan: &Plan| operating_by(plan, None, time(8.0), 100).unwrap();
    let two = of(&plan(2, 6));
    assert!(two.rows.iter().all(|row| row.chances.insufficient == 1.0));
    assert_eq!(two.resolution.wins[0].effect_percent, None);
    let mut silent = plan(8, 6);
    silent.noise.assumed_round_sd_percent = 0.0;
    silent.noise.assumed_block_sd_percent = 0.0;
    let found = of(&silent);
    assert_eq!(found.resolution.half_width_percent, Some(0.0));
    assert!((found.resolution.wins[0].effect_percent.unwrap() - 2.0).abs() < 1e-9);
    for margin in [0.0, 1e-9, 1e6, 1e300] {
        let mut other = plan(8, 6);
        other.decision.margin_percent = margin;
        let json = serde_json::to_string(&of(&other)).unwrap();
        assert!(!json.contains("NaN"), "{json}");
    }
    let mut other = plan(8, 6);
    other.noise.expected_effect_percent = 0.0;
    assert_eq!(of(&other).rows.len(), 9);
    // an effect without a finite logarithm has no interval
    other.noise.expected_effect_percent = -100.0;
    let lost = of(&other).rows[0].chances;
    assert_eq!((lost.win, lost.loss, lost.level), (0.0, 0.0, 0.0), "{lost:?}");
    other.noise.expected_effect_percent = f64::NAN;
    assert_eq!(of(&other).rows.len(), 9);
    other.noise.assumed_block_sd_percent = f64::NAN;
    assert_eq!(operating_by(&other, None, time(1.0), 10), Err(NotSimulated::Noise));
    other = plan(8, 6);
    other.decision.margin_percent = -1.0;
    assert_eq!(operating_by(&other, None, time(1.0), 10), Err(NotSimulated::Margin));
}

fn of_a_class(mut plan: Plan) -> Plan {
    plan.design.input_scope = InputScope::Class;
    plan
}

#[test]
fn few_inputs_make_a_claim_about_their_class_harder() {
    let (set, class) = (plan(24, 6), of_a_class(plan(24, 6)));
    let of = |plan: &Plan, items| Simulation::of(plan, items, 0.03, 1_000).unwrap();
    // t(0.975, 7) 2.3646 against t(0.975, 23) 2.0687
    assert!((of(&class, Some(8)).quantile(0).unwrap() - 2.364_624).abs() < 1e-5);
    assert!((of(&set, Some(8)).quantile(0).unwrap() - 2.068_658).abs() < 1e-5);
    let ratio =
        of(&class, Some(8)).half_width(0).unwrap() / of(&set, Some(8)).half_width(0).unwrap();
    assert!((ratio - 2.364_624 / 2.068_658).abs() < 1e-5, "{ratio}");
    let effects = [0.0, 2.0 * log_of_percent(2.0)];
    let chances = |plan: &Plan, items| {
        let found = of(plan, items).under(&effects);
        (found[0].chances.level, found[1].chances.win)
    };
    let ((level, win), (set_level, set_win)) = (chances(&class, Some(8)), chances(&set, Some(8)));
    assert!(
        level < set_level - 0.02 && win < set_win - 0.02,
        "{level} {set_level} {win} {set_win}"
    );
    // as many inputs as rounds cost nothing; one has no interval
    for items in [None, Some(24), Some(48)] {
        assert_eq!(chances(&class, items), chances(&set, items));
    }
    assert_eq!(of(&class, Some(1)).half_width(0), None);
    assert_eq!(chances(&class, Some(1)), (0.0, 0.0));
    // what would do is searched with the same inputs
    let least = |plan: &Plan| {
        let mut small = plan.clone();
        small.design.rounds = 12;
        small.noise.assumed_block_sd_percent = 7.0;
        super::reach::reach_by(&small, Some(8), 1_000).without_effect
    };
    let (class, set) = (least(&class), least(&set));
    assert!(class.chance < set.chance, "{class:?} {set:?}");
    assert!(class.rounds_that_would_do > set.rounds_that_would_do, "{class:?} {set:?}");
}

#[test]
fn each_look_has_the_inputs_visited_by_then() {
    let class = of_a_class(with_looks(plan(16, 1), None));
    let set = with_looks(plan(16, 1), None);
    let quantile = |plan: &Plan, place| {
        Simulation::of(plan, Some(10), 0.015, 10).unwrap().quantile(place).unwrap()
    };
    // 8 rounds have seen 8 inputs, 16 have seen all 10
    assert_eq!(quantile(&class, 0), quantile(&set, 0));
    assert!(quantile(&class, 1) > quantile(&set, 1) + 0.05);
}

#[test]
fn work_is_bounded_whatever_the_plan() {
    let of = |rounds: u32, arms: u64, values: u32| {
        let mut large = with_looks(plan(rounds, 1), None);
        large.stop = Stop::GroupSequential {
            looks_at_rounds: vec![rounds / 2, rounds],
            spending: Spending::OBrienFleming,
            futility_percent: None,
            cap_minutes: 20.0,
        };
        let more =
            (large.arms.len() as u64..arms).map(|one| arm(&format!("arm-{one}"), Role::Treatment));
        large.arms.extend(more);
        let large = with_depths(large, &(0..values).collect::<Vec<u32>>());
        // off's draws among them
        let draws = u64::from(rounds) * arms * u64::from(values);
        (Simulation::of(&large, None, 0.015, 10_000).map(|found| found.experiments()), draws)
    };
    // arms, off included, each draw one value a round
    for (rounds, arms, values, experiments) in
        [(16, 3, 1, 10_000), (1_000, 12, 1, 1_000), (1_000, 64, 1, 200), (10_000, 64, 1, 37)]
    {
        let (found, draws) = of(rounds, arms, values);
        assert_eq!(found, Ok(experiments), "{rounds} rounds, {arms} arms");
        assert!(u64::from(experiments) * draws <= 24_000_000);
    }
    let (refused, draws) = of(10_000, 64, 10);
    assert_eq!(refused, Err(NotSimulated::TooLarge { draws, most: 1_200_000 }));
    let mut endless = plan(u32::MAX, u32::MAX);
    endless.design.input_scope = InputScope::Class;
    let reach = super::reach::reach_by(&endless, None, 10_000);
    assert!(!reach.is_reached() && reach.not_simulated.is_some(), "{reach:?}");
    assert_eq!(reach.without_effect.blocks_that_would_do, None);
}
