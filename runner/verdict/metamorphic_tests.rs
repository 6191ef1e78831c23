//! What may not change a verdict, and what must turn it round.

use super::test_evidence::{World, evidence};
use super::{Comparison, Evidence, LookOutcome, Verdict, judge};
use crate::design::test_plan::{arm, plan};
use crate::manifest::{ArmName, InputScope, Plan, Role, Spending, Stop};

/// Three treatments under the fixed rule, with looks, and with a claim about a class of inputs.
fn three_treatments() -> Vec<(Plan, Evidence)> {
    let mut fixed = plan(16, 6);
    fixed.arms.push(arm("slow", Role::Treatment));
    fixed.arms.push(arm("same", Role::Treatment));
    let mut looks = fixed.clone();
    looks.stop = looks_of(&[8, 16]);
    let mut class = looks.clone();
    class.design.input_scope = InputScope::Class;
    let world = World::quiet(21, &[("fast", 0.05), ("slow", -0.06)]);
    let plans = [fixed, looks, class].into_iter();
    plans
        .map(|plan| {
            let evidence = evidence(&plan, &world);
            (plan, evidence)
        })
        .collect()
}

fn looks_of(places: &[u32]) -> Stop {
    Stop::GroupSequential {
        looks_at_rounds: places.to_vec(),
        spending: Spending::OBrienFleming,
        futility_percent: Some(10.0),
        cap_minutes: 20.0,
    }
}

fn verdicts(plan: &Plan, evidence: &Evidence) -> Vec<(String, Verdict)> {
    let mut found: Vec<(String, Verdict)> =
        judge(plan, evidence).comparisons.into_iter().map(|c| (c.arm, c.verdict)).collect();
    found.sort();
    found
}

fn numbers(found: &Comparison) -> [f64; 3] {
    let effect = found.effect.as_ref().unwrap();
    [effect.log_ratio, effect.lo.unwrap(), effect.hi.unwrap()]
}

#[test]
fn three_arms_have_three_verdicts() {
    let right = [("fast", Verdict::Win), ("same", Verdict::Level), ("slow", Verdict::Loss)];
    let right: Vec<_> = right.into_iter().map(|(arm, verdict)| (arm.to_owned(), verdict)).collect();
    for (plan, evidence) in three_treatments() {
        assert_eq!(verdicts(&plan, &evidence), right);
    }
}

#[test]
fn reordering_arms_or_rows_changes_no_verdict() {
    for (mut plan, mut evidence) in three_treatments() {
        let before = verdicts(&plan, &evidence);
        plan.arms.reverse();
        evidence.samples.reverse();
        assert_eq!(verdicts(&plan, &evidence), before);
    }
}

#[test]
fn renaming_arms_changes_no_verdict() {
    // Names sort the other way round afterwards.
    let renamed = |name: &str| format!("{}-{name}", 9 - name.len());
    for (mut plan, mut evidence) in three_treatments() {
        let before: Vec<Verdict> =
            judge(&plan, &evidence).comparisons.iter().map(|found| found.verdict).collect();
        for arm in &mut plan.arms {
            arm.name = ArmName::try_from(renamed(arm.name.as_str())).unwrap();
        }
        for row in &mut evidence.samples {
            row.arm = renamed(&row.arm);
        }
        for finding in &mut evidence.facts.contracts {
            finding.arm = renamed(&finding.arm);
        }
        let after: Vec<Verdict> =
            judge(&plan, &evidence).comparisons.iter().map(|found| found.verdict).collect();
        assert_eq!(after, before);
    }
}

#[test]
fn swapping_treatment_and_off_turns_a_win_into_a_loss() {
    for (stop, scope) in [
        (Stop::Fixed { cap_minutes: 20.0 }, InputScope::Set),
        (looks_of(&[8, 16]), InputScope::Set),
        (looks_of(&[8, 16]), InputScope::Class),
    ] {
        let mut plan = plan(16, 6);
        plan.stop = stop;
        plan.design.input_scope = scope;
        swapped(plan);
    }
}

fn swapped(plan: Plan) {
    let mut evidence = evidence(&plan, &World::quiet(22, &[("fast", 0.05), ("off-again", 0.0)]));
    let before = judge(&plan, &evidence);
    assert_eq!(before.comparisons[0].verdict, Verdict::Win);
    for row in &mut evidence.samples {
        row.arm = match row.arm.as_str() {
            "off" => "fast".to_owned(),
            "fast" => "off".to_owned(),
            _ => continue,
        };
    }
    // The aa arm goes with the old off; it would show a bias, which is right.
    let mut swapped = plan.clone();
    swapped.arms.retain(|arm| arm.role != Role::Aa);
    let after = judge(&swapped, &evidence);
    assert_eq!(after.comparisons[0].verdict, Verdict::Loss);
    let ([estimate, lo, hi], [turned, turned_lo, turned_hi]) =
        (numbers(&before.comparisons[0]), numbers(&after.comparisons[0]));
    assert!((estimate + turned).abs() < 1e-12);
    assert!((lo + turned_hi).abs() < 1e-12 && (hi + turned_lo).abs() < 1e-12);
}

#[test]
fn the_unit_of_time_changes_nothing() {
    for (plan, mut evidence) in three_treatments() {
        let before = judge(&plan, &evidence);
        for row in &mut evidence.samples {
            row.nanoseconds *= 1000;
        }
        let after = judge(&plan, &evidence);
        for (left, right) in before.comparisons.iter().zip(&after.comparisons) {
            assert_eq!(left.verdict, right.verdict);
            let outcomes = |found: &Comparison| -> Vec<LookOutcome> {
                found.looks.iter().map(|look| look.outcome).collect()
            };
            assert_eq!(outcomes(left), outcomes(right));
            for (left, right) in numbers(left).into_iter().zip(numbers(right)) {
                assert!((left - right).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_order_of_chunks_within_a_block_changes_nothing() {
    for (plan, mut evidence) in three_treatments() {
        let before = judge(&plan, &evidence);
        for row in &mut evidence.samples {
            row.chunk = 5 - row.chunk;
        }
        assert_eq!(judge(&plan, &evidence), before);
    }
}

#[test]
fn a_wider_claim_never_has_a_narrower_interval() {
    let [fixed, looks, class] = three_treatments().try_into().unwrap();
    let width = |(plan, evidence): &(Plan, Evidence)| {
        let [_, lo, hi] = numbers(&judge(plan, evidence).comparisons[0]);
        hi - lo
    };
    assert!(width(&looks) > width(&fixed));
    assert!(width(&class) >= width(&looks));
}
