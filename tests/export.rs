//! A record in the forms of other programs.

mod sandbox;

use std::collections::BTreeSet;

use sandbox::Sandbox;
use serde_json::Value;

/// A sandbox with the finished experiment `out`.
fn with_record(replacements: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.judge("out", replacements);
    sandbox
}

fn export(sandbox: &Sandbox, format: &str, output: &str) {
    let arguments = ["record", "export", "out", "--format", format, "--output", output];
    sandbox.runner(&arguments).expect_code(0).expect_text(output);
}

fn text(sandbox: &Sandbox, file: &str) -> String {
    std::fs::read_to_string(sandbox.path(file)).unwrap()
}

#[test]
fn csv_json_and_the_record_hold_the_same_samples() {
    let sandbox = with_record(&[]);
    export(&sandbox, "csv", "out.csv");
    export(&sandbox, "json", "out.json");
    let rows = sandbox.samples("out");
    let csv = text(&sandbox, "out.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), rows.len() + 1);
    let first = &rows[0];
    let expected = format!(
        "{},{},{},{},{},{},{},{},prompt,{},{},{},timed,{}",
        first.condition,
        first.round,
        first.segment,
        first.block,
        first.chunk,
        first.place,
        first.arm,
        first.input,
        first.tokens,
        first.nanoseconds,
        first.started_nanoseconds,
        first.flags
    );
    assert_eq!(lines[1], expected);
    let json: Value = serde_json::from_str(&text(&sandbox, "out.json")).unwrap();
    assert_eq!(json["samples"].as_array().unwrap().len(), rows.len());
    assert_eq!(json["samples"][0]["nanoseconds"], first.nanoseconds);
    let columns: Vec<&str> =
        json["columns"].as_array().unwrap().iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(columns.join(","), lines[0]);
    assert_eq!(json["record"]["analysis"]["comparisons"][0]["verdict"], "win");
    // without a place it goes to standard output
    let said = sandbox.runner(&["record", "export", "out", "--format", "csv"]).expect_code(0);
    assert_eq!(said.out, csv);
}

#[test]
fn bencher_gets_ratios_with_their_intervals_and_nothing_of_what_is_void() {
    let sandbox = with_record(&[]);
    export(&sandbox, "bencher", "b.json");
    let json: Value = serde_json::from_str(&text(&sandbox, "b.json")).unwrap();
    let ratio = &json["out/fast"]["ratio_to_off"];
    let value = |key: &str| ratio[key].as_f64().unwrap();
    assert!(value("lower_value") < value("value") && value("value") < value("upper_value"));
    assert!(json["out/off"]["decode_tokens_per_second"]["value"].is_number(), "{json}");
    // a struck figure is not quoted any more
    let run = sandbox.runs("out").pop().unwrap();
    let cause = ["record", "retract", &format!("out/{run}"), "--cause", "the clock was wrong"];
    sandbox.runner(&cause);
    let said = sandbox.runner(&["record", "export", "out", "--format", "bencher"]).expect_code(0);
    assert!(said.err.contains("left out: out/fast: struck on"), "{}", said.err);
    assert_eq!(said.json(), serde_json::json!({}));
    let sandbox = Sandbox::with_model();
    // it changes the output: the contract is broken, the speed proves nothing
    sandbox.script(&format!(
        "{}[[when]]\nsettings = {{ threads = 2 }}\ndiverge_from_position = 20\n",
        sandbox::QUIET_SCRIPT
    ));
    sandbox.judge("out", &[]);
    let said = sandbox.runner(&["record", "export", "out", "--format", "bencher"]).expect_code(0);
    assert!(said.err.contains("left out: out/fast: void"), "{}", said.err);
    assert_eq!(said.json(), serde_json::json!({}));
}

#[test]
fn a_crate_describes_every_file_and_the_action_that_made_them() {
    let sandbox = with_record(&[]);
    export(&sandbox, "ro-crate", "crate");
    let json: Value =
        serde_json::from_str(&text(&sandbox, "crate/ro-crate-metadata.json")).unwrap();
    let graph = json["@graph"].as_array().unwrap();
    let find = |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap();
    let root = find("./");
    let parts: BTreeSet<String> = root["hasPart"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| format!("crate/{}", part["@id"].as_str().unwrap()))
        .collect();
    let mut lying: BTreeSet<String> = sandbox.files("crate").into_iter().collect();
    assert!(lying.remove("crate/ro-crate-metadata.json"));
    assert_eq!(parts, lying);
    assert!(lying.iter().any(|file| file.starts_with("crate/ledger/")), "{lying:?}");
    let run = find("#run");
    assert_eq!(run["@type"], "CreateAction");
    for entity in run["instrument"].as_array().unwrap() {
        assert!(find(entity["@id"].as_str().unwrap())["softwareVersion"].is_string());
    }
    let sealed = find("record.toml");
    let bytes = std::fs::read(sandbox.path("crate/record.toml")).unwrap();
    assert_eq!(sealed["contentSize"], bytes.len().to_string());
    assert_eq!(sealed["identifier"], format!("blake3:{}", blake3::hash(&bytes).to_hex()));
    // every reference within the crate leads somewhere
    let ids: BTreeSet<&str> = graph.iter().filter_map(|entity| entity["@id"].as_str()).collect();
    for entity in graph {
        let mut references = Vec::new();
        collect(entity, &mut references);
        let lost: Vec<&String> = references
            .iter()
            .filter(|id| !ids.contains(id.as_str()) && !id.starts_with("https://"))
            .collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
    // a folder that holds something is left alone
    let again = ["record", "export", "out", "--format", "ro-crate", "--output", "crate"];
    sandbox.runner(&again).expect_code(1).expect_text("something already");
}

fn collect(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            ids.extend(object.get("@id").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| collect(value, ids));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, ids)),
        _ => {}
    }
}

#[test]
fn a_form_that_is_no_text_needs_a_place_and_a_wrong_place_is_named() {
    let sandbox = with_record(&[]);
    for format in ["parquet", "ro-crate"] {
        let arguments = ["record", "export", "out", "--format", format];
        sandbox.runner(&arguments).expect_code(2).expect_text("--output PATH");
    }
    let nowhere = ["record", "export", "out", "--format", "csv", "--output", "no/such/folder.csv"];
    sandbox.runner(&nowhere).expect_code(1).expect_text("no/such/folder.csv");
    let nobody = ["record", "export", "nobody", "--format", "csv"];
    sandbox.runner(&nobody).expect_code(1).expect_text("there is no such record");
    let run = sandbox.runs("out").pop().unwrap();
    let place = format!("results/out/{run}/table.md");
    sandbox.write(&place, "better");
    let changed = ["record", "export", "out", "--format", "ro-crate", "--output", "c"];
    sandbox.runner(&changed).expect_code(1).expect_text("changed after it was sealed");
}

#[test]
fn a_step_summary_is_appended_with_negative_results_beside_wins() {
    let sandbox = with_record(&[]);
    sandbox.script(
        "seed = 7\n[base]\ndecode_nanoseconds_per_token = 1_000_000\nnoise_sd = 0.01\nprocess_sd = 0.003\n\
         [[when]]\nsettings = { threads = 2 }\ndecode_nanoseconds_per_token = 1_200_000\n",
    );
    sandbox.judge(
        "slower",
        &[
            ("Two threads", "<b>Two threads"),
            ("prior_access = \"none\"", "prior_access = \"seen\""),
        ],
    );
    let mut command = sandbox.command(&["report", "--github-summary"]);
    sandbox.write("summary.md", "before\n");
    let said = command.env("GITHUB_STEP_SUMMARY", sandbox.path("summary.md")).output().unwrap();
    assert!(said.status.success());
    let summary = text(&sandbox, "summary.md");
    assert!(summary.starts_with("before\n## Experiments\n"), "{summary}");
    for expected in ["| win: above\\_margin", "| loss: below\\_margin", "2 records, 2 comparisons"]
    {
        let plain = expected.replace("\\_", "_");
        assert!(summary.contains(&plain), "{plain:?} is missing: {summary}");
    }
    let one = sandbox.runner(&["report", "slower", "--github-summary"]).expect_code(0);
    assert!(one.out.contains("1 record, 1 comparison: 1 loss."), "{}", one.out);
}
