//! Contracts over logits.

use super::stage::Stage;
use crate::manifest::{Condition, ConditionSetting, Contract, TimedWork};
use crate::verdict::{ArmFaultKind, ContractFinding, ContractState, ReasonCode, judge};

fn cosine(at_least: f64) -> Contract {
    Contract::Cosine { at_least, basis: "a test".to_owned(), positions: 20 }
}

fn run(script: &str, contract: Contract) -> (Stage, Vec<ContractFinding>) {
    let script = format!("[[when]]\nsettings = {{ threads = 2 }}\n{script}\n");
    let stage = Stage::new(&script).with_contract(contract);
    let found = stage.run().unwrap().evidence.facts.contracts;
    (stage, found)
}

#[test]
fn equal_logits_keep_each_contract_and_no_scratch_file_stays() {
    let basis = || "a test".to_owned();
    for contract in [
        cosine(0.9999),
        Contract::Kl { mean_at_most: 1e-9, p99_at_most: 1e-9, basis: basis(), positions: 20 },
        Contract::Argmax { agreement_at_least: 1.0, basis: basis(), positions: 20 },
    ] {
        let (stage, found) = run("", contract);
        assert_eq!(
            (found[0].state, found[0].compared),
            (ContractState::Kept, 20 + 20),
            "{found:?}"
        );
        let left: Vec<_> = std::fs::read_dir(stage.root.join("cache/runs")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn other_logits_break_it_with_the_figure_and_the_bar() {
    let (_, found) = run("logits_noise = 2.0", cosine(0.9999));
    assert_eq!(found[0].state, ContractState::Broken);
    assert!(found[0].detail.contains("bar 0.9999"), "{found:?}");
}

#[test]
fn a_nan_breaks_it_and_says_where() {
    let (_, found) = run("logits_nan_at = 3", cosine(0.5));
    assert_eq!(found[0].state, ContractState::Broken);
    assert!(format!("{found:?}").contains("position 3"), "{found:?}");
}

#[test]
fn each_depth_is_tested() {
    let mut stage = Stage::new("").with_contract(cosine(0.9999));
    stage.plan.condition =
        Some(Condition { setting: ConditionSetting::DepthTokens, values: vec![0, 30] });
    let found = stage.run().unwrap().evidence.facts.contracts;
    assert_eq!(found.len(), 2);
    let start = "teacher-forced token by token at depth 30: worst on `";
    assert!(found[1].detail.starts_with(start), "{found:?}");
    let text = "; after timing: the same logits to the last bit, 20 positions";
    assert!(found.iter().all(|found| found.detail.ends_with(text)), "{found:?}");
    let conditions: Vec<_> = found.iter().map(|found| found.condition).collect();
    assert_eq!(conditions, [Some(0), Some(1)]);
}

#[test]
fn logits_that_part_at_one_depth_void_that_depth_alone() {
    // before timing no process that is asked for logits decodes
    for (late, said) in [
        ("", "bar 0.9999"),
        ("logits_noise_from_command = 5", "after timing: other logits at depth 30 than before it"),
    ] {
        let script = format!(
            "[[when]]\nsettings = {{ threads = 2 }}\nlogits_noise = 4.0\n\
             logits_noise_from_position = 30\n{late}\n"
        );
        let mut stage = Stage::new(&script).with_contract(cosine(0.9999));
        stage.plan.condition =
            Some(Condition { setting: ConditionSetting::DepthTokens, values: vec![0, 30] });
        let evidence = stage.run().unwrap().evidence;
        let found = &evidence.facts.contracts;
        let states: Vec<_> = found.iter().map(|found| (found.condition, found.state)).collect();
        let wanted = [(Some(0), ContractState::Kept), (Some(1), ContractState::Broken)];
        assert_eq!(states, wanted, "{found:?}");
        assert!(found[1].detail.contains(said), "{found:?}");
        let kept = "; after timing: the same logits to the last bit, 20 positions";
        assert!(found[0].detail.ends_with(kept), "{found:?}");
        let judged = judge(&stage.plan, &evidence).comparisons;
        assert_ne!(judged[0].reason.code, ReasonCode::ContractBroken, "{judged:?}");
        assert_eq!(judged[1].reason.code, ReasonCode::ContractBroken, "{judged:?}");
    }
}

#[test]
fn an_off_arm_whose_logits_change_at_one_depth_cannot_be_asked_there() {
    let staged = |script: &str| {
        let mut stage = Stage::new(script).with_contract(cosine(0.9999));
        stage.plan.condition =
            Some(Condition { setting: ConditionSetting::DepthTokens, values: vec![0, 30] });
        stage
    };
    // the processes of the last round are the last three
    let plain = staged("");
    plain.run().unwrap();
    let all = plain.pids().len();
    let script = format!(
        "[[when]]\nprocesses = {:?}\nlogits_noise = 4.0\nlogits_noise_from_position = 30\n",
        [all - 2, all - 1, all]
    );
    let stage = staged(&script);
    let evidence = stage.run().unwrap().evidence;
    let of_off: Vec<_> = evidence
        .facts
        .contracts
        .iter()
        .filter(|found| found.arm == "off")
        .map(|found| (found.condition, found.state))
        .collect();
    assert_eq!(of_off, [(Some(1), ContractState::NotSelfEqual)]);
}

#[test]
fn the_kernels_that_are_timed_are_tested() {
    for (evaluated, work) in [
        (
            "single_tokens",
            TimedWork::Decode { prompt_tokens: 4, decode_tokens: 4, chunk_tokens: 4 },
        ),
        ("batches", TimedWork::Prefill { prefill_tokens: 8 }),
    ] {
        for (noisy, state) in [
            (evaluated, ContractState::Broken),
            (if evaluated == "batches" { "single_tokens" } else { "batches" }, ContractState::Kept),
        ] {
            let mut stage = Stage::new(&format!(
                "[[when]]\nsettings = {{ threads = 2 }}\nlogits_noise = 4.0\n\
                 logits_noise_evaluation = \"{noisy}\"\n",
            ))
            .with_contract(cosine(0.9999));
            stage.plan.workload.work = work;
            let found = stage.run().unwrap().evidence.facts.contracts;
            assert_eq!(found[0].state, state, "{noisy}: {found:?}");
            let said = if evaluated == "batches" { "in batches" } else { "token by token" };
            assert!(found[0].detail.contains(said), "{found:?}");
        }
    }
}

/// What is said of a run that was cut between its last block and the check.
const AFTER_A_CUT: &str = "; after timing, in fresh processes, since the run was cut: the same \
                           logits to the last bit, 20 positions";

#[test]
fn a_run_that_was_cut_after_its_last_block_asks_in_fresh_processes() {
    let stage = Stage::new("").with_contract(cosine(0.9999));
    let run_dir = stage.run().unwrap().run_dir;
    let path = run_dir.join(crate::record::JOURNAL_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> =
        text.lines().take_while(|line| !line.contains("\"after_timing\":")).collect();
    assert!(kept.len() < text.lines().count());
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let before = stage.pids().len();
    let found = stage.run().unwrap().evidence.facts.contracts;
    assert_eq!(found[0].state, ContractState::Kept);
    assert!(found[0].detail.contains(AFTER_A_CUT), "{found:?}");
    // off for its tokenizer, then the three arms
    assert_eq!(stage.pids().len() - before, 1 + 3);
}

#[test]
fn a_text_too_short_for_the_positions_is_refused() {
    let contract = Contract::Cosine { at_least: 0.9, basis: "a test".to_owned(), positions: 500 };
    let failure = Stage::new("").with_contract(contract).run().unwrap_err();
    assert!(failure.what.contains("500 tokens are needed"), "{failure}");
}

#[test]
fn an_arm_that_dies_over_its_logits_was_not_asked() {
    let mut stage = Stage::new(
        "[[when]]\nsettings = { threads = 2 }\nfault = { kind = \"crash\", command = \"logits\", nth = 1 }\n",
    )
    .with_contract(cosine(0.9));
    let mut other = stage.plan.arms[2].clone();
    other.name = "other".to_owned().try_into().unwrap();
    other.settings.threads = Some(3);
    stage.plan.arms.push(other);
    let facts = stage.run().unwrap().evidence.facts;
    assert_eq!(facts.arm_faults[0].kind, ArmFaultKind::Crashed);
    assert_eq!(facts.arm_faults[0].round, None);
    assert_eq!(facts.contracts[0].state, ContractState::NotRun);
    assert_eq!(facts.contracts[1].state, ContractState::Kept);
}
