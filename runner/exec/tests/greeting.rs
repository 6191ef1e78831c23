//! Short looks at a worker.

use std::collections::BTreeMap;

use engine_protocol::Settings;

use super::super::executable::Executables;
use super::super::{greet, plan_tokens};
use super::stage::{Stage, inputs};
use crate::failure::FailureKind;
use crate::manifest::WorkerChoice;

#[test]
fn a_worker_says_who_it_is_and_how_long_texts_are() {
    let stage = Stage::new("context_tokens = 77\n");
    let executables =
        Executables { root: stage.root.clone(), native: None, built: BTreeMap::new() };
    let choice = &stage.plan.engine.worker;
    assert_eq!(greet(choice, &executables).unwrap().engine.name, "fake");
    let settings = Settings::default();
    let seen = plan_tokens(choice, &executables, &settings, &stage.script(), &inputs()).unwrap();
    assert_eq!(seen.lengths, vec![21; 6]);
    assert_eq!(seen.loaded.effective.context_tokens, Some(77));
    assert_eq!(stage.left_over(), Vec::<u32>::new());
}

#[test]
fn without_the_native_engine_its_worker_is_refused() {
    let stage = Stage::new("");
    let executables =
        Executables { root: stage.root.clone(), native: None, built: BTreeMap::new() };
    let failure = greet(&WorkerChoice::Native, &executables).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("without the native engine"), "{failure}");
}
