//! Runs that must not begin.

use super::stage::Stage;
use crate::failure::{Failure, FailureKind};
use crate::manifest::{TimedWork, WorkerChoice};

/// Refused, and nothing is left behind.
fn refused(stage: &Stage) -> Failure {
    let failure = stage.run().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused, "{failure}");
    assert!(!stage.runs().exists(), "{failure}");
    assert_eq!(stage.left_over(), Vec::<u32>::new());
    failure
}

#[test]
fn a_setting_that_would_be_ignored_names_arm_and_setting() {
    let failure = refused(&Stage::new("[base]\nunsupported = [\"threads\"]\n"));
    assert_eq!(failure.place.as_deref(), Some("arm `fast`"));
    assert!(failure.what.contains("`threads`"), "{failure}");
}

#[test]
fn a_context_that_is_too_small_names_the_numbers() {
    let mut stage = Stage::new("");
    stage.plan.arms[2].settings.context_tokens = Some(20);
    let failure = refused(&stage);
    assert_eq!(failure.place.as_deref(), Some("arm `fast`"));
    assert!(failure.what.contains("has 20 tokens, a block needs 22"), "{failure}");
}

#[test]
fn a_workload_that_is_too_short_names_both_numbers() {
    let mut stage = Stage::new("");
    stage.plan.workload.work = TimedWork::Prefill { prefill_tokens: 500 };
    let failure = refused(&stage);
    assert!(failure.what.contains("500 tokens are needed"), "{failure}");
    assert!(failure.what.contains("have 121"), "{failure}");
}

#[test]
fn a_model_that_cannot_be_read_is_said() {
    let failure = refused(&Stage::new("this is no script"));
    assert!(failure.what.contains("the model cannot be loaded"), "{failure}");
}

#[test]
fn a_worker_that_is_missing_or_speaks_another_version_is_said() {
    let mut stage = Stage::new("");
    stage.plan.engine.worker = WorkerChoice::Executable("nowhere/worker".to_owned());
    assert!(refused(&stage).what.contains("not there"));

    std::fs::write(stage.root.join("early.toml"), "[base]\nprotocol_version = 7\n").unwrap();
    let wrapper = format!(
        "#!/bin/sh\nFAKE_WORKER_SCRIPT={}/early.toml exec {}\n",
        stage.root.display(),
        super::stage::fake_worker().display()
    );
    let path = stage.root.join("wrapper");
    std::fs::write(&path, wrapper).unwrap();
    stage.plan.engine.worker = WorkerChoice::Executable("wrapper".to_owned());
    let failure = refused(&stage);
    assert!(failure.what.contains("version 7 of the protocol"), "{failure}");
    assert_eq!(failure.place.as_deref(), Some("worker `wrapper`"));
}

#[test]
fn an_unfinished_run_of_another_manifest_is_left_alone() {
    let mut stage = Stage::new("");
    let finished = stage.run().unwrap();
    let journal = finished.run_dir.join("journal.jsonl");
    let before = std::fs::read(&journal).unwrap();
    stage.hash = "another".to_owned();
    let failure = stage.run().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("another registration"), "{failure}");
    assert!(failure.hint.is_some());
    assert_eq!(std::fs::read(&journal).unwrap(), before);
}

#[test]
fn a_second_run_on_the_machine_is_refused() {
    let stage = Stage::new("");
    std::fs::create_dir_all(stage.root.join("cache")).unwrap();
    let lock = stage.root.join("cache/lock");
    let held = super::super::lock::MachineLock::take(&lock, "the-other").unwrap();
    assert!(refused(&stage).what.contains("`the-other`"));
    drop(held);
    stage.run().unwrap();
}
