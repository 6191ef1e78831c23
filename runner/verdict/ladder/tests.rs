//! Ladders over made-up evidence whose truth is known.

use engine_protocol::Settings;

use crate::design::test_plan::{arm, plan, with_depths};
use crate::manifest::{AssumedCurve, Ladder, LadderStop, LeastStep, Plan, Role};
use crate::verdict::test_evidence::{World, evidence};
use crate::verdict::{LadderCode, judge};

/// Off at two threads, rungs at these, eight rounds.
fn climb(rungs: &[u32], under: LeastStep) -> Plan {
    let mut plan = plan(8, 6);
    plan.arms.truncate(2);
    plan.engine.settings = Settings { threads: Some(2), ..Settings::default() };
    let mut arms = Vec::new();
    for threads in rungs {
        let mut rung = arm(&format!("threads={threads}"), Role::Treatment);
        rung.settings.threads = Some(*threads);
        arms.push(rung.name.clone());
        plan.arms.push(rung);
    }
    let stop = Some(LadderStop { assumes: AssumedCurve::Unknown, under });
    plan.ladder = Some(Ladder { setting: "threads".to_owned(), arms, stop });
    plan
}

#[test]
fn off_takes_its_place_between_the_rungs() {
    let plan = climb(&[1, 4, 16], LeastStep::PercentPerDoubling(5.0));
    let effects = [("threads=1", -0.3), ("threads=4", 0.2), ("threads=16", 0.21)];
    let found = judge(&plan, &evidence(&plan, &World::quiet(31, &effects))).ladder;
    let names: Vec<&str> = found[0].places.iter().map(|place| place.arm.as_str()).collect();
    assert_eq!(names, ["threads=1", "off", "threads=4", "threads=16"]);
    let doublings: Vec<Option<f64>> = found[0]
        .places
        .iter()
        .map(|place| place.step.as_ref().and_then(|step| step.doublings))
        .collect();
    assert_eq!(doublings, [None, Some(1.0), Some(1.0), Some(2.0)]);
    assert_eq!(found[0].reason.code, LadderCode::LadderRuleFindsBest);
    assert_eq!(found[0].stops_at.as_deref(), Some("threads=16"));
}

#[test]
fn each_condition_value_has_a_finding_and_they_hold_together() {
    let plan = with_depths(climb(&[4, 8, 16], LeastStep::PercentPerStep(5.0)), &[0, 512]);
    let effects = [("threads=4", 0.2), ("threads=8", 0.21), ("threads=16", 0.4)];
    let found = judge(&plan, &evidence(&plan, &World::quiet(32, &effects))).ladder;
    let conditions: Vec<&str> = found.iter().map(|one| one.condition.as_str()).collect();
    assert_eq!(conditions, ["depth_tokens=0", "depth_tokens=512"]);
    for one in &found {
        assert_eq!(one.reason.code, LadderCode::LadderRuleStopsBeforeBest, "{one:#?}");
        assert_eq!(one.later_step.as_deref(), Some("threads=16"));
        let confidence = one.rival_over_kept.as_ref().unwrap().confidence_percent;
        // six pairs of four places, at two values
        assert!((confidence - (100.0 - 5.0 / 12.0)).abs() < 1e-9, "{confidence}");
    }
}

#[test]
fn less_than_the_margin_beyond_the_stop_does_not_contradict_the_rule() {
    // the margin is 2 %, and the last rung is 1.2 % better
    let plan = climb(&[4, 8, 16], LeastStep::PercentPerStep(5.0));
    let effects = [("threads=4", 0.2), ("threads=8", 0.205), ("threads=16", 0.217)];
    let found = &judge(&plan, &evidence(&plan, &World::quiet(33, &effects))).ladder[0];
    assert_eq!(found.best.as_deref(), Some("threads=16"));
    assert_eq!(found.kept.as_deref(), Some("threads=8"));
    assert_eq!(found.reason.code, LadderCode::LadderRuleFindsBest, "{found:#?}");
    assert!(found.reason.text.contains("is not better than"), "{}", found.reason.text);
}

#[test]
fn what_is_kept_is_the_best_up_to_the_stop() {
    // the step down stops the rule, and nobody would keep that rung
    let plan = climb(&[4, 8, 16], LeastStep::PercentPerStep(5.0));
    let effects = [("threads=4", 0.2), ("threads=8", 0.1), ("threads=16", 0.15)];
    let found = &judge(&plan, &evidence(&plan, &World::quiet(34, &effects))).ladder[0];
    assert_eq!(found.stops_at.as_deref(), Some("threads=8"));
    assert_eq!(found.kept.as_deref(), Some("threads=4"));
    assert_eq!(found.best, found.kept);
    // 16 over 8 bought 5.1 %: a later step, and no better place
    assert_eq!(found.later_step.as_deref(), Some("threads=16"));
    assert_eq!(found.reason.code, LadderCode::LadderRuleFindsBest);
}
