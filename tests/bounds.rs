//! Figures held against bounds of the machine, through the command line.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::bounds::{drawn, machine, store_bounds};
use sandbox::judged::Judged;
use sandbox::{QUIET_SCRIPT, Sandbox};
use serde_json::Value;

/// What an arm reached of a bound.
fn reached<'a>(judged: &'a Judged, arm: &str, bound: &str) -> &'a Value {
    let all = judged.analysis()["bounds"].as_array().unwrap();
    all.iter().find(|one| one["arm"] == arm && one["bound"] == bound).unwrap()
}

/// Bytes and multiply-adds that off reaches a second, found by a run under bounds that are far.
fn of_off(sandbox: &Sandbox, id: &str, replacements: &[(&str, &str)]) -> [f64; 2] {
    store_bounds(sandbox, 1e15, 1e15);
    let judged = sandbox.judge(id, replacements);
    ["read_bandwidth", "multiply_adds"]
        .map(|bound| reached(&judged, "off", bound)["value"].as_f64().unwrap())
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn shows(sandbox: &Sandbox, id: &str, texts: &[&str]) {
    let shown = flat(&sandbox.runner(&["show", id]).expect_code(0).out);
    let run = sandbox.runs(id).pop().unwrap();
    let path = sandbox.path(&format!("results/{id}/{run}/table.md"));
    let table = flat(&std::fs::read_to_string(path).unwrap());
    for text in texts {
        assert!(shown.contains(text), "{text:?} is missing:\n{shown}");
        // Markdown escapes some characters
        assert!(table.replace('\\', "").contains(text), "{text:?} is missing:\n{table}");
    }
}

#[test]
fn l05_ten_times_the_bandwidth_is_void_with_both_numbers() {
    let sandbox = Sandbox::with_model();
    sandbox.script(QUIET_SCRIPT);
    let [bytes, operations] = of_off(&sandbox, "far", &[]);
    // builtin-tiny in F16: 4 blocks, the output, one row; a thousand evaluations a second
    assert!((1e9..1e10).contains(&bytes), "{bytes}");
    assert!((0.5e9..5e9).contains(&operations), "{operations}");
    shows(&sandbox, "far", &["off reaches 0 % of the largest read bandwidth seen"]);

    store_bounds(&sandbox, bytes / 10.0, 1e15);
    let judged = sandbox.judge("ten-times", &[]);
    let reason = judged.expect("fast", "void", "bound_passed").to_owned();
    assert_eq!(judged.code, 4);
    let gigabytes = |value: f64| format!("{:.2} GB/s", value * 1e-9);
    assert!(reason.contains("`off` would have read"), "{reason}");
    assert!(reason.contains(&gigabytes(bytes / 10.0)), "{reason}");
    assert!(reason.contains(&gigabytes(bytes / 8.0)), "{reason}");
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
    let value = reached(&judged, "off", "read_bandwidth")["value"].as_f64().unwrap();
    assert!((0.9..1.1).contains(&(value / bytes)), "{value} against {bytes}");
    shows(&sandbox, "ten-times", &["off PASSES its bound: ", "bound_passed"]);
    // the verdict follows from the record alone, whatever is stored for the machine now
    store_bounds(&sandbox, 1e15, 1e15);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn the_share_of_the_bound_is_told_and_a_little_over_it_is_a_warning() {
    let sandbox = Sandbox::with_model();
    sandbox.script(QUIET_SCRIPT);
    let [bytes, operations] = of_off(&sandbox, "far", &[]);
    store_bounds(&sandbox, 2.0 * bytes, 10.0 * operations);
    let judged = sandbox.judge("half", &[]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(reached(&judged, "off", "read_bandwidth")["state"], "within");
    shows(
        &sandbox,
        "half",
        &[
            " % of the largest read bandwidth seen (",
            "off reaches 10 % of the most multiply-adds seen (",
        ],
    );
    // fast is a fifth above off
    store_bounds(&sandbox, 1.1 * bytes, 1e15);
    let judged = sandbox.judge("over", &[]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(reached(&judged, "fast", "read_bandwidth")["state"], "over_largest_seen");
    shows(&sandbox, "over", &["warning: fast reaches 1", "measure the bounds again"]);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn without_stored_bounds_the_bound_is_unknown_and_says_what_to_run() {
    let sandbox = Sandbox::with_model();
    let judged = sandbox.judge("nothing-stored", &[]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(reached(&judged, "off", "read_bandwidth")["state"], "unknown");
    shows(&sandbox, "nothing-stored", &["bound unknown: run `runner machine bounds`"]);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn the_check_of_bounds_is_shown_able_to_fail_in_every_run() {
    let sandbox = Sandbox::with_model();
    let judged = sandbox.judge("proof", &[]);
    let proof = &judged.facts()["bounds"]["proof"];
    let number = |key: &str| proof[key].as_f64().unwrap();
    assert!(number("impossible_bytes_per_second") >= 10.0 * number("limit_bytes_per_second"));
    shows(&sandbox, "proof", &["shown able to fail before the first block: a made-up"]);
}

#[test]
fn a_working_set_below_the_smallest_that_was_measured_has_no_bound() {
    let sandbox = Sandbox::with_model();
    store_bounds(&sandbox, 1.0, 1e15);
    let path = sandbox.files("results/machines").pop().unwrap();
    let text = std::fs::read_to_string(sandbox.path(&path)).unwrap();
    sandbox.write(&path, text.replace("working_set_bytes = 1024", "working_set_bytes = 268435456"));
    let judged = sandbox.judge("small", &[]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(reached(&judged, "off", "read_bandwidth")["state"], "unknown");
    shows(&sandbox, "small", &["fewer than the smallest working set that was measured"]);
}

#[test]
fn l05_rejected_drafts_were_computed_too() {
    let sandbox = Sandbox::with_model();
    sandbox.script("seed = 7\n[base]\nnoise_sd = 0.01\nprocess_sd = 0.003\naccepts = [2, 0, 4]\n");
    let drafts = [
        ("class = \"dense_throughput\"", "class = \"speculation\""),
        ("threads = 2\n", "draft_source = \"prompt_lookup\"\ndraft_tokens = 4\n"),
        (
            "[metric]\n",
            "[[arm]]\nname = \"full-width\"\nrole = \"control\"\n\
             draft_source = \"prompt_lookup\"\ndraft_tokens = 4\ndraft_acceptance = \"nothing\"\n\n\
             [metric]\n",
        ),
        ("decode_tokens = 16", "decode_tokens = 32"),
    ];
    let [_, operations] = of_off(&sandbox, "far-drafts", &drafts);
    // three tokens are kept of an evaluation, five were computed
    store_bounds(&sandbox, 1e15, 3.4 * operations);
    let judged = sandbox.judge("drafts", &drafts);
    let reason = judged.expect("fast", "void", "bound_passed");
    assert!(reason.contains("`fast` would have done"), "{reason}");
    assert!(reason.contains("multiply-adds/s over all readings"), "{reason}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn f11_rates_that_cannot_be_are_void_and_never_printed_as_infinite() {
    let sandbox = Sandbox::with_model();
    store_bounds(&sandbox, 1e9, 1e9);
    for (id, nanoseconds, code) in [("one", 1, "outside_support"), ("none", 0, "no_accepted_block")]
    {
        // of all arms: what one alone lacks would be an exclusion by arm
        sandbox.script(&format!("[base]\nnanoseconds = {nanoseconds}\n"));
        let judged = sandbox.judge(id, &[]);
        judged.expect("fast", "void", code);
        assert_eq!(judged.code, 4);
        let shown = sandbox.runner(&["show", id]).expect_code(0).out;
        let words: Vec<&str> = shown.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        assert!(!words.contains(&"inf") && !words.contains(&"NaN"), "{shown}");
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn bounds_that_cannot_be_read_are_refused_before_anything_is_measured() {
    let sandbox = Sandbox::with_model();
    store_bounds(&sandbox, 1e12, 1e12);
    let path = sandbox.files("results/machines").pop().unwrap();
    let sound = std::fs::read_to_string(sandbox.path(&path)).unwrap();
    for (spoilt, what) in [
        (sound.replace("greatest = 1e12", "greatest = inf"), "a figure that cannot be"),
        (sound.replace("format_version = 1", "format_version = 9"), "version 9"),
        (sound.replace("machine = \"described", "machine = \"other"), "they are those of `other"),
        ("[[read]\n".to_owned(), "cannot be read"),
    ] {
        sandbox.write(&path, &spoilt);
        let file = sandbox.manifest("spoilt", &[]);
        let said = sandbox.runner(&["exec", "--register", &file]).expect_code(1).expect_text(what);
        assert!(said.err.contains("runner machine bounds"), "{}", said.err);
        assert_eq!(sandbox.runs("spoilt"), Vec::<String>::new());
        let said = sandbox.runner(&["record", "verify"]).expect_code(1);
        assert!(said.out.contains("failed: machines/described-"), "{}", said.out);
    }
    sandbox.write(&path, sound);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn machine_bounds_measures_stores_and_is_no_experiment() {
    let sandbox = Sandbox::new();
    let said = sandbox.runner(&["machine", "bounds", "--seconds", "1"]).expect_code(0);
    for text in ["read 256 KiB", "copy ", "multiply-add f32", "last-level cache: unknown"] {
        assert!(said.out.contains(text), "{text:?} is missing:\n{}", said.out);
    }
    let name = machine(&sandbox);
    let path = sandbox.path(&format!("results/machines/{name}/bounds.toml"));
    let stored: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(stored["format_version"].as_integer(), Some(1));
    assert_eq!(stored["facts"]["described_by"].as_str(), Some("files"));
    for (figures, value) in [
        ("read", "bytes_per_second"),
        ("copy", "bytes_per_second"),
        ("multiply_adds", "per_second"),
    ] {
        let rows = stored[figures].as_array().unwrap();
        // one and two threads: the described machine has two processors
        assert!(rows.iter().any(|row| row["threads"].as_integer() == Some(2)), "{rows:?}");
        for row in rows {
            let spread = &row[value];
            assert!(spread["n"].as_integer().unwrap() >= 5, "{row}");
            assert!(spread["least"].as_float().unwrap() > 0.0, "{row}");
        }
    }
    sandbox.runner(&["record", "verify"]).expect_code(0);
    let listed = sandbox.runner(&["--json", "list"]).expect_code(0).json();
    assert_eq!(listed["results"], Value::from(Vec::<Value>::new()));
    let json = sandbox.runner(&["--json", "machine", "bounds", "--seconds", "1"]).expect_code(0);
    assert!(json.json()["largest"]["read"].as_array().unwrap().len() >= 3);
    sandbox.runner(&["machine", "bounds", "--seconds", "600"]).expect_code(2);
    // its folder's name is no experiment's
    let file = sandbox.manifest("machines", &[]);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text("results/machines/");
}

#[test]
fn machine_bounds_does_not_measure_beside_a_timed_run() {
    let sandbox = Sandbox::with_model();
    sandbox.script("[base]\nsleep = true\ndecode_nanoseconds_per_token = 20_000_000\n");
    let file = sandbox.manifest("busy", &[]);
    let mut child = sandbox.start(&["exec", "--register", &file]);
    sandbox::runs::wait_on(&mut child, "the run holds the machine", || {
        sandbox.entries("busy", "opened") == 1
    });
    sandbox
        .runner(&["machine", "bounds", "--seconds", "1"])
        .expect_code(3)
        .expect_text("another timed run holds this machine");
    sandbox::runs::kill(child);
}

#[test]
fn the_canary_sings_before_each_block_and_is_the_machines_noise_figure() {
    let sandbox = Sandbox::with_model();
    let judged = sandbox.judge("canary", &[]);
    let canary = &judged.facts()["canary"];
    for half in ["processor", "memory"] {
        assert_eq!(canary[half]["n"], 20, "{canary}");
        assert!(canary[half]["median"].as_f64().unwrap() > 0.0, "{canary}");
        assert!(canary[half]["spread_percent"].as_f64().unwrap() >= 0.0, "{canary}");
    }
    shows(&sandbox, "canary", &["canary before each block: processor ", "20 readings"]);
}

#[test]
fn canary_readings_survive_an_interruption() {
    let sandbox = Sandbox::with_model();
    sandbox.script(
        "seed = 7\n[base]\nnoise_sd = 0.01\n[[when]]\nprocesses = [12]\n\
         fault = { kind = \"hang\", command = \"decode\", nth = 3 }\n",
    );
    let file = sandbox.manifest("cut", &[]);
    let mut child = sandbox.start(&["exec", "--register", &file]);
    sandbox::runs::wait_on(&mut child, "some blocks", || sandbox.entries("cut", "block") >= 4);
    sandbox::runs::kill(child);
    let blocks = sandbox.journal("cut");
    let with_canary = blocks.iter().filter(|line| line["block"]["canary"].is_object()).count();
    assert_eq!(with_canary, sandbox.entries("cut", "block"));
    sandbox.script("seed = 7\n[base]\nnoise_sd = 0.01\n");
    let said = sandbox.runner(&["--json", "exec", &file]).expect_code(0);
    assert_eq!(said.json()["record"]["facts"]["canary"]["memory"]["n"], 20);
}

#[test]
fn l07_bounds_of_a_single_draw_hold_nothing() {
    let sandbox = Sandbox::with_model();
    sandbox.script(QUIET_SCRIPT);
    store_bounds(&sandbox, 1e15, 1e15);
    let name = machine(&sandbox);
    let path = format!("results/machines/{name}/bounds.toml");
    let five = std::fs::read_to_string(sandbox.path(&path)).unwrap();
    // the same figures as one draw each: no spread, no percentiles
    sandbox.write(&path, five.replace(&drawn(5), &drawn(1)));
    let file = sandbox.manifest("one-draw", &[]);
    sandbox
        .runner(&["exec", "--register", &file])
        .expect_code(1)
        .expect_text("a figure of 1 draw is no distribution")
        .expect_text("runner machine bounds");
    assert!(sandbox.runs("one-draw").is_empty(), "nothing is judged by it");
    sandbox
        .runner(&["record", "verify"])
        .expect_code(1)
        .expect_text("a figure of 1 draw is no distribution");
    sandbox.write(&path, five);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}
