//! Analyses that are committed: the same evidence gives the same bytes on every platform, and
//! results do not change without a new version of the rules.

use std::collections::BTreeMap;

use sample_table::SampleState;

use super::test_evidence::{World, evidence, evidence_in_order_of};
use super::{
    Analysis, ArmTraffic, BoundsEvidence, BoundsProof, ContractState, Evidence, MachineBounds,
    MultiplyAdds, RULES_VERSION, RunEnd, WorkingSetBandwidth, judge, judge_under,
};
use crate::design::test_plan::{arm, plan, with_depths, with_prompts};
use crate::manifest::{Contract, InputScope, Metric, Plan, Role, Spending, Stop, TimedWork};

/// BLAKE3 of `golden/rules-<version>.json`. Lines are added, never changed: a record says under
/// which version it was judged.
const HASHES: [(u32, &str); 3] = [
    (1, "28b97bd31f6364327e4590e5201482b8b3e0d8c37e4c8db0daa0077da2fbcf2a"),
    (2, "753dc86714756b9209f4d8b461055854e97a2de9ce6ea89e9f70d11333a318f0"),
    (3, "32168daf927204e0a44d12ea64588708fffce4b933270f98bf139cb760606e82"),
];

/// Set to write the newest version's file anew, after `RULES_VERSION` was raised.
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
    // as blocks were ordered when this was committed: an input at every depth, then the next
    let order = with_prompts(family.clone(), &[0, 512]);
    let mut run = evidence_in_order_of(&order, &family, &world);
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

/// Looks, classes of inputs, futility, confidence sequences.
fn cases_of_rules_2() -> Vec<(&'static str, Plan, Evidence)> {
    let mut cases = Vec::new();
    let mut sequential = plan(16, 6);
    sequential.workload.depth_tokens = 512;
    sequential.stop = Stop::GroupSequential {
        looks_at_rounds: vec![8, 12, 16],
        spending: Spending::OBrienFleming,
        futility_percent: None,
        cap_minutes: 20.0,
    };
    let mut two = sequential.clone();
    two.arms.push(arm("other", Role::Treatment));
    // One is decided early and the other goes on.
    let run = evidence(&two, &World::quiet(16, &[("fast", 0.06), ("other", 0.0185)]));
    cases.push(("looks", two, run));
    let mut stopped = evidence(&sequential, &World::quiet(17, &[("fast", 0.06)]));
    stopped.samples.retain(|row| row.round < 8);
    let detail = "look 1 of 3 after 8 rounds".to_owned();
    stopped.facts.end = RunEnd::StoppedAtLook { look: 1, rounds: 8, detail };
    cases.push(("looks-stopped", sequential.clone(), stopped));

    let mut futile = sequential.clone();
    futile.stop = Stop::GroupSequential {
        looks_at_rounds: vec![8, 16],
        spending: Spending::Pocock,
        futility_percent: Some(20.0),
        cap_minutes: 20.0,
    };
    let run = evidence(&futile, &World::quiet(18, &[("fast", 0.0198)]));
    cases.push(("looks-futile", futile, run));

    let mut sequence = plan(24, 4);
    sequence.stop = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 20.0 };
    let run = evidence(&sequence, &World::quiet(19, &[("fast", 0.03)]));
    cases.push(("sequence", sequence, run));

    let mut class = plan(8, 6);
    class.design.input_scope = InputScope::Class;
    let run = evidence(&class, &World::quiet(20, &[("fast", 0.05)]));
    cases.push(("class", class.clone(), run));
    let mut class_and_looks = sequential;
    class_and_looks.design.input_scope = InputScope::Class;
    let run = evidence(&class_and_looks, &World::quiet(21, &[("fast", -0.05)]));
    cases.push(("class-looks", class_and_looks, run));
    let mut few = evidence(&class, &World::quiet(20, &[("fast", 0.05)]));
    for row in &mut few.samples {
        row.input = format!("item-{}", row.block);
    }
    cases.push(("class-few-inputs", class, few));

    let simple = plan(8, 6);
    let mut lacking = evidence(&simple, &World::quiet(22, &[("fast", 0.05)]));
    for row in &mut lacking.samples {
        let both = row.round == 2 && row.block == 1 && row.arm != "off-again";
        let alone = row.round == 5 && row.block == 0 && row.arm == "fast";
        if (both || alone) && row.chunk == 3 {
            row.state = SampleState::TimedOut;
            row.nanoseconds = 0;
        }
    }
    cases.push(("exclusion-by-arm", simple, lacking));
    cases
}

/// Figures held against bounds of the machine.
fn cases_of_rules_3() -> Vec<(&'static str, Plan, Evidence)> {
    let bounds = |plan: &Plan, largest: f64| {
        let traffic = |arm: &crate::manifest::Arm| ArmTraffic {
            arm: arm.name.to_string(),
            condition: 0,
            block_bytes: 110_000_000,
            output_bytes: 30_000_000,
            kv_bytes: 1_000_000,
            operations: 120_000_000,
            last_operations: 30_000_000,
            micro_batch_tokens: Some(512),
            sequences: 1,
        };
        let row = |working_set_bytes, largest_bytes_per_second| WorkingSetBandwidth {
            working_set_bytes,
            largest_bytes_per_second,
            threads: 2,
        };
        Some(BoundsEvidence {
            machine: Some(MachineBounds {
                machine: "machine-0123456789".to_owned(),
                measured_at: "2026-11-30T02:00:00.000Z".to_owned(),
                read: vec![row(16 << 20, 8.0 * largest), row(128 << 20, largest)],
                copy: Vec::new(),
                multiply_adds: Some(MultiplyAdds {
                    operand: "f32".to_owned(),
                    largest_per_second: 9e10,
                    threads: 2,
                }),
            }),
            traffic: plan.arms.iter().map(traffic).collect(),
            unknown: Vec::new(),
            proof: BoundsProof {
                impossible_bytes_per_second: 12.5 * largest,
                limit_bytes_per_second: 1.25 * largest,
            },
        })
    };
    // the made-up machine reads 4.2 GB/s of such a model
    let simple = plan(8, 6);
    let mut within = evidence(&simple, &World::quiet(23, &[("fast", 0.05)]));
    within.facts.bounds = bounds(&simple, 9e9);
    let mut over = within.clone();
    over.facts.bounds = bounds(&simple, 4.4e9);
    let mut passed = within.clone();
    passed.facts.bounds = bounds(&simple, 0.4e9);
    passed.facts.end = RunEnd::Broken { detail: "disk full".to_owned() };
    let mut unknown = within.clone();
    if let Some(bounds) = &mut unknown.facts.bounds {
        bounds.machine = None;
    }
    vec![
        ("bounds-within", simple.clone(), within),
        ("bounds-over", simple.clone(), over),
        ("bounds-passed", simple.clone(), passed),
        ("bounds-unknown", simple, unknown),
    ]
}

/// The cases of a version: those of the one before, and what it is the first to judge.
fn cases_of(version: u32) -> Vec<(&'static str, Plan, Evidence)> {
    let mut all = cases();
    if version >= 2 {
        all.extend(cases_of_rules_2());
    }
    if version >= 3 {
        all.extend(cases_of_rules_3());
    }
    all
}

fn text(version: u32) -> String {
    let analyses: BTreeMap<&str, Analysis> = cases_of(version)
        .iter()
        .map(|(name, plan, evidence)| (*name, judge_under(version, plan, evidence).unwrap()))
        .collect();
    serde_json::to_string_pretty(&analyses).unwrap() + "\n"
}

fn file(version: u32) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("runner/verdict/golden");
    folder.join(format!("rules-{version}.json"))
}

#[test]
fn results_do_not_change_without_a_new_version_of_the_rules() {
    for (version, registered) in HASHES {
        let text = text(version);
        if std::env::var_os(BLESS).is_some() && version == RULES_VERSION {
            std::fs::write(file(version), &text).unwrap();
        }
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        assert_eq!(
            registered, hash,
            "analyses under rules {version} changed: an old version stays as it was; for the \
             newest, raise RULES_VERSION, add its hash here, and run this test with {BLESS}=1 to \
             write its file in golden/"
        );
    }
}

#[test]
fn the_committed_analyses_are_those_of_their_version() {
    if std::env::var_os(BLESS).is_none() {
        for (version, _) in HASHES {
            let committed = std::fs::read_to_string(file(version)).unwrap();
            assert!(text(version) == committed, "golden/rules-{version}.json is stale");
        }
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
    for (name, plan, evidence) in cases_of(RULES_VERSION) {
        let analysis = judge(&plan, &evidence);
        let text = serde_json::to_string(&analysis).unwrap();
        let back: Analysis = serde_json::from_str(&text).unwrap();
        assert_eq!(back, analysis, "{name}");
    }
}
