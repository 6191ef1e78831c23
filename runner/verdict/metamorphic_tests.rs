//! What may not change a verdict, and what must turn it round.

use super::test_evidence::{World, evidence};
use super::{Comparison, Evidence, Verdict, judge};
use crate::design::test_plan::{arm, plan};
use crate::manifest::{ArmName, Plan, Role};

fn three_treatments() -> (Plan, Evidence) {
    let mut plan = plan(8, 6);
    plan.arms.push(arm("slow", Role::Treatment));
    plan.arms.push(arm("same", Role::Treatment));
    let world = World::quiet(21, &[("fast", 0.05), ("slow", -0.06)]);
    let evidence = evidence(&plan, &world);
    (plan, evidence)
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
    let (plan, evidence) = three_treatments();
    let right = [("fast", Verdict::Win), ("same", Verdict::Level), ("slow", Verdict::Loss)];
    let right: Vec<_> = right.into_iter().map(|(arm, verdict)| (arm.to_owned(), verdict)).collect();
    assert_eq!(verdicts(&plan, &evidence), right);
}

#[test]
fn reordering_arms_or_rows_changes_no_verdict() {
    let (mut plan, mut evidence) = three_treatments();
    let before = verdicts(&plan, &evidence);
    plan.arms.reverse();
    evidence.samples.reverse();
    assert_eq!(verdicts(&plan, &evidence), before);
}

#[test]
fn renaming_arms_changes_no_verdict() {
    let (mut plan, mut evidence) = three_treatments();
    let before: Vec<Verdict> =
        judge(&plan, &evidence).comparisons.iter().map(|found| found.verdict).collect();
    // Names sort the other way round afterwards.
    let renamed = |name: &str| format!("{}-{name}", 9 - name.len());
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

#[test]
fn swapping_treatment_and_off_turns_a_win_into_a_loss() {
    let plan = plan(8, 6);
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
    let (plan, mut evidence) = three_treatments();
    let before = judge(&plan, &evidence);
    for row in &mut evidence.samples {
        row.nanoseconds *= 1000;
    }
    let after = judge(&plan, &evidence);
    for (left, right) in before.comparisons.iter().zip(&after.comparisons) {
        assert_eq!(left.verdict, right.verdict);
        for (left, right) in numbers(left).into_iter().zip(numbers(right)) {
            assert!((left - right).abs() < 1e-12);
        }
    }
}

#[test]
fn the_order_of_chunks_within_a_block_changes_nothing() {
    let (plan, mut evidence) = three_treatments();
    let before = judge(&plan, &evidence);
    for row in &mut evidence.samples {
        row.chunk = 5 - row.chunk;
    }
    assert_eq!(judge(&plan, &evidence), before);
}
