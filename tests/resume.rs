//! A run that is cut short goes on: nothing is lost, doubled or left over.
//!
//! Of a run of [`sandbox::manifest`], the first six processes belong to the preflight (off, aa and
//! fast are looked at; off, fast and fast again show that they repeat themselves), and each three
//! that follow to a round.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::process::Child;

use sandbox::runs::{assert_whole, interrupt, kill, wait, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox, finish};
use serde_json::Value;

/// The same engine, whose times really pass: a block takes a seventh of a second.
fn slow_script() -> String {
    QUIET_SCRIPT
        .replace("1_000_000", "3_000_000")
        .replace("833_000", "2_500_000")
        .replace("[base]\n", "[base]\nsleep = true\n")
}

/// A script in which one process hangs at a command, so that the run stands still there.
fn hanging_script(process: u64, command: &str, nth: u32) -> String {
    format!(
        "{QUIET_SCRIPT}[[when]]\nprocesses = [{process}]\n\
         fault = {{ kind = \"hang\", command = \"{command}\", nth = {nth} }}\n"
    )
}

/// Starts a run that stands still in the first block of the second round, with four blocks on
/// disk, and waits until it does.
fn standing_in_round_one(sandbox: &Sandbox, id: &str) -> Child {
    let file = sandbox.manifest(id, &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    // registering started a process of its own
    let before = u64::try_from(sandbox.processes().len()).unwrap();
    sandbox.script(&hanging_script(before + 10, "decode", 2));
    let mut child = sandbox.start(&["exec", &file]);
    let started = usize::try_from(before).unwrap() + 12;
    wait_on(&mut child, "the second round begins", || {
        sandbox.entries(id, "block") == 4 && sandbox.processes().len() >= started
    });
    child
}

/// Runs on to the end; the sealed record.
#[track_caller]
fn goes_on(sandbox: &Sandbox, file: &str) -> Value {
    let said = sandbox.runner(&["--json", "exec", file]).expect_code(0);
    let mut record = said.json()["record"].take();
    assert_eq!(record["analysis"]["comparisons"][0]["verdict"], "win");
    assert_eq!(record["attempt"], 1, "it is the same run");
    record["facts"].take()
}

fn interruptions(facts: &Value) -> &Vec<Value> {
    facts["interruptions"].as_array().unwrap()
}

#[test]
fn killed_twice_it_goes_on_and_every_sample_is_there_once() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&slow_script());
    let file = sandbox.manifest("killed", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let mut seen = 0;
    for _ in 0..2 {
        let mut child = sandbox.start(&["exec", &file]);
        wait_on(&mut child, "some more blocks", || sandbox.entries("killed", "block") >= seen + 3);
        kill(child);
        // their input has closed
        sandbox.wait_for_no_worker();
        seen = sandbox.entries("killed", "block");
    }
    let said = sandbox.runner(&["exec", &file]).expect_code(0);
    let said = said.expect_text("going on with ").expect_text("win fast (above_margin)");
    assert_eq!(said.out.matches("interrupted in round ").count(), 2, "{}", said.out);
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    assert_eq!(sandbox.runs("killed").len(), 1);
    assert_eq!(sandbox.journal_file("killed"), None);
    let rows = sandbox.samples("killed");
    assert_whole(&rows);
    assert_eq!(rows.iter().map(|row| row.segment).max(), Some(2));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn killed_while_a_worker_computes_no_worker_is_left_and_the_record_names_the_place() {
    let sandbox = Sandbox::with_model();
    let child = standing_in_round_one(&sandbox, "computing");
    assert_eq!(sandbox.living_workers().len(), 3);
    kill(child);
    sandbox.wait_for_no_worker();
    sandbox.runner(&["list"]).expect_code(0).expect_text("unfinished");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("an unfinished run");
    let facts = goes_on(&sandbox, "experiments/computing.toml");
    assert_eq!(interruptions(&facts).len(), 1);
    let cut = &interruptions(&facts)[0];
    assert_eq!((&cut["round"], &cut["blocks_done"]), (&Value::from(1), &Value::from(0)));
    assert!(cut["last_entry_at"].as_str() < cut["resumed_at"].as_str(), "{cut}");
    assert_whole(&sandbox.samples("computing"));
}

#[test]
fn a_worker_that_outlives_its_input_is_ended_by_the_next_exec() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("orphan", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let before = sandbox.processes().len();
    let deaf = before + 8;
    let hanging = hanging_script(u64::try_from(deaf).unwrap(), "decode", 3);
    sandbox.script(&format!("{hanging}outlives_input = true\n"));
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "all workers of the first round", || {
        sandbox.processes().len() == before + 9
    });
    let orphan = sandbox.processes()[deaf - 1];
    kill(child);
    wait("only the orphan is left", || sandbox.living_workers() == [orphan]);
    goes_on(&sandbox, &file);
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    assert_whole(&sandbox.samples("orphan"));
}

#[test]
fn ctrl_c_is_exit_five_with_a_hint_and_the_same_command_goes_on() {
    let sandbox = Sandbox::with_model();
    sandbox.script(&slow_script());
    let file = sandbox.manifest("ctrl-c", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "two blocks", || sandbox.entries("ctrl-c", "block") >= 2);
    interrupt(&child);
    finish(child)
        .expect_code(5)
        .expect_text("interrupted by SIGINT")
        .expect_text("of 20 blocks are done and on disk")
        .expect_text("run the same command again to go on");
    sandbox.wait_for_no_worker();
    let facts = goes_on(&sandbox, &file);
    assert_eq!(interruptions(&facts).len(), 1);
    assert_whole(&sandbox.samples("ctrl-c"));
}

#[test]
fn killed_in_the_preflight_it_goes_on() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("early", &[]);
    sandbox.runner(&["register", &file]).expect_code(0);
    let first = u64::try_from(sandbox.processes().len()).unwrap() + 1;
    sandbox.script(&hanging_script(first, "prefill", 3));
    let mut child = sandbox.start(&["exec", &file]);
    wait_on(&mut child, "two of off's outputs", || sandbox.entries("early", "reference") == 2);
    kill(child);
    sandbox.wait_for_no_worker();
    let facts = goes_on(&sandbox, &file);
    let cut = &interruptions(&facts)[0];
    assert_eq!((&cut["round"], &cut["blocks_done"]), (&Value::from(0), &Value::from(0)));
    assert_whole(&sandbox.samples("early"));
}

#[test]
fn a_journal_with_a_torn_last_line_goes_on() {
    let sandbox = Sandbox::with_model();
    kill(standing_in_round_one(&sandbox, "torn"));
    sandbox.wait_for_no_worker();
    let journal = sandbox.path(&sandbox.journal_file("torn").unwrap());
    let text = std::fs::read_to_string(&journal).unwrap();
    let block = text.lines().find(|line| line.contains("\"block\":{")).unwrap();
    std::fs::write(&journal, format!("{text}{}", &block[..block.len() / 2])).unwrap();
    goes_on(&sandbox, "experiments/torn.toml");
    assert_whole(&sandbox.samples("torn"));
}

#[test]
fn a_journal_that_is_corrupt_in_the_middle_is_refused_and_left_alone() {
    let sandbox = Sandbox::with_model();
    kill(standing_in_round_one(&sandbox, "corrupt"));
    sandbox.wait_for_no_worker();
    let journal = sandbox.path(&sandbox.journal_file("corrupt").unwrap());
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("\"block\":{", "\"block\":", 1)).unwrap();
    let before = sandbox.snapshot("results");
    sandbox
        .runner(&["exec", "experiments/corrupt.toml"])
        .expect_code(1)
        .expect_text("of the journal is corrupt");
    assert_eq!(sandbox.snapshot("results"), before);
}

#[test]
fn a_run_that_was_begun_on_another_kernel_does_not_go_on() {
    let sandbox = Sandbox::with_model();
    kill(standing_in_round_one(&sandbox, "kernel"));
    sandbox.wait_for_no_worker();
    let journal = sandbox.path(&sandbox.journal_file("kernel").unwrap());
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("\"kernel\":\"", "\"kernel\":\"other ", 1)).unwrap();
    let before = sandbox.snapshot("results");
    sandbox
        .runner(&["exec", "experiments/kernel.toml"])
        .expect_code(3)
        .expect_text("the unfinished run was begun with another kernel");
    assert_eq!(sandbox.snapshot("results"), before);
    std::fs::write(&journal, text).unwrap();
    goes_on(&sandbox, "experiments/kernel.toml");
}

#[test]
fn a_run_whose_record_could_not_be_written_is_sealed_without_measuring_again() {
    let sandbox = Sandbox::with_model();
    kill(standing_in_round_one(&sandbox, "unsealed"));
    sandbox.wait_for_no_worker();
    let run = sandbox.runs("unsealed").pop().unwrap();
    // a folder stands where the record is to be written
    let obstacle = sandbox.path(&format!("results/unsealed/{run}/record.toml.partial"));
    std::fs::create_dir(&obstacle).unwrap();
    let file = "experiments/unsealed.toml";
    sandbox.runner(&["exec", file]).expect_code(1).expect_text("record.toml: cannot be written");
    sandbox.runner(&["list"]).expect_code(0).expect_text("unfinished");
    let measured = sandbox.processes();
    std::fs::remove_dir(&obstacle).unwrap();
    let facts = goes_on(&sandbox, file);
    assert_eq!(sandbox.processes(), measured, "no worker was started");
    assert_eq!(interruptions(&facts).len(), 1);
    assert_whole(&sandbox.samples("unsealed"));
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn a_second_exec_is_refused_and_told_who_runs() {
    let sandbox = Sandbox::with_model();
    let child = standing_in_round_one(&sandbox, "holder");
    let seen = ("prior_access = \"none\"", "prior_access = \"partial\"");
    let other = sandbox.manifest("other", &[seen]);
    sandbox.runner(&["register", &other]).expect_code(0);
    for file in ["experiments/holder.toml", &other] {
        sandbox
            .runner(&["exec", file])
            .expect_code(3)
            .expect_text("another timed run holds this machine")
            .expect_text(&format!("process {} runs experiment `holder`", child.id()));
    }
    assert_eq!(sandbox.entries("holder", "block"), 4);
    assert_eq!(sandbox.living_workers().len(), 3, "the first run's workers are left alone");
    assert_eq!(sandbox.runs("other"), Vec::<String>::new());
    kill(child);
    sandbox.wait_for_no_worker();
}
