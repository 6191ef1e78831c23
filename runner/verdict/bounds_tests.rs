//! Bounds in the whole judgement.

use engine_protocol::SpeculationCounts;
use sample_table::SampleState;

use super::test_evidence::{World, evidence, rows_of};
use super::{
    ArmSpeculation, ArmTraffic, Bound, BoundReached, BoundState, BoundsEvidence, BoundsProof,
    Evidence, MachineBounds, MultiplyAdds, ReasonCode, RunEnd, Verdict, WorkingSetBandwidth, judge,
    judge_under,
};
use crate::design::test_plan::plan;
use crate::manifest::{Plan, TimedWork};

/// A model of 100 MB and 100 M multiply-adds; the made-up world decodes about 30 tokens a second,
/// which is 3 GB/s and 3 G multiply-adds/s.
fn traffic(arm: &str) -> ArmTraffic {
    ArmTraffic {
        arm: arm.to_owned(),
        condition: 0,
        block_bytes: 80_000_000,
        output_bytes: 20_000_000,
        kv_bytes: 0,
        operations: 75_000_000,
        last_operations: 25_000_000,
        micro_batch_tokens: Some(512),
        sequences: 1,
    }
}

fn bounds(bytes_per_second: f64, multiply_adds: f64) -> BoundsEvidence {
    let read = WorkingSetBandwidth {
        working_set_bytes: 64_000_000,
        largest_bytes_per_second: bytes_per_second,
        threads: 2,
    };
    BoundsEvidence {
        machine: Some(MachineBounds {
            machine: "machine-1".to_owned(),
            measured_at: "2026-11-30T00:00:00.000Z".to_owned(),
            read: vec![read],
            copy: Vec::new(),
            multiply_adds: Some(MultiplyAdds {
                operand: "f32".to_owned(),
                largest_per_second: multiply_adds,
                threads: 2,
            }),
        }),
        traffic: ["off", "off-again", "fast"].map(traffic).to_vec(),
        unknown: Vec::new(),
        proof: BoundsProof { impossible_bytes_per_second: 10.0, limit_bytes_per_second: 1.0 },
    }
}

fn run(bounds: BoundsEvidence) -> (Plan, Evidence) {
    let plan = plan(8, 6);
    let mut evidence = evidence(&plan, &World::quiet(31, &[("fast", 0.05)]));
    evidence.facts.bounds = Some(bounds);
    (plan, evidence)
}

fn of(found: &[BoundReached], arm: &str, bound: Bound) -> BoundReached {
    found.iter().find(|one| one.arm == arm && one.bound == bound).unwrap().clone()
}

#[test]
fn ten_times_the_bandwidth_is_void_with_both_numbers() {
    let (plan, evidence) = run(bounds(0.3e9, 1e12));
    let analysis = judge(&plan, &evidence);
    let reason = &analysis.comparisons[0].reason;
    assert_eq!(reason.code, ReasonCode::BoundPassed);
    assert_eq!(analysis.comparisons[0].verdict, Verdict::Void);
    assert!(reason.text.contains("would have read 3."), "{}", reason.text);
    assert!(reason.text.contains("is 0.30 GB/s"), "{}", reason.text);
    assert!(reason.text.contains("0.38 GB/s, is passed by nothing"), "{}", reason.text);
    // an older version of the rules knew no bounds
    let before = judge_under(2, &plan, &evidence).unwrap();
    assert_eq!(before.comparisons[0].reason.code, ReasonCode::AboveMargin);
    assert!(before.bounds.is_empty());
}

#[test]
fn within_the_bound_the_verdict_stands_and_the_share_is_told() {
    let (plan, evidence) = run(bounds(6e9, 1e10));
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::AboveMargin);
    let off = of(&analysis.bounds, "off", Bound::ReadBandwidth);
    assert_eq!(off.state, BoundState::Within);
    let share = off.share_percent().unwrap();
    assert!((45.0..60.0).contains(&share), "{share}");
    assert_eq!(off.of_an_evaluation, 100_000_000);
    assert_eq!(analysis.bounds.len(), 6);
}

#[test]
fn a_little_over_the_largest_seen_is_told_and_voids_nothing() {
    let (plan, evidence) = run(bounds(6e9, 1e10));
    let greatest = of(&judge(&plan, &evidence).bounds, "fast", Bound::ReadBandwidth).greatest;
    let (plan, evidence) = run(bounds(greatest / 1.2, 1e10));
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::AboveMargin);
    let fast = of(&analysis.bounds, "fast", Bound::ReadBandwidth);
    assert_eq!(fast.state, BoundState::OverLargestSeen);
    let (plan, evidence) = run(bounds(greatest / 1.26, 1e10));
    let reason = judge(&plan, &evidence).comparisons[0].reason.clone();
    assert_eq!(reason.code, ReasonCode::BoundPassed);
}

#[test]
fn one_chunk_that_cannot_be_voids_even_an_incomplete_run() {
    let (plan, mut evidence) = run(bounds(6e9, 1e10));
    evidence.facts.end = RunEnd::Broken { detail: "disk full".to_owned() };
    let before = judge(&plan, &evidence).comparisons[0].reason.code;
    assert_eq!(before, ReasonCode::RunBroken);
    let rows = rows_of(&mut evidence, 3, 2);
    let row = rows.into_iter().find(|row| row.arm == "off-again" && row.chunk == 1).unwrap();
    row.nanoseconds /= 10;
    let reason = judge(&plan, &evidence).comparisons[0].reason.clone();
    assert_eq!(reason.code, ReasonCode::BoundPassed);
    assert!(reason.text.starts_with("`off-again` would have read"), "{}", reason.text);
    assert!(reason.text.contains("in round 3, block 2, chunk 1"), "{}", reason.text);
}

#[test]
fn a_reading_below_the_timers_resolution_is_no_rate() {
    let (plan, mut evidence) = run(bounds(6e9, 1e10));
    for row in rows_of(&mut evidence, 3, 2) {
        row.nanoseconds = 0;
        row.state = SampleState::Censored;
    }
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::AboveMargin);
    assert!(analysis.bounds.iter().all(|one| one.greatest.is_finite()));
}

#[test]
fn without_bounds_of_the_machine_the_state_is_unknown_and_voids_nothing() {
    let mut unknown = bounds(1.0, 1.0);
    unknown.machine = None;
    let (plan, evidence) = run(unknown);
    let analysis = judge(&plan, &evidence);
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::AboveMargin);
    assert!(analysis.bounds.iter().all(|one| one.state == BoundState::Unknown));
    assert!(analysis.bounds.iter().all(|one| one.share_percent().is_none()));
}

#[test]
fn a_working_set_smaller_than_all_that_were_measured_has_no_bound() {
    let mut small = bounds(0.3e9, 1e12);
    for traffic in &mut small.traffic {
        traffic.block_bytes = 1000;
        traffic.output_bytes = 0;
    }
    let (plan, evidence) = run(small);
    let found = judge(&plan, &evidence).bounds;
    assert_eq!(of(&found, "off", Bound::ReadBandwidth).state, BoundState::Unknown);
    assert_eq!(of(&found, "off", Bound::MultiplyAdds).state, BoundState::Within);
}

#[test]
fn rejected_drafts_were_computed_too() {
    let (mut plan, mut evidence) = run(bounds(1e12, 10e9));
    plan.arms[2].settings.draft_tokens = Some(4);
    plan.arms[2].settings.draft_source = Some(engine_protocol::DraftSource::PromptLookup);
    let kept = evidence.samples.iter().filter(|row| row.arm == "fast").count() as u64;
    let tokens: u64 = evidence
        .samples
        .iter()
        .filter(|row| row.arm == "fast" && row.work == sample_table::Work::Decode)
        .map(|row| u64::from(row.tokens))
        .sum();
    assert!(kept > 0);
    let speculation = |evaluated: u64| ArmSpeculation {
        arm: "fast".to_owned(),
        condition: 0,
        kept_tokens: tokens,
        counts: SpeculationCounts {
            evaluations: tokens,
            evaluated_tokens: evaluated,
            ..SpeculationCounts::default()
        },
    };
    // every draft of four was rejected: five times as much was computed as was kept
    for (evaluated, code) in
        [(tokens, ReasonCode::AboveMargin), (5 * tokens, ReasonCode::BoundPassed)]
    {
        evidence.facts.speculation = vec![speculation(evaluated)];
        let analysis = judge(&plan, &evidence);
        assert_eq!(analysis.comparisons[0].reason.code, code, "{:?}", analysis.bounds);
    }
}

#[test]
fn a_prompt_is_read_once_a_micro_batch_and_computed_token_by_token() {
    let mut plan = plan(6, 5);
    plan.workload.work = TimedWork::Prefill { prefill_tokens: 1024 };
    plan.metric.primary = crate::manifest::Metric::PrefillTokensPerSecond;
    let mut evidence = evidence(&plan, &World::quiet(32, &[("fast", 0.05)]));
    evidence.facts.bounds = Some(bounds(1e12, 1e12));
    let found = judge(&plan, &evidence).bounds;
    let bytes = of(&found, "off", Bound::ReadBandwidth);
    let operations = of(&found, "off", Bound::MultiplyAdds);
    // two micro-batches of 80 MB and the output once, against 1024 tokens in all blocks but the
    // last and one in that
    let ratio = operations.value / bytes.value;
    let expected = (1024.0 * 75e6 + 25e6) / (2.0 * 80e6 + 20e6);
    assert!((ratio / expected - 1.0).abs() < 1e-9, "{ratio} against {expected}");
}
