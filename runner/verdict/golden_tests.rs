//! Analyses that are committed: the same evidence gives the same bytes on every platform, and
//! results do not change without a new version of the rules.

use std::collections::BTreeMap;

use sample_table::SampleState;

use super::test_evidence::{World, evidence};
use super::{Analysis, ContractState, Evidence, RULES_VERSION, RunEnd, judge};
use crate::design::test_plan::{arm, plan, with_depths};
use crate::manifest::{Contract, Metric, Plan, Role, TimedWork};

/// BLAKE3 of `golden/analyses.json` under each version of the rules. Lines are added, never
/// changed: a record says under which version it was judged.
const HASHES: [(u32, &str); 1] =
    [(1, "28b97bd31f6364327e4590e5201482b8b3e0d8c37e4c8db0daa0077da2fbcf2a")];

/// Set to write the file anew, after `RULES_VERSION` was raised.
const BLESS: &str = "RUNNER_BLESS_ANALYSES";

fn cases() -> Vec<(&'static str, Plan, Evidence)> {
    let mut cases = Vec::new();
    let simple = plan(8, 6);
    for (name, effect) in [("win", 0.05), ("loss", -0.05), ("level", 0.001), ("parked", 0.0198)] {
        let run = evidence(&simple, &World::quiet(11, &[("fast", effect)]));
        cases.push((name, simple.clone(), run));
    }

    let mut family = with_depths(plan(5, 4), &[0, 512]);
    family.arms.push(arm("other", Role::Treatment));
    family.arms.push(arm("control", Role::Control));
    let world = World::quiet(12, &[("fast", 0.04), ("other", -0.01), ("control", 0.2)]);
    let mut run = evidence(&family, &world);
    for row in &mut run.samples {
        if row.round == 1 && row.block < 2 {
            row.flags = "pressure".to_owned();
        }
        if row.round == 3 && row.block >= 4 {
            row.segment += 10;
        }
        if row.round == 2 && row.block == 1 && row.arm == "other" && row.chunk == 3 {
            row.state = SampleState::TimedOut;
            row.nanoseconds = 0;
        }
    }
    cases.push(("family", family.clone(), run.clone()));
    run.facts.end = RunEnd::OverBudget { detail: "20.0 of 20 minutes".to_owned() };
    run.facts.contracts[0].state = ContractState::Broken;
    cases.push(("family-void", family, run));

    let mut prefill = plan(6, 5);
    prefill.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
    prefill.metric.primary = Metric::PrefillTokensPerSecond;
    prefill.arms[2].contracts = vec![Contract::Identical];
    let mut world = World::quiet(13, &[("fast", 0.03)]);
    world.block_sd = 0.02;
    let run = evidence(&prefill, &world);
    cases.push(("prefill", prefill, run));

    let mut still = World::quiet(14, &[("fast", 0.03)]);
    still.round_sd = 0.0;
    still.block_sd = 0.0;
    let run = evidence(&simple, &still);
    cases.push(("resolution-limited", simple, run));

    let short = plan(2, 6);
    let run = evidence(&short, &World::quiet(15, &[("fast", 0.03)]));
    cases.push(("insufficient", short, run));
    cases
}

fn text() -> String {
    let analyses: BTreeMap<&str, Analysis> =
        cases().iter().map(|(name, plan, evidence)| (*name, judge(plan, evidence))).collect();
    serde_json::to_string_pretty(&analyses).unwrap() + "\n"
}

#[test]
fn results_do_not_change_without_a_new_version_of_the_rules() {
    let text = text();
    if std::env::var_os(BLESS).is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("runner/verdict/golden/analyses.json");
        std::fs::write(path, &text).unwrap();
    }
    let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    let registered = HASHES.iter().find(|(version, _)| *version == RULES_VERSION);
    assert_eq!(
        registered.map(|(_, hash)| *hash),
        Some(hash.as_str()),
        "analyses of the same evidence changed: raise RULES_VERSION, add its hash here, and run \
         this test with {BLESS}=1 to write golden/analyses.json"
    );
}

#[test]
fn the_committed_analyses_are_those_of_this_version() {
    if std::env::var_os(BLESS).is_none() {
        assert!(text() == include_str!("golden/analyses.json"), "golden/analyses.json is stale");
    }
}

#[test]
fn versions_are_in_order_and_none_is_missing() {
    for (place, (version, _)) in HASHES.iter().enumerate() {
        assert_eq!(*version, place as u32 + 1);
    }
    assert_eq!(HASHES.len() as u32, RULES_VERSION);
}

#[test]
fn no_analysis_holds_a_number_that_json_lacks() {
    // serde_json writes NaN and infinities as null, so compare with what was meant: reading the
    // text back gives the same analysis.
    for (name, plan, evidence) in cases() {
        let analysis = judge(&plan, &evidence);
        let text = serde_json::to_string(&analysis).unwrap();
        let back: Analysis = serde_json::from_str(&text).unwrap();
        assert_eq!(back, analysis, "{name}");
    }
}
