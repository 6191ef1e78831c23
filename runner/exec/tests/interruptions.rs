//! Journals that end in the middle.

use super::super::entry::{Entry, Line, WorkerStarted};
use super::super::identity::ProcessIdentity;
use super::stage::{Stage, assert_no_doubles};
use crate::record::JOURNAL_FILE;
use crate::verdict::RunEnd;

/// A finished run cut back to its first `blocks` whole blocks, followed by half of the next.
fn cut_after(stage: &Stage, blocks: usize) {
    let run_dir = stage.run().unwrap().run_dir;
    let path = run_dir.join(JOURNAL_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut kept = String::new();
    let mut seen = 0;
    for line in text.lines() {
        let entry: Line = serde_json::from_str(line).unwrap();
        if matches!(entry.entry, Entry::Block(_)) {
            seen += 1;
        }
        if seen > blocks {
            kept.push_str(&line[..line.len() / 2]);
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    std::fs::write(&path, kept).unwrap();
}

#[test]
fn a_cut_journal_goes_on_wherever_it_was_cut() {
    for blocks in 0..6 {
        let stage = Stage::new("[base]\nnoise_sd = 0.01\n");
        cut_after(&stage, blocks);
        let started = stage.pids().len();
        let finished = stage.run().unwrap();
        let facts = &finished.evidence.facts;
        assert_eq!(facts.end, RunEnd::Completed);
        assert_eq!(finished.evidence.samples.len(), stage.expected_rows(), "after {blocks}");
        assert_no_doubles(&finished.evidence.samples);
        assert_eq!(facts.interruptions.len(), 1);
        let round = u32::try_from(blocks).unwrap() / 3;
        assert_eq!(facts.interruptions[0].round, round, "after {blocks}");
        assert_eq!(facts.interruptions[0].blocks_done as usize, blocks % 3, "after {blocks}");
        // One prompt and two chunks for three arms a block.
        let segments = |segment: u32| {
            finished.evidence.samples.iter().filter(|row| row.segment == segment).count()
        };
        assert_eq!((segments(0), segments(1)), (blocks * 9, (6 - blocks) * 9));
        assert_eq!(facts.contracts.len(), 1, "preflight is not lost");
        // Preflight is not done again: off alone is started, for its tokenizer.
        let rounds = if blocks < 3 { 2 } else { 1 };
        assert_eq!(stage.pids().len() - started, 1 + rounds * 3, "after {blocks}");
    }
}

#[test]
fn references_that_are_on_disk_are_not_made_again() {
    let stage = Stage::new("");
    let run_dir = stage.run().unwrap().run_dir;
    let path = run_dir.join(JOURNAL_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let reference = |line: &&str| line.contains("\"reference\":");
    let end = text.lines().position(|line| reference(&line)).unwrap() + 3;
    let kept: Vec<&str> = text.lines().take(end).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let finished = stage.run().unwrap();
    assert_eq!(finished.evidence.samples.len(), stage.expected_rows());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().filter(reference).count(), 6);
}

#[test]
fn an_ended_arm_stays_ended_after_a_resumption() {
    let stage = Stage::new(
        "[[when]]\nsettings = { threads = 2 }\nfault = { kind = \"crash\", command = \"decode\", nth = 3 }\n",
    )
    .without_contracts();
    let mut stage = stage;
    let mut other = stage.plan.arms[2].clone();
    other.name = "other".to_owned().try_into().unwrap();
    other.settings.threads = Some(3);
    stage.plan.arms.push(other);
    cut_after(&stage, 4);
    let facts = stage.run().unwrap().evidence.facts;
    assert_eq!(facts.arm_faults.len(), 1, "{:?}", facts.arm_faults);
}

#[test]
fn survivors_are_ended_by_pid_and_start_time_and_nobody_else_is() {
    let stage = Stage::new("");
    cut_after(&stage, 1);
    let path = stage.run_dir().join(JOURNAL_FILE);
    let mut survivor = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let mut stranger = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let other = ProcessIdentity::of(stranger.id());
    let reused = ProcessIdentity { start_ticks: other.start_ticks.map(|t| t + 1), ..other };
    let mut text = std::fs::read_to_string(&path).unwrap();
    let whole = text.rfind('\n').unwrap() + 1;
    text.truncate(whole);
    for process in [ProcessIdentity::of(survivor.id()), reused] {
        let line = Line {
            at: "2026-11-29T00:00:00Z".to_owned(),
            elapsed_nanoseconds: 1,
            entry: Entry::Worker(WorkerStarted { arm: "off".to_owned(), round: None, process }),
        };
        text.push_str(&serde_json::to_string(&line).unwrap());
        text.push('\n');
    }
    std::fs::write(&path, text).unwrap();
    stage.run().unwrap();
    let ended = survivor.try_wait().unwrap();
    let alive = stranger.try_wait().unwrap();
    let _ = (survivor.kill(), survivor.wait(), stranger.kill(), stranger.wait());
    assert!(ended.is_some(), "the survivor still runs");
    assert!(alive.is_none(), "a stranger was ended");
}
