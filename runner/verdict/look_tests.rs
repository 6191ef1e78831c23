//! Rules that look more than once: what each look sees, and what it ends.

use sample_table::SampleRow;

use super::test_evidence::{World, evidence};
use super::{
    Comparison, Evidence, LookOutcome, ReasonCode, RunEnd, RunSummary, Verdict, judge, look_after,
};
use crate::design::test_plan::{arm, plan};
use crate::manifest::{InputScope, Plan, Role, Spending, Stop};
use crate::stats::student_quantile;

fn looks(places: &[u32], futility_percent: Option<f64>) -> Stop {
    Stop::GroupSequential {
        looks_at_rounds: places.to_vec(),
        spending: Spending::Pocock,
        futility_percent,
        cap_minutes: 20.0,
    }
}

/// Looks after 8, 12 and 16 rounds of 4 blocks.
fn sequential() -> Plan {
    let mut plan = plan(16, 4);
    plan.stop = looks(&[8, 12, 16], None);
    plan
}

fn run(effect: f64) -> (Plan, Evidence) {
    let plan = sequential();
    let evidence = evidence(&plan, &World::quiet(41, &[("fast", effect)]));
    (plan, evidence)
}

fn only(plan: &Plan, evidence: &Evidence) -> Comparison {
    let mut comparisons = judge(plan, evidence).comparisons;
    assert_eq!(comparisons.len(), 1);
    comparisons.remove(0)
}

fn outcomes(found: &Comparison) -> Vec<(u32, LookOutcome)> {
    found.looks.iter().map(|look| (look.rounds, look.outcome)).collect()
}

/// Changes the times of one arm in some rounds by a factor.
fn slow(evidence: &mut Evidence, arm: &str, rounds: std::ops::Range<u32>, factor: f64) {
    let rows = evidence.samples.iter_mut();
    for row in rows.filter(|row| row.arm == arm && rounds.contains(&row.round)) {
        row.nanoseconds = (row.nanoseconds as f64 * factor) as u64;
    }
}

fn stopped(evidence: &mut Evidence, look: u32, rounds: u32) {
    evidence.samples.retain(|row| row.round < rounds);
    evidence.facts.end = RunEnd::StoppedAtLook { look, rounds, detail: String::new() };
}

#[test]
fn a_comparison_ends_at_the_first_look_that_decides_it() {
    use LookOutcome::{GoOn, Level, Loss, Undecided, Win};
    for (effect, verdict, right) in [
        (0.06, Verdict::Win, vec![(8, Win)]),
        (-0.06, Verdict::Loss, vec![(8, Loss)]),
        (0.0, Verdict::Level, vec![(8, Level)]),
        (0.0198, Verdict::Parked, vec![(8, GoOn), (12, GoOn), (16, Undecided)]),
    ] {
        let (plan, evidence) = run(effect);
        let found = only(&plan, &evidence);
        assert_eq!((found.verdict, outcomes(&found)), (verdict, right));
        let last = found.looks.last().unwrap();
        assert_eq!((found.rounds, found.blocks), (last.rounds, 4 * last.rounds));
        let effect = found.effect.as_ref().unwrap();
        assert_eq!((effect.lo, effect.hi, effect.n), (last.lo, last.hi, last.units));
        assert_eq!((effect.confidence_percent, found.holm_p), (95.0, None));
        assert!(found.looks.iter().all(|look| look.nominal_p < 0.05));
    }
}

#[test]
fn a_look_has_the_registered_estimate_of_its_rounds_and_its_own_quantile() {
    let (plan, mut evidence) = run(0.0198);
    let found = only(&plan, &evidence);
    for look in &found.looks {
        // The fixed rule on the same rounds gives the same estimate and spread.
        let mut fixed = plan.clone();
        fixed.design.rounds = look.rounds;
        fixed.stop = Stop::Fixed { cap_minutes: 20.0 };
        evidence.samples =
            super::test_evidence::evidence(&plan, &World::quiet(41, &[("fast", 0.0198)])).samples;
        evidence.samples.retain(|row| row.round < look.rounds);
        let same = only(&fixed, &evidence).effect.unwrap();
        assert_eq!(same.log_ratio, look.log_ratio);
        let units = f64::from(look.units);
        let quantile = student_quantile(look.nominal_p, units - 1.0).unwrap();
        let half_width = quantile * same.sd / units.sqrt();
        assert!((look.hi.unwrap() - look.log_ratio - half_width).abs() < 1e-15);
        assert!((look.log_ratio - look.lo.unwrap() - half_width).abs() < 1e-15);
    }
}

#[test]
fn what_comes_after_the_deciding_look_changes_nothing() {
    let mut plan = sequential();
    plan.arms.push(arm("other", Role::Treatment));
    let world = World::quiet(42, &[("fast", 0.06), ("other", 0.0198)]);
    let mut evidence = evidence(&plan, &world);
    let before = judge(&plan, &evidence);
    assert_eq!(outcomes(&before.comparisons[0]), [(8, LookOutcome::Win)]);
    assert_eq!(before.comparisons[1].looks.len(), 3);
    // The effect goes away, and comes back as its opposite.
    slow(&mut evidence, "fast", 8..16, 1.3);
    let after = judge(&plan, &evidence);
    assert_eq!(after.comparisons[0], before.comparisons[0]);
    assert_eq!((after.rounds_judged, after.comparisons[0].rounds), (16, 8));
}

#[test]
fn level_waits_until_the_aa_arm_allows_it() {
    let (plan, mut evidence) = run(0.0);
    // Unquiet in the first rounds alone: in turn too slow and too fast.
    for round in 0..4 {
        let factor = if round % 2 == 0 { 0.96 } else { 1.04 };
        slow(&mut evidence, "off-again", round..round + 1, factor);
    }
    let found = only(&plan, &evidence);
    assert_eq!(outcomes(&found)[0], (8, LookOutcome::GoOn));
    assert_eq!((found.verdict, found.looks.len() > 1), (Verdict::Level, true));
    // At the last look it is the reason.
    slow(&mut evidence, "off-again", 0..2, 0.5);
    let found = only(&plan, &evidence);
    assert_eq!(found.reason.code, ReasonCode::AaTooWideForLevel);
    assert_eq!(outcomes(&found).last(), Some(&(16, LookOutcome::Undecided)));
}

#[test]
fn while_the_aa_arm_is_biased_nothing_stops() {
    let (plan, mut evidence) = run(0.06);
    slow(&mut evidence, "off-again", 0..8, 1.014);
    let found = only(&plan, &evidence);
    assert_eq!(outcomes(&found)[0], (8, LookOutcome::GoOn));
    // Over all rounds it is not biased any more.
    assert_eq!((found.verdict, found.looks.len() > 1), (Verdict::Win, true));
    slow(&mut evidence, "off-again", 8..16, 1.014);
    let found = only(&plan, &evidence);
    assert_eq!(found.reason.code, ReasonCode::AaBias);
    assert_eq!(found.looks.len(), 3);
}

#[test]
fn futility_parks_a_comparison_and_says_how_small_the_chance_is() {
    let (mut plan, evidence) = run(0.0198);
    plan.stop = looks(&[8, 12, 16], Some(30.0));
    let found = only(&plan, &evidence);
    assert_eq!((found.verdict, found.reason.code), (Verdict::Parked, ReasonCode::Futile));
    assert_eq!(outcomes(&found), [(8, LookOutcome::Futile)]);
    let chance = found.looks[0].chance_of_decision.unwrap();
    assert!(chance < 0.3);
    let words = format!("the chance of a decision by the last look is {:.1} %", 100.0 * chance);
    assert!(found.reason.text.contains(&words), "{}", found.reason.text);
    assert!(found.reason.text.contains("under the registered 30 %"));
    assert!(found.reason.text.contains("a second registration"));
    // A far effect is never futile.
    let (_, evidence) = run(0.06);
    assert_eq!(only(&plan, &evidence).verdict, Verdict::Win);
}

#[test]
fn a_run_that_its_rule_stopped_is_judged_as_complete() {
    let (plan, mut evidence) = run(0.06);
    let whole = only(&plan, &evidence);
    stopped(&mut evidence, 1, 8);
    let analysis = judge(&plan, &evidence);
    assert_eq!((analysis.summary, analysis.rounds_judged), (RunSummary::Judged, 8));
    assert_eq!(analysis.comparisons[0], whole);
}

#[test]
fn a_run_that_says_it_stopped_where_its_rule_goes_on_is_broken() {
    let open = run(0.0198);
    let clear = run(0.06);
    for ((plan, evidence), look, rounds, words) in [
        (&open, 1, 8, "there the registered rule goes on"),
        (&open, 2, 12, "there the registered rule goes on"),
        (&clear, 1, 9, "there the registered rule goes on"),
        (&clear, 2, 8, "there the registered rule goes on"),
    ] {
        let mut evidence = evidence.clone();
        stopped(&mut evidence, look, rounds);
        let found = only(plan, &evidence);
        assert_eq!(found.verdict, Verdict::Incomplete, "look {look}, {rounds} rounds");
        assert!(found.reason.text.contains(words), "{}", found.reason.text);
    }
    // The right look, but not its rounds.
    let (plan, mut evidence) = clear;
    stopped(&mut evidence, 1, 8);
    evidence.samples.retain(|row| row.round != 3 || row.block != 1);
    let found = only(&plan, &evidence);
    assert_eq!(found.reason.code, ReasonCode::RunBroken);
    assert!(found.reason.text.contains("7 of 16 registered rounds"), "{}", found.reason.text);
    // The fixed rule stops nowhere.
    let (mut plan, mut evidence) = run(0.06);
    plan.stop = Stop::Fixed { cap_minutes: 20.0 };
    stopped(&mut evidence, 1, 8);
    assert_eq!(only(&plan, &evidence).reason.code, ReasonCode::RunBroken);
}

#[test]
fn a_run_that_ends_between_looks_keeps_the_looks_that_it_took() {
    let (plan, mut evidence) = run(0.0198);
    evidence.samples.retain(|row| row.round < 14);
    evidence.facts.end = RunEnd::OverBudget { detail: "20 of 20 minutes".to_owned() };
    let found = only(&plan, &evidence);
    assert_eq!(found.reason.code, ReasonCode::OverBudget);
    assert_eq!(outcomes(&found), [(8, LookOutcome::GoOn), (12, LookOutcome::GoOn)]);
    assert_eq!((found.rounds, found.effect.unwrap().n), (12, 12));
    // Before the first look there is an estimate, and no look.
    evidence.samples.retain(|row| row.round < 5);
    let found = only(&plan, &evidence);
    assert_eq!((found.reason.code, found.looks.len()), (ReasonCode::OverBudget, 0));
    assert_eq!(found.effect.unwrap().n, 5);
}

#[test]
fn a_round_that_is_not_whole_holds_every_later_look() {
    let (plan, mut evidence) = run(0.0198);
    evidence.samples.retain(|row| row.round != 9 || row.block != 0);
    evidence.facts.end = RunEnd::Broken { detail: "disk full".to_owned() };
    assert_eq!(outcomes(&only(&plan, &evidence)), [(8, LookOutcome::GoOn)]);
}

#[test]
fn without_spread_no_look_decides() {
    let plan = sequential();
    let mut world = World::quiet(43, &[("fast", 0.06)]);
    world.round_sd = 0.0;
    world.block_sd = 0.0;
    let found = only(&plan, &evidence(&plan, &world));
    assert_eq!(found.reason.code, ReasonCode::ResolutionLimited);
    assert_eq!(
        outcomes(&found),
        [(8, LookOutcome::GoOn), (12, LookOutcome::GoOn), (16, LookOutcome::Undecided)]
    );
}

/// Flags the first two blocks of these rounds; `fast` is a little slower in them.
fn flag(evidence: &mut Evidence, rounds: std::ops::Range<u32>) {
    let flagged = |row: &&mut SampleRow| row.block < 2 && rounds.contains(&row.round);
    for row in evidence.samples.iter_mut().filter(flagged) {
        row.flags = "pressure".to_owned();
        if row.arm == "fast" {
            row.nanoseconds = (row.nanoseconds as f64 * 1.03) as u64;
        }
    }
}

#[test]
fn a_look_at_which_both_analyses_disagree_stops_nothing() {
    let (mut plan, mut evidence) = run(0.036);
    plan.gate.contaminated_percent = 60.0;
    flag(&mut evidence, 0..8);
    let found = only(&plan, &evidence);
    // Quiet rounds settle it.
    let outcomes = outcomes(&found);
    assert_eq!(outcomes[0], (8, LookOutcome::GoOn));
    assert_eq!(outcomes.last().map(|last| last.1), Some(LookOutcome::Win));
    assert_eq!(found.verdict, Verdict::Win, "{:?}", found.reason);
    let kept = found.effect_with_flagged.unwrap();
    assert!(kept.lo.unwrap() > 0.0198, "{kept:?}");
}

#[test]
fn analyses_that_disagree_at_the_last_look_are_parked() {
    let (mut plan, mut evidence) = run(0.03);
    plan.gate.contaminated_percent = 60.0;
    flag(&mut evidence, 0..16);
    let found = only(&plan, &evidence);
    assert_eq!(outcomes(&found).last(), Some(&(16, LookOutcome::Win)));
    assert_eq!((found.verdict, found.reason.code), (Verdict::Parked, ReasonCode::AnalysesDisagree));
    assert_eq!(found.effect_with_flagged.unwrap().n, 16);
}

#[test]
fn a_look_over_the_cap_on_flagged_blocks_stops_nothing() {
    let (plan, mut evidence) = run(0.06);
    flag(&mut evidence, 0..4);
    // 8 of 32 blocks are over the cap of 20 %, 8 of 48 are not.
    let found = only(&plan, &evidence);
    assert_eq!(outcomes(&found), [(8, LookOutcome::GoOn), (12, LookOutcome::Win)]);
    assert_eq!(found.verdict, Verdict::Win, "{:?}", found.reason);
}

#[test]
fn a_look_needs_as_many_rounds_with_a_block_as_the_first_look_has() {
    let (mut plan, mut evidence) = run(0.06);
    plan.gate.contaminated_percent = 60.0;
    for row in evidence.samples.iter_mut().filter(|row| row.round < 3) {
        row.flags = "pressure".to_owned();
    }
    let found = only(&plan, &evidence);
    assert_eq!(outcomes(&found), [(8, LookOutcome::GoOn), (12, LookOutcome::Win)]);
    assert!(found.claim.contains("after 12 rounds (9 with accepted blocks)"), "{}", found.claim);
    for row in evidence.samples.iter_mut().filter(|row| row.round < 9) {
        row.flags = "pressure".to_owned();
    }
    let found = only(&plan, &evidence);
    assert_eq!(found.reason.code, ReasonCode::TooFewRounds, "{:?}", found.reason);
    assert!(found.reason.text.contains("a verdict needs 8 or more"), "{:?}", found.reason);
}

#[test]
fn a_comparison_that_ended_does_not_share_in_the_cap_on_minutes() {
    let mut plan = sequential();
    plan.arms.push(arm("other", Role::Treatment));
    let world = World::quiet(42, &[("fast", 0.06), ("other", 0.0198)]);
    let mut evidence = evidence(&plan, &world);
    evidence.samples.retain(|row| row.round < 10);
    evidence.facts.end = RunEnd::OverBudget { detail: "20 of 20 minutes".to_owned() };
    let found = judge(&plan, &evidence).comparisons;
    assert_eq!(found[0].verdict, Verdict::Win, "{:?}", found[0].reason);
    assert_eq!(found[1].reason.code, ReasonCode::OverBudget);
}

#[test]
fn a_resumed_part_is_a_unit_at_its_look() {
    let (plan, mut evidence) = run(0.06);
    for row in evidence.samples.iter_mut().filter(|row| row.round == 4 && row.block >= 2) {
        row.segment += 100;
    }
    let found = only(&plan, &evidence);
    assert_eq!((found.rounds, found.looks[0].units), (8, 9));
    assert!(found.claim.contains("stopped at look 1 of 3, after 8 rounds in 9 parts"));
}

#[test]
fn looks_while_the_run_goes_on_are_those_of_the_judgement() {
    let mut plan = sequential();
    plan.arms.push(arm("other", Role::Treatment));
    let world = World::quiet(44, &[("fast", 0.06), ("other", -0.0195)]);
    let evidence = evidence(&plan, &world);
    let judged = judge(&plan, &evidence);
    for rounds in 0..=16 {
        let seen: Vec<SampleRow> =
            evidence.samples.iter().filter(|row| row.round < rounds).cloned().collect();
        let look = look_after(&plan, &seen, &[], rounds);
        assert_eq!(look.is_some(), [8, 12, 16].contains(&rounds), "after {rounds}");
        let Some(look) = look else { continue };
        for (standing, comparison) in look.standings.iter().zip(&judged.comparisons) {
            let of_record = comparison.looks.iter().rfind(|figure| figure.look <= look.look);
            assert_eq!(standing.arm, comparison.arm);
            assert_eq!(standing.look, of_record.unwrap().look);
            assert_eq!(standing.outcome, of_record.unwrap().outcome);
        }
        assert_eq!(look.end(), None, "`other` is open");
    }
    // Its fault lets the run stop where the other comparison has.
    let fault = super::ArmFault {
        arm: "other".to_owned(),
        kind: super::ArmFaultKind::Crashed,
        detail: "signal 11".to_owned(),
        round: Some(7),
    };
    let seen: Vec<SampleRow> =
        evidence.samples.iter().filter(|row| row.round < 8).cloned().collect();
    let look = look_after(&plan, &seen, std::slice::from_ref(&fault), 8).unwrap();
    assert!(matches!(look.end(), Some(RunEnd::StoppedAtLook { look: 1, rounds: 8, .. })));
    // With nobody left to hold it up, it is not the rule that stops.
    let both = [fault.clone(), super::ArmFault { arm: "fast".to_owned(), ..fault }];
    assert_eq!(look_after(&plan, &seen, &both, 8).unwrap().end(), None);
}

#[test]
fn a_long_confidence_sequence_stores_every_fifth_look_and_the_last() {
    let mut plan = plan(70, 2);
    plan.stop = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 20.0 };
    let run = evidence(&plan, &World::quiet(45, &[("fast", 0.0198)]));
    let found = only(&plan, &run);
    let stored: Vec<u32> = found.looks.iter().map(|look| look.look).collect();
    assert_eq!(stored, [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 51]);
    assert!(found.claim.contains("at the last of 51 looks, after 70 rounds"), "{}", found.claim);
    // One that ends early stores them all.
    let run = evidence(&plan, &World::quiet(45, &[("fast", 0.1)]));
    let found = only(&plan, &run);
    assert_eq!((found.verdict, found.rounds, found.looks.len()), (Verdict::Win, 20, 1));
}

#[test]
fn a_claim_about_a_class_has_the_widest_interval_at_each_look() {
    let (mut plan, evidence) = run(0.06);
    let narrow = only(&plan, &evidence);
    plan.design.input_scope = InputScope::Class;
    let mut varied = evidence.clone();
    // The effect depends on the input, and each round has its share of every sort.
    for row in &mut varied.samples {
        row.input = format!("item-{}", row.block + 4 * (row.round % 2));
        if row.arm == "fast" {
            let gain = if row.block < 2 { 0.97 } else { 1.03 };
            row.nanoseconds = (row.nanoseconds as f64 * gain) as u64;
        }
    }
    let found = only(&plan, &varied);
    let class = found.class_intervals.as_ref().unwrap();
    assert!(class.inputs_half_width > class.rounds_half_width, "{class:?}");
    let widest = class.rounds_half_width.max(class.inputs_half_width).max(class.both_half_width);
    let effect = found.effect.as_ref().unwrap();
    assert!((effect.hi.unwrap() - effect.log_ratio - widest).abs() < 1e-15);
    assert!(
        found.claim.contains("on inputs of the class dense_throughput (as sampled by prose-48)")
    );
    assert_eq!(narrow.class_intervals, None);
    // Four inputs speak for no class.
    for row in &mut varied.samples {
        row.input = format!("item-{}", row.block);
    }
    let found = only(&plan, &varied);
    assert_eq!(
        (found.verdict, found.reason.code),
        (Verdict::Insufficient, ReasonCode::TooFewInputs)
    );
    assert!(found.looks.iter().all(|look| look.outcome != LookOutcome::Win));
    assert!(found.reason.text.starts_with("4 different inputs"), "{}", found.reason.text);
}
