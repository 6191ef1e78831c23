//! `record spread`: the structure of a record's noise and the sizes that follow from it.

mod sandbox;

use sandbox::Sandbox;
use serde_json::Value;

/// A run of ten rounds of four blocks, with noise and real time in it.
fn measured(sandbox: &Sandbox, id: &str) -> Value {
    let file = sandbox.manifest(id, &[("rounds = 5", "rounds = 10")]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    sandbox.runner(&["--json", "record", "spread", id]).expect_code(0).json()
}

#[test]
fn levels_costs_and_sizes_of_a_record() {
    let sandbox = Sandbox::with_model();
    let said = measured(&sandbox, "spread-it");
    assert_eq!((&said["arms"], &said["blocks_per_round"]), (&3.into(), &4.into()));
    let conditions = said["conditions"].as_array().unwrap();
    assert_eq!((conditions.len(), &conditions[0]["condition"]), (1, &"".into()));
    let spread = &conditions[0]["spread"];
    assert_eq!((&spread["rounds"], &spread["blocks"]), (&10.into(), &40.into()));
    let levels = spread["levels"].as_array().unwrap();
    let names: Vec<&str> = levels.iter().map(|level| level["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["round", "block", "chunk"]);
    let freedoms: Vec<u64> =
        levels.iter().map(|level| level["freedom"].as_u64().unwrap()).collect();
    assert_eq!(freedoms, [9, 30, 40]);
    // The script: 1 % a reading of eight tokens, two readings an arm and block, 0.3 % a process.
    let number = |value: &Value| value.as_f64().unwrap();
    let whole = number(&spread["whole_block_sd_percent"]);
    assert!((0.7..1.4).contains(&whole), "1 % is right: {whole}");
    let chunk = number(&levels[2]["sd_percent"]);
    assert!((1.0..1.9).contains(&chunk), "1.41 % is right: {chunk}");
    let value = number(&spread["round_value_sd_percent"]);
    assert!((0.3..1.2).contains(&value), "0.7 % is right: {value}");
    // t(0.975, 9) / sqrt(10)
    let half_width = number(&spread["half_width_percent"]);
    assert!((half_width / value - 0.715_356_5).abs() < 1e-6, "{half_width} {value}");
    let costs = &spread["costs"];
    for cost in ["round_seconds", "block_seconds", "chunk_seconds"] {
        assert!(number(&costs[cost]) > 0.0, "{costs}");
    }
    assert_eq!(costs["chunks"], 2);
    let advice = spread["advice"].as_array().unwrap();
    assert_eq!(advice.len(), 3);
    for one in advice {
        let minutes = number(&one["minutes"]);
        let best = &one["best"];
        assert!(number(&best["minutes"]) <= minutes, "{one}");
        assert!(number(&best["rounds"]) >= 8.0, "{one}");
        assert!(number(&one["with_trimming"]["blocks_per_round"]) >= 4.0, "{one}");
        let better = number(&best["half_width_percent"]);
        assert!(better <= number(&one["with_trimming"]["half_width_percent"]), "{one}");
    }
}

#[test]
fn the_table_names_units_and_every_condition_value() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest(
        "by-depth",
        &[("[metric]", "[condition]\nsetting = \"depth_tokens\"\nvalues = [0, 64]\n\n[metric]")],
    );
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let run = format!("by-depth/{}", sandbox.runs("by-depth")[0]);
    let table = sandbox.runner(&["record", "spread", &run]).expect_code(0).out;
    let texts = [
        run.as_str(),
        "depth_tokens",
        "= 0 ",
        "= 64 ",
        "5 rounds",
        "20 blocks",
        "whole",
        "round's",
        "in 10 minutes",
        "5 min",
        "20 min",
        "four blocks",
        "2 chunks",
        "100 times the log ratio",
        "wall time with 3 arms",
    ];
    for text in texts {
        assert!(table.contains(text), "{text:?} is missing:\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    assert!(!table.contains("NaN") && !table.contains("inf "), "{table}");
}

#[test]
fn equal_times_have_no_spread_and_no_nan() {
    let sandbox = Sandbox::with_model();
    let quiet = std::fs::read_to_string(sandbox.path("script.toml")).unwrap();
    let still = quiet.replace("noise_sd = 0.01", "").replace("process_sd = 0.003", "");
    sandbox.script(&still);
    let said = measured(&sandbox, "still");
    let spread = &said["conditions"][0]["spread"];
    assert_eq!(spread["round_value_sd_percent"], 0.0);
    assert_eq!(spread["half_width_percent"], 0.0);
    let levels = spread["levels"].as_array().unwrap();
    assert!(levels.iter().all(|level| level["sd_percent"] == 0.0), "{spread}");
    sandbox.runner(&["record", "spread", "still"]).expect_code(0);
}

#[test]
fn too_little_has_a_reason_and_what_is_not_there_is_said() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest(
        "one-block",
        &[
            ("blocks_per_round = 4", "blocks_per_round = 1"),
            ("assumed_block_sd_percent = 1.0", "assumed_block_sd_percent = 0.5"),
        ],
    );
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let said = sandbox.runner(&["--json", "record", "spread", "one-block"]).expect_code(0).json();
    assert_eq!(said["conditions"][0]["spread"], Value::Null);
    let reason = said["conditions"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("two accepted blocks"), "{reason}");
    sandbox
        .runner(&["record", "spread", "one-block"])
        .expect_code(0)
        .expect_text("no two whole rounds");
    sandbox.runner(&["record", "spread", "nowhere"]).expect_code(1).expect_text("no such record");
    sandbox.runner(&["record", "spread", "Not An Id"]).expect_code(2);
}

#[test]
fn changed_samples_are_not_read() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("changed", &[]);
    sandbox.runner(&["exec", "--register", &file]).expect_code(0);
    let samples = sandbox.files("results/changed");
    let samples = samples.iter().find(|file| file.ends_with(".jsonl"));
    // a build with Parquet has no lines to change
    let Some(samples) = samples else { return };
    let text = std::fs::read_to_string(sandbox.path(samples)).unwrap();
    let cut: Vec<&str> = text.lines().skip(1).collect();
    sandbox.write(samples, cut.join("\n") + "\n");
    sandbox
        .runner(&["record", "spread", "changed"])
        .expect_code(1)
        .expect_text("changed after they were sealed");
}
