//! Workers that go wrong.

use std::time::Duration;

use sample_table::{SampleRow, SampleState};

use super::super::context::FinishedRun;
use super::super::limits::RequestLimits;
use super::stage::Stage;
use crate::verdict::{ArmFaultKind, RunEnd};

/// Long enough for a busy machine to answer, short enough to wait for.
const SHORT: RequestLimits = RequestLimits {
    base: Duration::from_secs(3),
    per_token: Duration::ZERO,
    load: Duration::from_secs(60),
};

/// The treatment goes wrong at its fifth chunk: the second one of the second block.
fn treatment(kind: &str) -> Stage {
    let script = format!(
        "[[when]]\nsettings = {{ threads = 2 }}\n\
         fault = {{ kind = \"{kind}\", command = \"decode\", nth = 5 }}\n"
    );
    Stage::new(&script).without_contracts()
}

fn rows_of<'run>(finished: &'run FinishedRun, arm: &str) -> Vec<&'run SampleRow> {
    finished.evidence.samples.iter().filter(|row| row.arm == arm).collect()
}

/// Only that arm ends, with this kind and words; the others are whole.
fn only_the_treatment_ends(kind: &str, expected: ArmFaultKind, words: &str) {
    let mut stage = treatment(kind);
    // A control keeps the run alive when its only treatment has ended.
    let mut other = stage.plan.arms[2].clone();
    other.name = "other".to_owned().try_into().unwrap();
    other.settings.threads = Some(3);
    stage.plan.arms.push(other);
    if kind == "hang" {
        stage.limits = SHORT;
    }
    let finished = stage.run().unwrap();
    let facts = &finished.evidence.facts;
    assert_eq!(facts.end, RunEnd::Completed, "{kind}");
    assert_eq!(facts.arm_faults.len(), 1, "{kind}: {:?}", facts.arm_faults);
    let fault = &facts.arm_faults[0];
    assert_eq!((fault.arm.as_str(), fault.kind), ("fast", expected), "{kind}: {}", fault.detail);
    assert_eq!(fault.round, Some(0));
    assert!(fault.detail.contains(words), "{kind}: {}", fault.detail);
    for arm in ["off", "off-again", "other"] {
        assert_eq!(rows_of(&finished, arm).len(), 2 * 3 * 3, "{kind}");
    }
    assert!(rows_of(&finished, "fast").len() < 2 * 3 * 3, "{kind}");
    assert_eq!(stage.left_over(), Vec::<u32>::new(), "{kind}");
}

#[test]
fn a_crash_ends_its_own_arm() {
    only_the_treatment_ends("crash", ArmFaultKind::Crashed, "signal 6 (abort)");
    only_the_treatment_ends("exit", ArmFaultKind::Crashed, "exit status 3");
    only_the_treatment_ends("killed", ArmFaultKind::Crashed, "want of memory");
}

#[test]
fn a_hang_ends_its_own_arm() {
    only_the_treatment_ends("hang", ArmFaultKind::Hung, "no answer to `decode` within");
}

#[test]
fn a_broken_protocol_ends_its_own_arm() {
    let broken = ArmFaultKind::BrokenProtocol;
    only_the_treatment_ends("garbage", broken, "ggml_init: this is no message");
    only_the_treatment_ends("wrong_id", broken, "instead of");
    only_the_treatment_ends("long_line", broken, "64 MiB");
    only_the_treatment_ends("cut_line", ArmFaultKind::Crashed, "exit status 3");
}

#[test]
fn a_failed_computation_ends_its_own_arm() {
    only_the_treatment_ends("problem", ArmFaultKind::Failed, "scripted");
}

#[test]
fn a_hang_is_a_state_and_never_a_number() {
    let mut stage = treatment("hang");
    stage.limits = SHORT;
    let finished = stage.run().unwrap();
    let timed_out: Vec<_> = rows_of(&finished, "fast")
        .into_iter()
        .filter(|row| row.state == SampleState::TimedOut)
        .collect();
    assert_eq!(timed_out.len(), 1);
    assert_eq!(timed_out[0].nanoseconds, 0);
}

#[test]
fn counts_that_are_not_those_asked_for_end_the_arm() {
    for (script, words) in [
        ("tokens_off_by = 1", "timed tokens: it reports 5, 4 were asked for"),
        ("end_of_text_twice = true", "chosen tokens: it reports 6, 5 were asked for"),
    ] {
        let stage = Stage::new(&format!("[[when]]\nsettings = {{ threads = 2 }}\n{script}\n"))
            .without_contracts();
        let finished = stage.run().unwrap();
        let facts = &finished.evidence.facts;
        assert_eq!(facts.arm_faults[0].kind, ArmFaultKind::BrokenProtocol);
        assert!(facts.arm_faults[0].detail.contains(words), "{}", facts.arm_faults[0].detail);
        // the last treatment's fault is its own: nothing is left to compare
        assert_eq!(facts.end, RunEnd::Completed);
    }
}

#[test]
fn off_or_aa_that_ends_breaks_the_run_and_keeps_what_was_measured() {
    for threads in ["", "threads = 1"] {
        let mut stage = Stage::new(&format!(
            "[[when]]\nsettings = {{ {threads} }}\n\
             fault = {{ kind = \"crash\", command = \"begin\", nth = 3 }}\n\
             [[when]]\nsettings = {{ threads = 2 }}\n\
             fault = {{ kind = \"crash\", command = \"logits\", nth = 9 }}\n"
        ))
        .without_contracts();
        stage.plan.arms[1].settings.threads = Some(1);
        let outcome = stage.run();
        if threads.is_empty() {
            // Off crashes while it makes its references: nothing was measured.
            let failure = outcome.unwrap_err();
            assert_eq!(failure.kind, crate::FailureKind::Refused);
            assert_eq!(failure.place.as_deref(), Some("arm `off`"));
            continue;
        }
        let finished = outcome.unwrap();
        let RunEnd::Broken { detail } = &finished.evidence.facts.end else { panic!() };
        assert!(detail.contains("`off-again`: it ended with signal 6"), "{detail}");
        // The warm-up begins once, so the third is the second block's.
        assert_eq!(finished.evidence.samples.len(), 9);
        assert_eq!(stage.left_over(), Vec::<u32>::new());
    }
}

#[test]
fn a_flood_on_standard_error_neither_blocks_nor_fills_anything() {
    let stage = Stage::new(
        "[[when]]\nsettings = { threads = 2 }\nstderr_bytes = 50_000_000\n\
         fault = { kind = \"crash\", command = \"decode\", nth = 3 }\n",
    )
    .without_contracts();
    let finished = stage.run().unwrap();
    let fault = &finished.evidence.facts.arm_faults[0];
    assert!(fault.detail.contains("its last words: "), "{}", fault.detail);
    assert!(fault.detail.len() < 1000);
    let name = format!("{}-{}", stage.plan.id, finished.run);
    let private = stage.root.join("cache/runs").join(name);
    let kept = std::fs::metadata(private.join("fast.stderr.txt")).unwrap().len();
    assert!(kept < 300 << 10, "{kept}");
}
