//! Each kind of verdict, through the command line, with scripted times.
//!
//! Of a run of [`sandbox::manifest`] that is registered by `exec --register`, the first process
//! belongs to the registration, the next six to the preflight, and each three after that to a
//! round. With a second treatment these are one, nine and four.

mod sandbox;

use std::collections::BTreeMap;

use sandbox::runs::{kill, wait_on};
use sandbox::{QUIET_SCRIPT, Sandbox};

/// A second treatment, `four`, which is as fast as `fast`.
const FOUR: (&str, &str) = (
    "[metric]",
    "[[arm]]\nname = \"four\"\nrole = \"treatment\"\nthreads = 4\n\
     contract.identical.of = \"tokens\"\n\n[metric]",
);
const FOUR_SCRIPT: &str =
    "[[when]]\nsettings = { threads = 4 }\ndecode_nanoseconds_per_token = 833_000\n";

/// The quiet script with other times for `fast`.
fn fast_takes(nanoseconds: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(&QUIET_SCRIPT.replace("833_000", nanoseconds));
    sandbox
}

/// The quiet script with more at its end.
fn script(more: &str) -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.script(&format!("{QUIET_SCRIPT}{more}"));
    sandbox
}

#[test]
fn faster_by_more_than_the_margin_is_a_win() {
    let judged = fast_takes("833_000").judge("win", &[]);
    judged.expect("fast", "win", "above_margin");
    assert_eq!(judged.code, 0);
}

#[test]
fn slower_by_more_than_the_margin_is_a_loss_and_exit_0() {
    let judged = fast_takes("1_250_000").judge("loss", &[]);
    let reason = judged.expect("fast", "loss", "below_margin");
    assert!(reason.contains("lies below the margin of -"), "{reason}");
    assert_eq!(judged.code, 0);
    let ratio = judged.ratio("fast").unwrap();
    assert!((0.75..0.85).contains(&ratio), "{ratio}");
}

#[test]
fn as_fast_as_off_is_level() {
    let judged = fast_takes("1_000_000").judge("level", &[]);
    judged.expect("fast", "level", "within_margin");
    assert_eq!(judged.code, 0);
}

#[test]
fn too_noisy_to_tell_is_parked_with_the_registered_resolution() {
    let sandbox = Sandbox::with_model();
    sandbox.script("seed = 3\n[base]\nnoise_sd = 0.3\n");
    let judged = sandbox.judge("parked", &[]);
    let reason = judged.expect("fast", "parked", "interval_crosses_margin");
    assert!(reason.contains("a second registration with twice the rounds"), "{reason}");
    assert_eq!(judged.code, 0);
}

#[test]
fn samples_that_are_exactly_equal_are_parked_as_no_measurement() {
    let sandbox = Sandbox::with_model();
    sandbox.script("");
    let judged = sandbox.judge("equal", &[]);
    judged.expect("fast", "parked", "resolution_limited");
}

#[test]
fn a_rate_that_cannot_be_is_void() {
    let sandbox = script("nanoseconds = 1\n");
    let judged = sandbox.judge("impossible", &[]);
    judged.expect("fast", "void", "outside_support");
    assert_eq!(judged.code, 4);
    sandbox.runner(&["show", "impossible"]).expect_code(0).expect_text("outside_support");
}

#[cfg(target_os = "linux")]
#[test]
fn with_two_rounds_left_by_the_sensors_it_is_insufficient() {
    // one worker of each of the first three rounds never rests
    let judged = script("[[when]]\nprocesses = [8, 11, 14]\nburn = true\n").judge("few", &[]);
    let reason = judged.expect("fast", "insufficient", "too_few_rounds");
    assert!(reason.starts_with("2 whole rounds"), "{reason}");
    assert_eq!(judged.code, 0);
}

#[test]
fn l26_identical_arms_that_differ_void_the_run() {
    // a first run, cut short, tells which processes are those of the aa arm
    let sandbox = script(
        "[[when]]\nprocesses = [22]\n\
         fault = { kind = \"hang\", command = \"decode\", nth = 1 }\n",
    );
    let file = sandbox.manifest("bias", &[]);
    let mut child = sandbox.start(&["exec", "--register", &file]);
    let of_rounds = || {
        let journal = sandbox.journal("bias");
        let started = journal.into_iter().map(|mut line| line["worker"].take());
        started.filter(|worker| worker["round"].is_u64()).collect::<Vec<_>>()
    };
    wait_on(&mut child, "the last round's workers", || {
        of_rounds().len() == 15 && sandbox.processes().len() == 22
    });
    kill(child);
    let numbers: BTreeMap<u32, usize> = sandbox.processes().into_iter().zip(1..).collect();
    let aa: Vec<usize> = of_rounds()
        .iter()
        .filter(|worker| worker["arm"] == "off-again")
        .map(|worker| numbers[&u32::try_from(worker["process"]["pid"].as_u64().unwrap()).unwrap()])
        .collect();
    assert_eq!(aa.len(), 5);
    let biased =
        script(&format!("[[when]]\nprocesses = {aa:?}\ndecode_nanoseconds_per_token = 940_000\n"));
    let judged = biased.judge("bias", &[]);
    let reason = judged.expect("fast", "void", "aa_bias");
    assert!(reason.contains("`off-again` is `off` again, yet differs by"), "{reason}");
    assert_eq!(judged.noise_floor()["biased"], true);
    assert_eq!(judged.code, 4);
    assert!(judged.ratio("fast").is_some(), "the numbers are kept");
}

#[test]
fn an_arm_that_crashes_ends_its_own_comparison_and_the_others_go_on() {
    let sandbox = script(&format!(
        "{FOUR_SCRIPT}[[when]]\nsettings = {{ threads = 2 }}\nprocesses = [15, 16, 17, 18]\n\
         fault = {{ kind = \"crash\", command = \"decode\", nth = 4 }}\n"
    ));
    let judged = sandbox.judge("crash", &[FOUR]);
    let reason = judged.expect("fast", "void", "arm_fault");
    assert!(reason.starts_with("arm `fast` crashed in round 1: "), "{reason}");
    assert!(reason.contains("signal 6 (abort)"), "{reason}");
    judged.expect("four", "win", "above_margin");
    assert_eq!(judged.comparison("four")["rounds"], 5);
    assert_eq!(judged.facts()["arm_faults"].as_array().unwrap().len(), 1);
    assert_eq!(judged.code, 4);
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    sandbox.runner(&["show", "crash"]).expect_code(0).expect_text("arm fast ended in round 1");
}

#[test]
fn a_last_treatment_that_crashes_is_void_and_what_it_measured_is_kept() {
    let sandbox = script(
        "[[when]]\nsettings = { threads = 2 }\nprocesses = [17, 18, 19]\n\
         fault = { kind = \"crash\", command = \"decode\", nth = 4 }\n",
    );
    let judged = sandbox.judge("last", &[]);
    let reason = judged.expect("fast", "void", "arm_fault");
    assert!(reason.starts_with("arm `fast` crashed in round 3: "), "{reason}");
    assert_eq!(judged.comparison("fast")["rounds"], 3);
    assert!(judged.ratio("fast").is_some());
    assert_eq!(judged.code, 4);
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn an_off_arm_that_crashes_ends_the_run_which_is_stored_as_incomplete() {
    let sandbox = script(
        "[[when]]\nsettings = { threads = 1 }\nprocesses = [11, 12, 13]\n\
         fault = { kind = \"crash\", command = \"decode\", nth = 4 }\n",
    );
    let judged = sandbox.judge("off-crash", &[]);
    let reason = judged.expect("fast", "incomplete", "run_broken");
    assert!(reason.contains("signal 6 (abort)"), "{reason}");
    assert_eq!(judged.code, 5);
    assert_eq!(sandbox.living_workers(), Vec::<u32>::new());
    sandbox.runner(&["list"]).expect_code(0).expect_text("incomplete");
    sandbox.runner(&["record", "verify"]).expect_code(0);
    // it was the primary run: the next is an attempt
    let said = sandbox.runner(&["--json", "exec", "experiments/off-crash.toml"]).expect_code(0);
    assert_eq!(said.json()["record"]["attempt"], 2);
}

#[test]
fn a_worker_that_miscounts_its_tokens_is_void_and_both_counts_are_named() {
    let sandbox = script(&format!(
        "{FOUR_SCRIPT}[[when]]\nsettings = {{ threads = 2 }}\nprocesses = [11, 12, 13, 14]\n\
         tokens_off_by = 1\n"
    ));
    let judged = sandbox.judge("miscount", &[FOUR]);
    let reason = judged.expect("fast", "void", "arm_fault");
    assert!(reason.contains("timed tokens: it reports 9, 8 were asked for"), "{reason}");
    judged.expect("four", "win", "above_margin");
    assert_eq!(judged.code, 4);
}

#[test]
fn a_last_treatment_that_miscounts_from_the_start_is_refused() {
    let sandbox = script("tokens_off_by = -1\n");
    let said = sandbox.refused("always", &[]);
    assert!(said.contains("arm `fast`"), "{said}");
    assert!(said.contains("timed tokens: it reports"), "{said}");
}

#[test]
fn a_worker_that_counts_the_end_of_text_twice_is_void() {
    let sandbox = script(&format!(
        "{FOUR_SCRIPT}[[when]]\nsettings = {{ threads = 2 }}\nprocesses = [11, 12, 13, 14]\n\
         end_of_text_twice = true\n"
    ));
    let judged = sandbox.judge("end-of-text", &[FOUR]);
    let reason = judged.expect("fast", "void", "arm_fault");
    assert!(reason.contains("chosen tokens: it reports 10, 9 were asked for"), "{reason}");
}

#[test]
fn a_run_over_its_cap_is_void() {
    let judged = script("").judge("slow", &[("cap_minutes = 10", "cap_minutes = 0.001")]);
    judged.expect("fast", "void", "over_budget");
    assert_eq!(judged.code, 4);
}
