//! A ladder's rule, held against every rung that was measured, through the command line.
//!
//! Of a run of five arms that is registered by `exec --register`, the first process belongs to the
//! registration, the next twelve to the preflight, and each five after that to a round.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::judged::Judged;
use sandbox::{QUIET_SCRIPT, Sandbox};
use serde_json::Value;

/// The treatment of the sandbox's manifest: the ladder takes its place.
const FAST: &str = "[[arm]]\nname = \"fast\"\nrole = \"treatment\"\nthreads = 2\n\
                    contract.identical.of = \"tokens\"\n";

/// A ladder over threads with a rule; off stands at one thread.
fn ladder(rungs: &str, assumes: &str, under: &str) -> String {
    format!(
        "[ladder]\nsetting = \"threads\"\nrungs = {rungs}\ncontract.identical.of = \"tokens\"\n\
         stop.assumes = \"{assumes}\"\nstop.{under}\n"
    )
}

const PER_DOUBLING: &str = "under_percent_per_doubling = 5.0";
const PER_STEP: &str = "under_percent_per_step = 5.0";

/// Scripted so that so many threads have this ratio to one.
fn script(noise_sd: f64, ratios: &[(u32, f64)]) -> Sandbox {
    let sandbox = Sandbox::with_model();
    let base = QUIET_SCRIPT.split("[[when]]").next().unwrap();
    let mut text = base.replace("noise_sd = 0.01", &format!("noise_sd = {noise_sd}"));
    for (threads, ratio) in ratios {
        let nanoseconds = (1_000_000.0 / ratio).round();
        text.push_str(&format!(
            "[[when]]\nsettings = {{ threads = {threads} }}\n\
             decode_nanoseconds_per_token = {nanoseconds}\n"
        ));
    }
    sandbox.script(&text);
    sandbox
}

/// Each step buys 8 %, 3 % and 14.8 %.
const PLATEAU_THEN_STEP: [(u32, f64); 3] =
    [(2, 1.08), (16, 1.08 * 1.03), (64, 1.08 * 1.03 * 1.148)];

fn climbed(sandbox: &Sandbox, id: &str, ladder: &str) -> Judged {
    sandbox.judge(id, &[(FAST, ladder)])
}

/// The one finding, and its reason code.
fn finding(judged: &Judged) -> (&Value, &str) {
    let all = judged.ladder();
    assert_eq!(all.len(), 1, "{all:?}");
    (&all[0], all[0]["reason"]["code"].as_str().unwrap())
}

fn text(finding: &Value) -> &str {
    finding["reason"]["text"].as_str().unwrap()
}

#[test]
fn l12_a_rule_that_stops_at_sixteen_is_contradicted_by_sixty_four() {
    let sandbox = script(0.01, &PLATEAU_THEN_STEP);
    let rule = ladder("[2, 16, 64]", "diminishing", PER_STEP);
    let judged = climbed(&sandbox, "l12", &rule);
    // every rung was run, and each has its own verdict
    judged.expect("threads=64", "win", "above_margin");
    assert_eq!(judged.comparison("threads=64")["rounds"], 5);
    assert_eq!(judged.code, 0);
    let (found, code) = finding(&judged);
    assert_eq!(code, "ladder_rule_stops_before_best", "{found:#}");
    assert_eq!(found["stops_at"], "threads=16");
    assert_eq!(found["best"], "threads=64");
    assert_eq!(found["later_step"], "threads=64");
    let gained = found["rival_over_kept"]["log_ratio"].as_f64().unwrap().exp();
    assert!((1.13..1.17).contains(&gained), "{gained}");
    for words in ["the returns do not diminish as the rule assumes", "`threads=64` is better than"]
    {
        assert!(text(found).contains(words), "{found:#}");
    }
    // the report says it before anything else
    let shown = sandbox.runner(&["show", "l12"]).expect_code(0).out;
    let second = shown.lines().nth(1).unwrap();
    assert!(
        second.starts_with("LADDER RULE CONTRADICTED (ladder_rule_stops_before_best)"),
        "{shown}"
    );
    assert!(shown.contains("stops here") && shown.contains("a later step, best"), "{shown}");
    let run = sandbox.runs("l12").pop().unwrap();
    let table = sandbox.path(&format!("results/l12/{run}/table.md"));
    let table = std::fs::read_to_string(table).unwrap();
    let headline = table.find("**LADDER RULE CONTRADICTED").unwrap();
    assert!(headline < table.find("| comparison |").unwrap(), "{table}");
    assert!(table.contains("| off itself |"), "off is the lowest place\n{table}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn steps_of_several_doublings_are_shared_out() {
    // 16 to 64 buys 14.8 % over two doublings: 7.1 % each
    let sandbox = script(0.01, &PLATEAU_THEN_STEP);
    let judged = climbed(&sandbox, "shared", &ladder("[2, 16, 64]", "unknown", PER_DOUBLING));
    let (found, code) = finding(&judged);
    assert_eq!(code, "ladder_rule_stops_before_best", "{found:#}");
    assert_eq!(found["stops_at"], "threads=16");
    let steps: Vec<&Value> =
        found["places"].as_array().unwrap().iter().map(|place| &place["step"]).collect();
    assert!(steps[0].is_null(), "{found:#}");
    assert_eq!(steps[2]["doublings"], 3.0);
    let bought = steps[3]["bought_percent"].as_f64().unwrap();
    assert!((6.0..8.0).contains(&bought), "{bought}");
    // nothing was assumed, so nothing of that kind is contradicted
    assert!(!text(found).contains("diminish"), "{found:#}");
}

#[test]
fn a_rule_that_keeps_the_best_is_upheld_whichever_curve_it_assumes() {
    let sandbox = script(0.01, &[(2, 1.12), (16, 1.13), (64, 1.135)]);
    for assumes in ["diminishing", "unknown"] {
        let judged = climbed(&sandbox, assumes, &ladder("[2, 16, 64]", assumes, PER_DOUBLING));
        let (found, code) = finding(&judged);
        assert_eq!(code, "ladder_rule_finds_best", "{found:#}");
        assert_eq!(found["stops_at"], "threads=16");
        assert!(found["later_step"].is_null(), "{found:#}");
        // with either curve the whole ladder is run
        assert_eq!(judged.comparison("threads=64")["rounds"], 5);
    }
    sandbox.runner(&["show", "unknown"]).expect_code(0).expect_text("ladder rule upheld");
}

#[test]
fn a_rule_that_never_stops_climbs_to_the_best() {
    let sandbox = script(0.01, &[(2, 1.2), (4, 1.4)]);
    let judged = climbed(&sandbox, "on", &ladder("[2, 4]", "diminishing", PER_DOUBLING));
    let (found, code) = finding(&judged);
    assert_eq!((code, &found["best"]), ("ladder_rule_never_stops", &"threads=4".into()));
    assert!(found["stops_at"].is_null());
}

#[test]
fn off_may_be_the_best_place_of_all() {
    let sandbox = script(0.01, &[(2, 0.9), (4, 0.8)]);
    let judged = climbed(&sandbox, "off-best", &ladder("[2, 4]", "diminishing", PER_DOUBLING));
    let (found, code) = finding(&judged);
    assert_eq!((code, &found["best"]), ("ladder_rule_finds_best", &"off".into()));
    assert_eq!(found["stops_at"], "threads=2");
}

#[test]
fn in_noise_the_finding_says_that_the_samples_do_not_tell() {
    let sandbox = script(0.12, &PLATEAU_THEN_STEP);
    let judged = climbed(&sandbox, "noise", &ladder("[2, 16, 64]", "diminishing", PER_STEP));
    let (found, code) = finding(&judged);
    assert_eq!(code, "ladder_undecided", "{found:#}");
    assert!(found["best"] != found["kept"], "{found:#}");
    assert!(text(found).contains("the samples do not tell"), "{found:#}");
}

#[test]
fn a_rung_that_ended_with_a_fault_before_the_stop_leaves_the_rule_unanswered() {
    let crash = |threads: u32| {
        let sandbox = script(0.01, &PLATEAU_THEN_STEP);
        let mut text = std::fs::read_to_string(sandbox.path("script.toml")).unwrap();
        text.push_str(&format!(
            "[[when]]\nsettings = {{ threads = {threads} }}\nprocesses = [19, 20, 21, 22, 23]\n\
             fault = {{ kind = \"crash\", command = \"decode\", nth = 4 }}\n"
        ));
        sandbox.script(&text);
        sandbox
    };
    let rule = ladder("[2, 16, 64]", "diminishing", PER_STEP);
    let judged = climbed(&crash(16), "before", &rule);
    judged.expect("threads=16", "void", "arm_fault");
    let (found, code) = finding(&judged);
    assert_eq!(code, "ladder_not_evaluated", "{found:#}");
    assert!(
        text(found).contains("`threads=16`, and no figure of it counts (arm_fault)"),
        "{found:#}"
    );
    assert!(found["best"].is_null(), "{found:#}");
    // one beyond the stop may have been the best
    let judged = climbed(&crash(64), "beyond", &rule);
    let (found, code) = finding(&judged);
    assert_eq!(code, "ladder_undecided", "{found:#}");
    assert_eq!(found["stops_at"], "threads=16");
    assert!(text(found).contains("no figure counts of `threads=64`"), "{found:#}");
}

#[test]
fn without_a_rule_a_ladder_has_no_finding() {
    let sandbox = script(0.01, &PLATEAU_THEN_STEP);
    let rule = ladder("[2, 16, 64]", "diminishing", PER_STEP);
    let plain = rule.split("stop.").next().unwrap();
    let judged = climbed(&sandbox, "plain", plain);
    assert!(judged.ladder().is_empty(), "{judged:?}");
    let shown = sandbox.runner(&["show", "plain"]).expect_code(0).out;
    assert!(!shown.contains("ladder rule"), "{shown}");
}

#[test]
fn rules_that_cannot_be_held_against_their_rungs_are_refused() {
    let sandbox = Sandbox::with_model();
    let refused = |ladder: &str, more: &[(&str, &str)]| {
        let mut changes = vec![(FAST, ladder)];
        changes.extend(more);
        let file = sandbox.manifest("refused", &changes);
        sandbox.runner(&["check", &file]).expect_code(2).err
    };
    let one = refused(&ladder("[2]", "unknown", PER_DOUBLING), &[]);
    assert!(
        one.contains("a rule over 2 places of a ladder can never stop before the best"),
        "{one}"
    );
    let order = refused(&ladder("[16, 2, 64]", "unknown", PER_DOUBLING), &[]);
    assert!(order.contains("error[bad-rungs]: the rung 2 cannot follow 16"), "{order}");
    let none = refused(&ladder("[2, 16]", "unknown", "under_percent_per_doubling = 0"), &[]);
    assert!(none.contains("error[out-of-range]"), "{none}");
    let both = ladder("[2, 16]", "unknown", &format!("{PER_DOUBLING}\nstop.{PER_STEP}"));
    assert!(refused(&both, &[]).contains("error[exclusive-keys]"));
    let looks = "[stop.group_sequential]\nlooks_at_rounds = [8, 16]\nspending = \"pocock\"\n";
    let looks = refused(
        &ladder("[2, 16]", "unknown", PER_DOUBLING),
        &[("[stop.fixed]\n", looks), ("rounds = 5", "rounds = 16")],
    );
    assert!(looks.contains("a ladder's rule and `[stop.group_sequential]` exclude"), "{looks}");
    let words = ladder("[\"f16\", \"q8_0\", \"q4_0\"]", "unknown", PER_DOUBLING)
        .replace("setting = \"threads\"", "setting = \"kv_key_type\"");
    let words = refused(&words, &[]);
    assert!(words.contains("values of `kv_key_type` have no double"), "{words}");
    let assumes = refused(&ladder("[2, 16]", "convex", PER_DOUBLING), &[]);
    assert!(assumes.contains("error[unknown-value]"), "{assumes}");
    let silent = ladder("[2, 16]", "unknown", PER_DOUBLING);
    let silent = silent.replace(&format!("stop.{PER_DOUBLING}\n"), "");
    let silent = refused(&silent, &[]);
    assert!(silent.contains("the ladder's rule does not say when it stops"), "{silent}");
}

#[test]
fn the_template_has_a_rule_and_is_right() {
    let sandbox = Sandbox::with_model();
    sandbox.runner(&["new", "steps", "--template", "ladder"]).expect_code(0);
    sandbox.runner(&["check", "experiments/steps.toml"]).expect_code(0);
    let text = std::fs::read_to_string(sandbox.path("experiments/steps.toml")).unwrap();
    assert!(text.contains("stop.assumes = \"unknown\""), "{text}");
}
