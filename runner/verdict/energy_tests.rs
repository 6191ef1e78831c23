//! Energy judged by the rule that speeds are judged by.

use sample_table::{SampleEnergy, SampleRow, Work};

use super::test_evidence::{World, evidence};
use super::{Analysis, Evidence, ReasonCode, Verdict, judge};
use crate::design::test_plan::plan;
use crate::manifest::{Metric, Plan};

/// Equal speeds; `fast` takes so much of off's energy.
fn world(share: f64) -> (Plan, Evidence) {
    let mut plan = plan(8, 4);
    plan.metric.primary = Metric::JoulesPerToken;
    plan.metric.secondary = Vec::new();
    let mut evidence = evidence(&plan, &World::quiet(41, &[]));
    for row in evidence.samples.iter_mut().filter(|row| row.work == Work::Decode) {
        let share = if row.arm == "fast" { share } else { 1.0 };
        // 50 W, over the timed time and that of the untimed token
        let microjoules = row.nanoseconds as f64 * 0.05 * share * f64::from(row.tokens + 1)
            / f64::from(row.tokens);
        row.energy = Some(SampleEnergy { microjoules: microjoules as u64, tokens: row.tokens + 1 });
    }
    (plan, evidence)
}

fn judged(share: f64, change: impl Fn(&mut SampleRow)) -> Analysis {
    let (plan, mut evidence) = world(share);
    evidence.samples.iter_mut().filter(|row| row.work == Work::Decode).for_each(change);
    judge(&plan, &evidence)
}

#[test]
fn less_energy_wins_more_loses_and_the_claim_says_which() {
    for (share, verdict, words) in [
        (0.9, Verdict::Win, "% less energy a token to decode than `off`"),
        (1.1, Verdict::Loss, "% more energy a token to decode than `off`"),
        (1.0, Verdict::Level, "are level"),
    ] {
        let analysis = judged(share, |_| {});
        let comparison = &analysis.comparisons[0];
        assert_eq!(comparison.verdict, verdict, "{share}: {:?}", comparison.reason);
        assert!(comparison.claim.contains(words), "{}", comparison.claim);
        let effect = comparison.effect.as_ref().unwrap().log_ratio;
        assert!((effect + share.ln()).abs() < 0.01, "{share}: {effect}");
        // 50 W at 30 tokens a second
        let joules = comparison.off.as_ref().unwrap().median;
        assert!((joules - 50.0 / 30.0).abs() < 0.25, "{joules}");
    }
}

#[test]
fn a_speed_is_not_changed_by_an_energy_beside_it() {
    let (mut plan, evidence) = world(0.5);
    plan.metric.primary = Metric::DecodeTokensPerSecond;
    let with = judge(&plan, &evidence);
    let mut without = evidence;
    without.samples.iter_mut().for_each(|row| row.energy = None);
    assert_eq!(with, judge(&plan, &without));
}

#[test]
fn a_counter_that_stands_still_or_is_lost_gives_no_number() {
    let still = judged(0.9, |row| {
        row.energy = row.energy.map(|energy| SampleEnergy { microjoules: 0, ..energy });
    });
    assert_eq!(still.comparisons[0].reason.code, ReasonCode::NoAcceptedBlock);
    let lost_by_one = judged(0.9, |row| {
        if row.arm == "fast" && row.round == 3 && row.chunk == 1 {
            row.energy = None;
        }
    });
    let reason = &lost_by_one.comparisons[0].reason;
    assert_eq!(reason.code, ReasonCode::ExclusionDiffersByArm);
    assert!(reason.text.contains("no counter told its energy"), "{}", reason.text);
}

#[test]
fn a_power_that_nothing_draws_is_outside_the_support() {
    let analysis = judged(0.9, |row| {
        row.energy = Some(SampleEnergy { microjoules: u64::MAX / 64, tokens: 1 });
    });
    assert_eq!(analysis.comparisons[0].reason.code, ReasonCode::OutsideSupport);
}
