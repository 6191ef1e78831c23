//! A run that is killed from outside. It runs in a process of its own: this test executable,
//! asked for the ignored test below.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::stage::{Stage, assert_no_doubles};
use crate::record::JOURNAL_FILE;
use crate::verdict::RunEnd;

const FOLDER: &str = "RUNNER_EXEC_TEST_FOLDER";

/// Slow enough to be caught in the middle: 4 ms for each token.
const SLOW: &str = "[base]\nsleep = true\ndecode_nanoseconds_per_token = 4_000_000\n";

#[test]
#[ignore = "the child of the tests below"]
fn child_run() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    match Stage::at(Path::new(&folder)).run() {
        Ok(finished) => println!("finished {}", finished.run),
        Err(failure) => println!("failed {failure}"),
    }
}

fn start_child(stage: &Stage) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "exec::tests::kills::child_run", "--ignored", "--nocapture"])
        .env(FOLDER, &stage.root)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the child's journal has so many whole blocks.
fn wait_for_blocks(stage: &Stage, child: &mut Child, blocks: usize) {
    let begun = Instant::now();
    loop {
        let runs = std::fs::read_dir(stage.runs()).into_iter().flatten();
        let journals = runs.map(|run| run.unwrap().path().join(JOURNAL_FILE));
        let seen: usize = journals
            .map(|path| std::fs::read_to_string(path).unwrap_or_default())
            .map(|text| text.matches("\"block\":{").count())
            .sum();
        if seen >= blocks {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "the child ended by itself");
        assert!(begun.elapsed() < Duration::from_secs(60), "no block was written");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn assert_whole_with_interruptions(stage: &Stage, interruptions: usize) {
    let finished = stage.run().unwrap();
    let facts = &finished.evidence.facts;
    assert_eq!(facts.end, RunEnd::Completed);
    assert_eq!(facts.interruptions.len(), interruptions);
    assert_eq!(finished.evidence.samples.len(), stage.expected_rows());
    assert_no_doubles(&finished.evidence.samples);
    assert_eq!(stage.left_over(), Vec::<u32>::new());
}

#[test]
fn kill_9_twice_then_the_same_again_loses_and_doubles_nothing() {
    let stage = Stage::new(SLOW);
    for blocks in [2, 4] {
        let mut child = start_child(&stage);
        wait_for_blocks(&stage, &mut child, blocks);
        child.kill().unwrap();
        child.wait().unwrap();
        // Workers end by themselves when their standard input closes.
        assert_eq!(stage.left_over(), Vec::<u32>::new());
    }
    assert_whole_with_interruptions(&stage, 2);
}

#[test]
fn sigterm_ends_the_workers_says_so_and_can_be_gone_on_with() {
    let stage = Stage::new(SLOW);
    let mut child = start_child(&stage);
    wait_for_blocks(&stage, &mut child, 2);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("interrupted by SIGTERM"), "{text}");
    assert!(text.contains("run the same command again to go on"), "{text}");
    assert_eq!(stage.left_over(), Vec::<u32>::new());
    let journal = std::fs::read_to_string(stage.run_dir().join(JOURNAL_FILE)).unwrap();
    assert!(journal.lines().last().unwrap().contains("\"interrupted\""), "{journal}");
    assert_whole_with_interruptions(&stage, 1);
}
