//! The rule as a whole: each outcome, and what takes precedence over it.

use engine_protocol::OperationCount;

use super::test_evidence::{World, evidence};
use super::{
    Analysis, ArmFault, ArmFaultKind, Comparison, ContractFinding, ContractState, Engagement,
    Evidence, ReasonCode, RunEnd, RunSummary, Verdict, judge, judge_under,
};
use crate::design::test_plan::{arm, plan, with_depths};
use crate::manifest::{Expectation, Plan, Role};

fn run(effect: f64) -> (Plan, Evidence) {
    let plan = plan(8, 6);
    let evidence = evidence(&plan, &World::quiet(1, &[("fast", effect)]));
    (plan, evidence)
}

fn only(analysis: &Analysis) -> &Comparison {
    assert_eq!(analysis.comparisons.len(), 1);
    &analysis.comparisons[0]
}

fn code(plan: &Plan, evidence: &Evidence) -> ReasonCode {
    only(&judge(plan, evidence)).reason.code
}

fn fault(arm: &str) -> ArmFault {
    ArmFault {
        arm: arm.to_owned(),
        kind: ArmFaultKind::Crashed,
        detail: "signal 11".to_owned(),
        round: Some(3),
    }
}

#[test]
fn a_true_effect_wins_and_its_numbers_stand_beside_it() {
    let (plan, evidence) = run(0.05);
    let analysis = judge(&plan, &evidence);
    let found = only(&analysis);
    assert_eq!((found.verdict, found.reason.code), (Verdict::Win, ReasonCode::AboveMargin));
    assert_eq!((found.rounds, found.blocks, found.blocks_without_number), (8, 48, 0));
    let effect = found.effect.as_ref().unwrap();
    assert!((effect.log_ratio - 0.05).abs() < 0.004, "{effect:?}");
    assert_eq!((found.rounds_agree.agree, found.rounds_agree.of), (8, 8));
    assert_eq!((found.inputs_agree.agree, found.inputs_agree.of), (48, 48));
    assert!(found.holm_p.unwrap() < 1e-6);
    // Inputs differ by 10 %, so pooling hides what pairing shows.
    let pooled = found.pooled.as_ref().unwrap();
    assert!(
        pooled.hi.unwrap() - pooled.lo.unwrap() > 4.0 * (effect.hi.unwrap() - effect.lo.unwrap())
    );
    assert_eq!(found.off.as_ref().unwrap().n, 48);
    assert_eq!(analysis.summary, RunSummary::Judged);
    assert!(!analysis.aa[0].biased);
    assert_eq!(
        found.claim,
        format!(
            "`fast` decodes {:.2} % faster than `off` on these inputs (prose-48) with \
             builtin-tiny (95 % interval {:+.2} to {:+.2} %, 8 rounds).",
            100.0 * effect.log_ratio.exp_m1(),
            100.0 * effect.lo.unwrap().exp_m1(),
            100.0 * effect.hi.unwrap().exp_m1()
        )
    );
}

#[test]
fn a_negative_effect_loses_none_is_level_and_between_is_parked() {
    let outcomes = [
        (-0.05, Verdict::Loss, ReasonCode::BelowMargin),
        (0.0, Verdict::Level, ReasonCode::WithinMargin),
        (0.0198, Verdict::Parked, ReasonCode::IntervalCrossesMargin),
    ];
    for (effect, verdict, reason) in outcomes {
        let (plan, evidence) = run(effect);
        let analysis = judge(&plan, &evidence);
        let found = only(&analysis);
        assert_eq!((found.verdict, found.reason.code), (verdict, reason));
        assert_eq!(analysis.summary, RunSummary::Judged);
    }
}

#[test]
fn prompt_times_are_described_for_every_arm() {
    let (plan, evidence) = run(0.05);
    let figures = judge(&plan, &evidence).secondary;
    assert_eq!(figures.len(), 3);
    assert_eq!((figures[2].arm.as_str(), figures[2].values.median), ("fast", 202.0));
    assert_eq!(figures[2].metric, "prompt_milliseconds");
}

#[test]
fn a_registered_wording_replaces_the_default_and_the_figures_follow_it() {
    let (mut plan, evidence) = run(0.05);
    plan.claim.win = Some("drafting pays on prose".to_owned());
    let old = judge_under(1, &plan, &evidence).unwrap();
    assert_eq!(only(&old).claim, "drafting pays on prose");
    let claim = only(&judge(&plan, &evidence)).claim.clone();
    assert!(claim.starts_with("drafting pays on prose (+5."), "{claim}");
    assert!(claim.ends_with(" %, 8 rounds)"), "{claim}");
    plan.claim.win = Some("Drafting pays on prose.".to_owned());
    let claim = only(&judge(&plan, &evidence)).claim.clone();
    assert!(claim.starts_with("Drafting pays on prose (+5."), "{claim}");
    assert!(claim.ends_with(" %, 8 rounds)."), "{claim}");
}

#[test]
fn a_broken_contract_voids_even_an_incomplete_run_and_keeps_the_numbers() {
    let (plan, mut evidence) = run(0.05);
    evidence.facts.contracts[0].state = ContractState::Broken;
    evidence.facts.end = RunEnd::Broken { detail: "disk full".to_owned() };
    let analysis = judge(&plan, &evidence);
    let found = only(&analysis);
    assert_eq!((found.verdict, found.reason.code), (Verdict::Void, ReasonCode::ContractBroken));
    assert!(found.effect.is_some() && found.holm_p.is_some());
    assert!(found.claim.starts_with("Nothing may be said"));
    // The run itself did not complete, whatever its comparisons say.
    assert_eq!(analysis.summary, RunSummary::Incomplete);
}

#[test]
fn a_contract_that_compared_nothing_or_was_never_asked_is_void() {
    let (plan, mut evidence) = run(0.05);
    evidence.facts.contracts[0].compared = 0;
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractBroken);
    evidence.facts.contracts[0].state = ContractState::NotRun;
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractNotRun);
    evidence.facts.contracts[0].state = ContractState::NotSelfEqual;
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractNotSelfEqual);
    evidence.facts.contracts.clear();
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractNotRun);
    // With a better reason, a question that was never come to is none.
    evidence.facts.end = RunEnd::NeverQuiet { detail: "pressure".to_owned() };
    assert_eq!(code(&plan, &evidence), ReasonCode::NeverQuiet);
}

#[test]
fn an_off_that_does_not_repeat_itself_voids_identical() {
    let (plan, mut evidence) = run(0.05);
    evidence.facts.contracts.push(ContractFinding {
        arm: "off".to_owned(),
        state: ContractState::NotSelfEqual,
        ..evidence.facts.contracts[0].clone()
    });
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractNotSelfEqual);
}

#[test]
fn a_second_finding_of_the_same_contract_counts_too() {
    let (plan, mut evidence) = run(0.05);
    let mut after = evidence.facts.contracts[0].clone();
    after.state = ContractState::Broken;
    after.detail = "after timing".to_owned();
    evidence.facts.contracts.push(after);
    assert_eq!(code(&plan, &evidence), ReasonCode::ContractBroken);
}

#[test]
fn a_finding_of_one_condition_speaks_of_that_condition_alone() {
    let plan = with_depths(plan(8, 6), &[0, 512]);
    let sound = evidence(&plan, &World::quiet(1, &[("fast", 0.05)]));
    let codes = |evidence: &Evidence| -> Vec<ReasonCode> {
        judge(&plan, evidence).comparisons.iter().map(|found| found.reason.code).collect()
    };
    let mut parted = sound.clone();
    parted.facts.contracts[0].condition = Some(0);
    assert_eq!(codes(&parted), [ReasonCode::AboveMargin, ReasonCode::ContractNotRun]);
    parted.facts.contracts.push(ContractFinding {
        condition: Some(1),
        state: ContractState::Broken,
        ..parted.facts.contracts[0].clone()
    });
    assert_eq!(codes(&parted), [ReasonCode::AboveMargin, ReasonCode::ContractBroken]);
    // without a condition it speaks of all
    parted.facts.contracts[1].condition = None;
    assert_eq!(codes(&parted), [ReasonCode::ContractBroken; 2]);
    let mut of_off = sound;
    of_off.facts.contracts.push(ContractFinding {
        arm: "off".to_owned(),
        condition: Some(0),
        state: ContractState::NotSelfEqual,
        ..of_off.facts.contracts[0].clone()
    });
    assert_eq!(codes(&of_off), [ReasonCode::ContractNotSelfEqual, ReasonCode::AboveMargin]);
}

#[test]
fn the_end_of_the_run_decides_before_the_numbers() {
    let (plan, mut evidence) = run(0.05);
    evidence.facts.end = RunEnd::OverBudget { detail: "20 of 20 minutes".to_owned() };
    let analysis = judge(&plan, &evidence);
    assert_eq!(only(&analysis).reason.code, ReasonCode::OverBudget);
    assert_eq!(analysis.summary, RunSummary::Void);
    evidence.facts.end = RunEnd::Broken { detail: "off crashed".to_owned() };
    let analysis = judge(&plan, &evidence);
    assert_eq!(only(&analysis).verdict, Verdict::Incomplete);
    assert_eq!(analysis.summary, RunSummary::Incomplete);
}

#[test]
fn a_run_that_never_became_quiet_has_no_samples_and_a_reason() {
    let (plan, mut evidence) = run(0.05);
    evidence.samples.clear();
    evidence.facts.contracts.clear();
    evidence.facts.end = RunEnd::NeverQuiet { detail: "pressure 40 %, limit 5 %".to_owned() };
    let analysis = judge(&plan, &evidence);
    let found = only(&analysis);
    assert_eq!((found.verdict, found.reason.code), (Verdict::Void, ReasonCode::NeverQuiet));
    assert_eq!((found.effect.as_ref(), found.off.as_ref(), found.holm_p), (None, None, None));
    assert!(found.reason.code.is_machines());
}

#[test]
fn a_fault_ends_its_own_arm_and_of_off_or_aa_the_run() {
    let mut plan = plan(8, 6);
    plan.arms.push(arm("other", Role::Treatment));
    let mut evidence = evidence(&plan, &World::quiet(1, &[("fast", 0.05), ("other", 0.05)]));
    evidence.samples.retain(|row| row.arm != "fast" || row.round < 3);
    evidence.facts.contracts.retain(|finding| finding.arm != "fast");
    evidence.facts.arm_faults.push(fault("fast"));
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::ArmFault);
    assert_eq!(analysis.comparisons[0].verdict, Verdict::Void);
    assert_eq!(analysis.comparisons[1].verdict, Verdict::Win);
    for needed in ["off", "off-again"] {
        evidence.facts.arm_faults[0].arm = needed.to_owned();
        let analysis = judge(&plan, &evidence);
        assert!(
            analysis.comparisons.iter().all(|found| found.reason.code == ReasonCode::RunBroken)
        );
        assert_eq!(analysis.summary, RunSummary::Incomplete);
    }
}

#[test]
fn aa_that_differs_from_off_voids_its_condition_only() {
    let plan = with_depths(plan(8, 6), &[0, 512]);
    let mut evidence = evidence(&plan, &World::quiet(1, &[("fast", 0.05)]));
    for row in evidence.samples.iter_mut() {
        if row.arm == "off-again" && row.condition == 1 {
            row.nanoseconds = (row.nanoseconds as f64 * 1.02) as u64;
        }
    }
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].condition, "depth_tokens=0");
    assert_eq!(analysis.comparisons[0].verdict, Verdict::Win);
    assert_eq!(analysis.comparisons[1].reason.code, ReasonCode::AaBias);
    assert!(!analysis.aa[0].biased && analysis.aa[1].biased);
    assert_eq!(analysis.summary, RunSummary::Void);
}

#[test]
fn a_wide_aa_interval_rules_out_level_but_not_a_win() {
    for (effect, right) in [(0.0, ReasonCode::AaTooWideForLevel), (0.06, ReasonCode::AboveMargin)] {
        let (plan, mut evidence) = run(effect);
        for row in evidence.samples.iter_mut().filter(|row| row.arm == "off-again") {
            let shift = if row.round % 2 == 0 { 0.95 } else { 1.05 };
            row.nanoseconds = (row.nanoseconds as f64 * shift) as u64;
        }
        assert_eq!(code(&plan, &evidence), right);
    }
}

#[test]
fn a_treatment_that_was_not_applied_is_void() {
    let (mut plan, mut evidence) = run(0.05);
    let flash = "flash_attn_ext".to_owned();
    plan.arms[2].expect =
        vec![Expectation { operation: flash.clone(), at_least: 1, at_most: None }];
    assert_eq!(code(&plan, &evidence), ReasonCode::TreatmentNotApplied);
    let seen = |count| Engagement {
        arm: "fast".to_owned(),
        operations: vec![OperationCount {
            operation: flash.clone(),
            device: "CPU".to_owned(),
            count,
        }],
    };
    evidence.facts.engagement = vec![seen(0)];
    assert_eq!(code(&plan, &evidence), ReasonCode::TreatmentNotApplied);
    evidence.facts.engagement = vec![seen(30)];
    assert_eq!(code(&plan, &evidence), ReasonCode::AboveMargin);
    plan.arms[2].expect[0].at_least = 0;
    plan.arms[2].expect[0].at_most = Some(0);
    assert_eq!(code(&plan, &evidence), ReasonCode::TreatmentNotApplied);
}

#[test]
fn described_arms_are_not_judged() {
    let mut plan = plan(8, 6);
    plan.arms.push(arm("control", Role::Control));
    let evidence = evidence(&plan, &World::quiet(1, &[("fast", 0.05), ("control", 0.3)]));
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons.len(), 1);
    assert_eq!(analysis.described[0].reason.code, ReasonCode::DescribedOnly);
    assert!(analysis.described[0].effect.is_some());
}

#[test]
fn more_comparisons_widen_every_interval() {
    let (single, _) = run(0.05);
    let mut double = single.clone();
    double.arms.push(arm("other", Role::Treatment));
    let of = |plan: &Plan| {
        let analysis = judge(plan, &evidence(plan, &World::quiet(1, &[("fast", 0.05)])));
        analysis.comparisons[0].effect.as_ref().unwrap().confidence_percent
    };
    assert_eq!((of(&single), of(&double)), (95.0, 97.5));
}

#[test]
fn no_evidence_at_all_and_a_plan_of_nothing_are_defined() {
    let (mut plan, mut evidence) = run(0.05);
    evidence.samples.clear();
    assert_eq!(code(&plan, &evidence), ReasonCode::RunBroken);
    plan.arms.clear();
    let analysis = judge(&plan, &evidence);
    assert_eq!((analysis.comparisons.len(), analysis.summary), (0, RunSummary::Judged));
}
