//! Through the ledger, up to the judgement.

use super::super::gate::OpenGate;
use super::super::observer::Silent;
use super::super::{greet, run};
use super::stage::Stage;
use crate::failure::FailureKind;
use crate::project::Project;
use crate::record::{
    Circumstances, CommitState, Frozen, FrozenEngine, FrozenInputs, FrozenModel, Registered,
    register,
};
use crate::verdict::{self, RULES_VERSION};

fn registered(stage: &Stage) -> Registered {
    let project = Project {
        root: stage.root.clone(),
        results: stage.root.join("results"),
        cache: stage.root.join("cache"),
    };
    let mut gate = OpenGate;
    let context = stage.context(&mut gate);
    let choice = &stage.plan.engine.worker;
    let greeting = greet(choice, &context.executables).unwrap();
    let frozen = Frozen {
        rules_version: RULES_VERSION,
        freeze: stage.plan.engine.freeze,
        model: FrozenModel { name: "fake".to_owned(), sha256: "00".repeat(32) },
        forms: Vec::new(),
        slices: Vec::new(),
        drafters: Vec::new(),
        history: None,
        step_of: None,
        arm_inputs: Vec::new(),
        inputs: FrozenInputs { name: "words".to_owned(), blake3: "00".repeat(32) },
        engines: vec![FrozenEngine::of(choice, &greeting.engine)],
    };
    let circumstances = Circumstances {
        at: "2026-11-29T16:10:31Z".to_owned(),
        commit: None,
        state: CommitState::Unknown,
    };
    register(&project, &stage.plan, &frozen, &circumstances).unwrap().registered
}

#[test]
fn a_registered_plan_runs_and_its_evidence_can_be_judged() {
    let stage = Stage::new("[base]\nnoise_sd = 0.01\n");
    let registered = registered(&stage);
    let mut gate = OpenGate;
    let finished = run(&registered, stage.context(&mut gate), &mut Silent).unwrap();
    assert_eq!(finished.evidence.samples.len(), stage.expected_rows());
    let analysis = verdict::judge(&stage.plan, &finished.evidence);
    assert_eq!(analysis.blocks, 6);
    assert_eq!(analysis.rounds_judged, 2);
}

#[test]
fn an_engine_that_is_not_the_registered_one_is_refused() {
    // The same executable by name, but another engine when it greets.
    let mut stage = Stage::new("");
    let path = stage.root.join("wrapper");
    let wrapper = |early: &str| {
        let fake = super::stage::fake_worker();
        format!("#!/bin/sh\nFAKE_WORKER_SCRIPT={early} exec {}\n", fake.display())
    };
    std::fs::write(&path, wrapper("none")).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, executable).unwrap();
    stage.plan.engine.worker = crate::manifest::WorkerChoice::Executable("wrapper".to_owned());
    let registered = registered(&stage);
    let early = stage.root.join("early.toml");
    std::fs::write(&early, "[base]\nsource_blake3 = \"another\"\n").unwrap();
    std::fs::write(&path, wrapper(early.to_str().unwrap())).unwrap();
    let mut gate = OpenGate;
    let failure = run(&registered, stage.context(&mut gate), &mut Silent).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.what.contains("another"), "{failure}");
    assert!(failure.what.contains("`wrapper`"), "{failure}");
    assert_eq!(std::fs::read_dir(stage.runs()).unwrap().count(), 1, "only the ledger is there");
}
