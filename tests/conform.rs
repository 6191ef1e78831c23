//! `runner engine conform`: workers that speak the protocol, and workers that break each of its rules.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::path::Path;

use sandbox::{Said, Sandbox, fake_worker, runs};
use serde_json::Value;

/// Times really pass, so that they can be believed.
const SOUND: &str = "[base]\nsleep = true\n";

/// The worker in plain Python.
fn python_worker() -> String {
    format!("{}/docs/examples/worker.py", env!("CARGO_MANIFEST_DIR"))
}

fn documentation() -> String {
    std::fs::read_to_string(format!("{}/docs/protocol.md", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The fake worker with this script.
fn checked(script: &str, options: &[&str]) -> Said {
    let sandbox = Sandbox::with_model();
    sandbox.script(script);
    let worker = fake_worker();
    let mut arguments = vec!["engine", "conform", "--json"];
    arguments.extend(options);
    arguments.extend(["--", &worker]);
    let said = sandbox.runner(&arguments);
    sandbox.wait_for_no_worker();
    said
}

/// Names of the checks that ended so.
fn names(report: &Value, outcome: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let named = checks.filter(|check| check["outcome"] == outcome);
    named.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

/// What came to a check.
fn came(report: &Value, name: &str) -> String {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name).unwrap();
    check["came"].as_str().unwrap().to_owned()
}

/// Fails unless these checks fail, and the first of them says this.
#[track_caller]
fn expect_failures(script: &str, failing: &[&str], words: &str) -> Value {
    let report = checked(script, &["--limit", "60"]).expect_code(1).json();
    assert_eq!(names(&report, "fail"), failing, "{report:#}");
    let came = came(&report, failing.first().unwrap());
    assert!(came.contains(words), "{words:?} is missing in {came:?}");
    report
}

#[test]
fn the_fake_worker_conforms() {
    let report = checked(SOUND, &[]).expect_code(0).json();
    assert_eq!(report["failed"], 0);
    assert_eq!(names(&report, "not_offered"), ["weights", "slots"]);
    // it names every setting as supported
    assert_eq!(names(&report, "not_made"), ["ignored_setting"]);
    assert_eq!(report["loaded"]["effective"]["context_tokens"], 512);
}

#[test]
fn every_check_is_documented() {
    let report = checked("[base]\nprotocol_version = 2\n", &[]).json();
    let few = report["checks"].as_array().unwrap().len();
    let report = checked(SOUND, &[]).json();
    let checks = report["checks"].as_array().unwrap();
    assert!(few < checks.len());
    let text = documentation();
    for check in checks {
        let row = format!("| `{}` |", check["name"].as_str().unwrap());
        assert!(text.contains(&row), "{row} is not in docs/protocol.md");
    }
}

#[test]
fn another_version_of_the_protocol() {
    let report = expect_failures(
        "[base]\nprotocol_version = 2\n",
        &["greets"],
        "it greets with version 2, asked for was 1",
    );
    assert_eq!(names(&report, "not_made").len(), 5);
    assert_eq!(report["loaded"], Value::Null);
}

#[test]
fn something_else_on_standard_output() {
    let fault = "fault = { kind = \"garbage\", command = \"prefill\", nth = 1 }\n";
    expect_failures(&format!("{SOUND}{fault}"), &["only_answers"], "ggml_init: this is no message");
    let fault = "fault = { kind = \"long_line\", command = \"prefill\", nth = 1 }\n";
    expect_failures(&format!("{SOUND}{fault}"), &["prefills", "context"], "64 MiB");
}

#[test]
fn numbers_of_other_requests() {
    let fault = "fault = { kind = \"wrong_id\", command = \"prefill\", nth = 2 }\n";
    expect_failures(
        &format!("{SOUND}{fault}"),
        &["prefills"],
        "the answer has number 1005, the request had 5",
    );
}

#[test]
fn counts_that_do_not_add_up() {
    let failing = ["decodes_free", "prefills", "prefills_at_depth"];
    expect_failures(
        &format!("{SOUND}tokens_off_by = 1\n"),
        &failing,
        "timed tokens: it reports 7, 6 were asked for",
    );
    expect_failures(
        &format!("{SOUND}end_of_text_twice = true\n"),
        &failing[..1],
        "chosen tokens: it reports 9, 8 were asked for",
    );
}

#[test]
fn other_tokens_the_second_time() {
    // the fifth `decode` of the process is the first that repeats another
    let other = "diverge_from_position = 20\ndiverge_from_command = 5\n";
    expect_failures(
        &format!("{SOUND}{other}"),
        &["repeats", "chunks"],
        "other tokens were chosen from place 4 on",
    );
}

#[test]
fn times_that_cannot_be() {
    expect_failures("", &["nanoseconds"], "ns after the request");
    expect_failures("[base]\nnanoseconds = 0\n", &["nanoseconds"], "`begun` reports 0 ns");
}

#[test]
fn a_worker_that_dies() {
    let fault = "fault = { kind = \"crash\", command = \"logits\", nth = 1 }\n";
    expect_failures(&format!("{SOUND}{fault}"), &["logits"], "signal 6 (abort)");
    let fault = "fault = { kind = \"cut_line\", command = \"shutdown\", nth = 1 }\n";
    expect_failures(&format!("{SOUND}{fault}"), &["shutdown"], "exit status 3");
    let report = expect_failures(
        "[base]\nfault = { kind = \"exit\", command = \"load\", nth = 1 }\n",
        &["no_model", "loads", "standard_error"],
        "it ended with exit status 3 instead of answering",
    );
    assert!(names(&report, "not_made").contains(&"tokenizes".to_owned()));
}

#[test]
fn a_worker_that_hangs() {
    let fault = "fault = { kind = \"hang\", command = \"prefill\", nth = 2 }\n";
    let report = checked(&format!("{SOUND}{fault}"), &["--limit", "5"]).expect_code(1).json();
    assert_eq!(names(&report, "fail"), ["prefills"]);
    assert_eq!(came(&report, "prefills_at_depth"), "its process had ended before");
    assert_eq!(came(&report, "prefills"), "no answer within 5 s; it was ended");
}

#[test]
fn a_worker_that_outlives_its_caller() {
    let failing = ["input_closed", "input_closed_computing"];
    expect_failures(&format!("{SOUND}outlives_input = true\n"), &failing, "it still ran 5 s later");
}

#[test]
fn a_flood_on_standard_error_stops_nothing() {
    let flood = "[[when]]\nprocesses = [2]\nstderr_bytes = 200_000_000\n";
    let report = checked(&format!("{SOUND}{flood}"), &[]).expect_code(0).json();
    let came = came(&report, "standard_error");
    let bytes: u64 = came.split(' ').next().unwrap().parse().unwrap();
    assert!(bytes >= 200_000_000, "{came}");
}

#[test]
fn a_program_that_is_no_worker() {
    let sandbox = Sandbox::with_model();
    let conform = |command: &[&str]| {
        let mut arguments = vec!["engine", "conform", "--limit", "1", "--"];
        arguments.extend(command);
        sandbox.runner(&arguments)
    };
    conform(&["no-such-program", "x"])
        .expect_code(3)
        .expect_text("no-such-program: it cannot be started: No such file or directory");
    conform(&["true"])
        .expect_code(1)
        .expect_text("it ended with exit status 0 instead of answering");
    conform(&["cat"]).expect_code(1).expect_text("the last line that is no answer: {\"id\":1,");
    sandbox.runner(&["engine", "conform"]).expect_code(2);
    sandbox
        .runner(&["engine", "conform", "--model", "nowhere.gguf", "--", "true"])
        .expect_code(2)
        .expect_text("the model's file is not there");
}

#[test]
fn arguments_are_passed_as_they_stand() {
    let sandbox = Sandbox::with_model();
    let name = "a worker's \"name\"; touch made $(touch made).py";
    sandbox.write(name, std::fs::read(python_worker()).unwrap());
    sandbox.runner(&["engine", "conform", "--", "python3", name]).expect_code(0);
    assert!(!sandbox.path("made").exists());
}

#[test]
fn the_worker_in_python_conforms_and_is_short() {
    let text = std::fs::read_to_string(python_worker()).unwrap();
    assert!(text.lines().count() < 100, "{}", text.lines().count());
    // outside of a project, and with a model that is no GGUF
    let sandbox = Sandbox::bare();
    sandbox.write("model.bin", "anything\n");
    let worker = python_worker();
    let said = sandbox.runner(&["engine", "conform", "--model", "model.bin", "--", &worker]);
    let said = said.expect_code(0);
    let last = said.out.lines().last().unwrap();
    assert!(last.ends_with("worker.py: 27 passed, 0 failed, 6 not offered, 1 not made"), "{last}");
}

/// What people read of a worker with one fault.
#[test]
fn a_failure_says_what_is_wrong_and_what_to_do() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{SOUND}tokens_off_by = 1\n"));
    let mut command = sandbox.command(&["engine", "conform", "--", &fake_worker()]);
    let output = command.env("COLUMNS", "150").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap().replace(&fake_worker(), "fake-worker");
    let (table, failures) = out.split_once("\n\n").unwrap();
    let rows = table.lines().map(str::trim);
    let some =
        rows.filter(|row| ["check ", "begins", "decodes"].iter().any(|at| row.starts_with(at)));
    let said = format!("{}\n\n{failures}", some.collect::<Vec<_>>().join("\n"));
    insta::assert_snapshot!(said, @r#"
    check                                asked                                                    what came
    begins                  pass         `begin` with a prompt of 16 tokens                       position 16
    decodes_free            FAIL         `decode` of 2 untimed and 6 timed tokens, feed `free`    timed tokens: it reports 7, 6 were asked for
    decodes_fed             not made     the same text again with feed `fed`                      nothing was decoded

    decodes_free: timed tokens: it reports 7, 6 were asked for
      hint: evaluate the arm's own greedy choices; `timed_tokens` counts the timed ones, `chosen` has one token for each evaluation, untimed ones
        included, and `position` grows by as many

    prefills: it reports 33 timed tokens, 32 were asked for
      hint: time the evaluation of all `tokens`, and choose greedily after the last; the sequence is trimmed to `depth` before and after, so the same
        gives the same

    prefills_at_depth: it reports 17 timed tokens, 16 were asked for
      hint: `timed_tokens` counts `tokens` alone: the depth is computed outside of the timer

    fake-worker: 24 passed, 3 failed, 2 not offered, 5 not made
    "#);
}

/// Requests and answers of the transcript in the documentation.
fn transcript(text: &str) -> Vec<(String, Value)> {
    let part = text.split("<!-- transcript -->").nth(1).unwrap();
    let lines: Vec<&str> = part.lines().collect();
    let sides = |mark: &str| {
        let marked = lines.iter().filter_map(|line| line.strip_prefix(mark));
        marked.map(str::to_owned).collect::<Vec<_>>()
    };
    let (requests, answers) = (sides("> "), sides("< "));
    assert_eq!(requests.len(), answers.len());
    let parsed = answers.iter().map(|answer| serde_json::from_str(answer).unwrap());
    requests.into_iter().zip(parsed).collect()
}

/// Times, and the version of Python, are another each time.
fn without_the_fleeting(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                match key.as_str() {
                    "nanoseconds" => {
                        assert!(inner.as_u64().unwrap() > 0);
                        *inner = 0.into();
                    }
                    "compiler" => *inner = "Python".into(),
                    _ => without_the_fleeting(inner),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_the_fleeting),
        _ => {}
    }
}

#[test]
fn the_documented_transcript_is_what_the_example_says() {
    use std::io::{BufRead, Write};
    let sandbox = Sandbox::bare();
    sandbox.write("toy.bin", "toy\n");
    let mut worker = start(&python_worker(), sandbox.root());
    let mut input = worker.stdin.take().unwrap();
    let mut lines = std::io::BufReader::new(worker.stdout.take().unwrap()).lines();
    let mut said = String::new();
    for (request, mut wanted) in transcript(&documentation()) {
        writeln!(input, "{request}").unwrap();
        let line = lines.next().unwrap().unwrap();
        said.push_str(&format!("> {request}\n< {line}\n"));
        let mut answer: Value = serde_json::from_str(&line).unwrap();
        without_the_fleeting(&mut answer);
        without_the_fleeting(&mut wanted);
        assert_eq!(answer, wanted, "\n{said}");
    }
    assert!(worker.wait().unwrap().success());
}

fn start(program: &str, folder: &Path) -> std::process::Child {
    std::process::Command::new(program)
        .current_dir(folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap()
}

/// A manifest whose arms all run the worker in Python; the treatment has another context.
fn python_arms(sandbox: &Sandbox, id: &str, more: &str) -> String {
    let (fake, python) = (fake_worker(), python_worker());
    let treatment = format!("context_tokens = 512\n{more}");
    let replacements =
        [(fake.as_str(), python.as_str()), ("threads = 1\n", ""), ("threads = 2\n", &treatment)];
    sandbox.manifest(id, &replacements)
}

#[test]
fn the_worker_in_python_is_an_arm() {
    let sandbox = Sandbox::with_model();
    let file = python_arms(&sandbox, "toy", "");
    // its times are real ones, on whatever else this machine does: only the verdict may be any
    let said = sandbox.runner(&["exec", "--register", &file]);
    assert!([0, 4].contains(&said.code), "{}{}", said.out, said.err);
    let said = said.expect_text("fast: identical kept").expect_text("engine toy 1");
    assert!(said.out.contains("completed; 5 rounds judged, 20 blocks measured"), "{}", said.out);
    runs::assert_whole(&sandbox.samples("toy"));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn an_arm_that_expects_operations_needs_a_worker_that_tells() {
    let sandbox = Sandbox::with_model();
    let file = python_arms(&sandbox, "asks", "expect.operation.mul_mat.at_least = 1\n");
    sandbox
        .runner(&["exec", "--register", &file])
        .expect_code(3)
        .expect_text("arm `fast`")
        .expect_text("`operations` is not offered");
}
