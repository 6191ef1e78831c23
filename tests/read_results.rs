//! The example that opens results in Python finds the figures that records state. Needs
//! `RUNNER_TEST_PYTHON`: a Python with the packages of docs/examples/requirements.txt.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod sandbox;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sandbox::Sandbox;

fn python() -> Option<PathBuf> {
    let python = std::env::var_os("RUNNER_TEST_PYTHON").filter(|path| !path.is_empty());
    if python.is_none() {
        eprintln!("skipped: RUNNER_TEST_PYTHON names no Python with polars, pandas and DuckDB");
    }
    python.map(PathBuf::from)
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(python: &Path, arguments: &[&Path]) -> (Output, String) {
    let script = repository().join("docs/examples/read_results.py");
    let output = Command::new(python).arg(script).args(arguments).output().unwrap();
    let all = [&output.stdout[..], &output.stderr].concat();
    (output, String::from_utf8_lossy(&all).into_owned())
}

#[test]
fn every_committed_record_is_found_in_its_samples() {
    let Some(python) = python() else { return };
    let mut read_records = 0;
    // of every kind of work, with a ladder, a condition, looks, and flagged blocks
    for id in ["threads-decode", "prefill-length", "copy-pieces", "slots-ladder", "forms-decode"] {
        let folder = repository().join("results").join(id);
        for entry in std::fs::read_dir(folder).unwrap() {
            let run = entry.unwrap().path();
            if !run.join("record.toml").is_file() {
                continue;
            }
            let (output, said) = read(&python, &[&run]);
            assert!(output.status.success(), "{}\n{said}", run.display());
            for library in ["polars", "pandas", "duckdb"] {
                assert!(said.contains(library), "{said}");
            }
            read_records += 1;
        }
    }
    assert!(read_records >= 5, "{read_records} records");
}

#[test]
fn a_record_and_its_json_agree_and_a_changed_sample_does_not() {
    let Some(python) = python() else { return };
    let sandbox = Sandbox::with_model();
    sandbox.judge("own", &[]);
    let export = ["record", "export", "own", "--format", "json", "--output", "own.json"];
    sandbox.runner(&export).expect_code(0);
    let run = sandbox.runs("own").pop().unwrap();
    let folder = sandbox.path(&format!("results/own/{run}"));
    let (output, said) = read(&python, &[&folder, &sandbox.path("own.json")]);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("agrees").count(), 6, "{said}");
    let text = std::fs::read_to_string(sandbox.path("own.json")).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for sample in json["samples"].as_array_mut().unwrap() {
        let slower = sample["nanoseconds"].as_u64().unwrap() * 2;
        if sample["arm"] == "fast" {
            sample["nanoseconds"] = slower.into();
        }
    }
    let changed = sandbox.write("changed.json", json.to_string());
    let (output, said) = read(&python, &[&folder, &changed]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("DIFFERS").count(), 3, "{said}");
}
