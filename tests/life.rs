//! The life of an experiment through the command line, from a template to a verified record.

mod sandbox;

use sandbox::runs::assert_whole;
use sandbox::{Sandbox, fake_worker};
use serde_json::Value;

#[test]
fn an_experiment_lives_from_a_template_to_a_verified_record() {
    let sandbox = Sandbox::with_model();
    sandbox.runner(&["new", "from-template"]).expect_code(0).expect_text("from-template.toml");
    let file = sandbox.manifest("whole-life", &[]);
    let checked = sandbox.runner(&["check"]).expect_code(0);
    for id in ["from-template", "whole-life"] {
        assert!(checked.out.contains(&format!("{id}.toml: no faults")), "{}", checked.out);
    }
    let planned = sandbox.runner(&["plan", &file]).expect_code(0);
    for text in ["48 items", "3 arms, 5 rounds, 20 blocks in all", "chances", "earlier     0 runs"]
    {
        assert!(planned.out.contains(text), "{text:?} is missing: {}", planned.out);
    }
    sandbox
        .runner(&["register", &file])
        .expect_code(0)
        .expect_text("registered whole-life as ")
        .expect_text("experiment 1 on this question");
    sandbox.runner(&["list"]).expect_code(0).expect_text("registered, never run");
    sandbox.runner(&["exec", &file]).expect_code(0).expect_text("win fast (above_margin)");
    assert_whole(&sandbox.samples("whole-life"));
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    let listed = sandbox.runner(&["list"]).expect_code(0);
    for text in ["whole-life", "fast", "win", "above margin", "attempt 1"] {
        assert!(listed.out.contains(text), "{text:?} is missing: {}", listed.out);
    }
    sandbox.runner(&["show", "whole-life"]).expect_code(0).expect_text("win fast (above_margin)");
    sandbox.runner(&["report"]).expect_code(0).expect_text("INDEX.md");
    let index = std::fs::read_to_string(sandbox.path("results/INDEX.md")).unwrap();
    assert!(index.contains("1 record, 1 comparison: 1 win."), "{index}");
    sandbox.runner(&["report", "--check"]).expect_code(0);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}

#[test]
fn the_table_shows_the_paired_and_the_pooled_view_with_their_counts() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("the-table", &[]);
    let table = sandbox.runner(&["exec", "--register", &file]).expect_code(0).out;
    let texts = [
        "the-table/",
        "Two threads against one",
        // columns
        "comparison",
        "median",
        "quartiles",
        "ratio to off",
        "paired, pooled",
        "verdict",
        // n
        "5 rounds",
        "20 blocks",
        // values with their unit, ratio with its interval
        "tokens/s",
        "1.198x (+19.8 %)",
        "95 %",
        "pooled 1.",
        // k of n
        "rounds 5 of 5",
        "inputs 20 of 20",
        "Holm p",
        "win fast (above_margin): the interval ",
        "claim: ",
        "contracts:",
        "fast: identical kept, ",
        "noise floor (off against off again):",
        "no bias seen",
        "completed; 5 rounds judged, 20 blocks measured",
        "engine ",
        "provenance:",
        "attempt 1",
        "rules version 3",
        "model builtin-tiny, engine fake 1",
        "Described CPU, 2 cores (described by files",
    ];
    for text in texts {
        assert!(table.contains(text), "{text:?} is missing:\n{table}");
    }
    let shown = sandbox.runner(&["show", "the-table"]).expect_code(0).out;
    assert_eq!(shown, table);
}

#[test]
fn registering_again_changes_nothing() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("twice", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let before = sandbox.snapshot("results");
    assert_eq!(before.len(), 1, "{:?}", before.keys());
    sandbox.runner(&["register", &file]).expect_code(0).expect_text("is registered already");
    assert_eq!(sandbox.snapshot("results"), before);
}

#[test]
fn a_verdict_can_be_made_a_failure_and_is_stored_all_the_same() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("fail-on", &[]);
    sandbox.runner(&["exec", "--register", "--fail-on", "win,loss", &file]).expect_code(1);
    sandbox.runner(&["show", "fail-on"]).expect_code(0).expect_text("win fast (above_margin)");
    // a verdict that did not come is no failure
    sandbox.runner(&["exec", "--fail-on", "loss,parked", &file]).expect_code(0);
    sandbox.runner(&["exec", "--fail-on", "fast", &file]).expect_code(2);
}

#[test]
fn a_second_run_is_attempt_two_and_does_not_win_alone_after_a_loss() {
    let sandbox = Sandbox::with_model();
    let quiet = std::fs::read_to_string(sandbox.path("script.toml")).unwrap();
    sandbox.script(&quiet.replace("833_000", "1_250_000"));
    let file = sandbox.manifest("again", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0).expect_text("loss fast");
    let first = sandbox.runs("again").pop().unwrap();
    sandbox.script(&quiet);
    let said = sandbox.runner(&["exec", "--json", &file]).expect_code(0);
    let record = &said.json()["record"];
    assert_eq!(record["attempt"], 2);
    assert_eq!(record["earlier"][0]["run"], first.as_str());
    assert_eq!(record["earlier"][0]["verdicts"][0]["verdict"], "loss");
    assert_eq!(record["claims"][0]["verdict"], "win");
    let claim = record["claims"][0]["sentence"].as_str().unwrap();
    assert!(claim.starts_with(&format!("Attempt 2, after {first} loss: ")), "{claim}");
    assert!(claim.contains("does not win alone"), "{claim}");
    let runs = sandbox.runs("again");
    assert_eq!(runs.len(), 2);
    // the first run stays the one that is shown
    sandbox.runner(&["show", "again"]).expect_code(0).expect_text("attempt 1");
    let second = format!("again/{}", runs[1]);
    sandbox.runner(&["show", &second]).expect_code(0).expect_text("attempt 2");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("2 records verified");
}

#[test]
fn what_every_command_prints_with_json_is_one_json_document() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("as-json", &[]);
    let worker = fake_worker();
    let commands: [&[&str]; 17] = [
        &["init", "inner"],
        &["new", "another"],
        &["check", &file],
        &["plan", &file],
        &["register", &file],
        &["register", &file],
        &["exec", &file],
        &["list"],
        &["show", "as-json"],
        &["report"],
        &["report", "--check"],
        &["record", "verify"],
        &["model", "list"],
        &["model", "path", "builtin-tiny"],
        &["engine", "info", "--worker", &worker],
        &["schema"],
        &["exec", "--register", &file],
    ];
    for command in commands {
        let arguments = [&["--json"], command].concat();
        let said = sandbox.runner(&arguments).expect_code(0);
        let read = serde_json::from_str::<Value>(&said.out);
        assert!(read.is_ok(), "{command:?}: {read:?}\n{}", said.out);
    }
    // the machine may be busy
    sandbox.runner(&["--json", "machine", "quiet", "--seconds", "0.5"]).json();
    let failed = sandbox.runner(&["--json", "exec", "nowhere.toml"]).expect_code(2).json();
    assert_eq!(failed["error"]["exit_code"], 2);
    assert_eq!(failed["error"]["place"], "nowhere.toml");
}
