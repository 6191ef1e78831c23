//! Faults of what surrounds the arms: variables, budget, warm-up, devices and buffers.

use super::support::{altered, codes, plan, shown};
use crate::manifest::{Budget, WarmUp, manifest_hash, question_key};

const TREATMENT: &str = "threads = 2\n";

fn arm(more: &str) -> Vec<&'static str> {
    codes(&[(TREATMENT, &format!("{TREATMENT}{more}\n"))])
}

fn table(text: &str) -> Vec<&'static str> {
    codes(&[("[decision]\n", &format!("{text}\n[decision]\n"))])
}

#[test]
fn variables_that_cannot_be_registered() {
    for name in ["PATH", "HOME", "RUNNER_CACHE_DIR", "FAKE_WORKER_SCRIPT"] {
        assert_eq!(arm(&format!("environment.{name} = \"1\"")), ["bad-name"], "{name}");
    }
    assert_eq!(arm("environment.\"A=B\" = \"1\""), ["bad-name"]);
    assert_eq!(arm("environment.OMP_PROC_BIND = true"), ["wrong-type"]);
    assert_eq!(arm("environment.OMP_PROC_BIND = \"a\\nb\""), ["bad-text"]);
}

#[test]
fn a_variable_tells_arms_apart_and_aa_has_those_of_off() {
    let with = |variable: &str| altered(&[(TREATMENT, variable)]);
    let spread = plan(&with("environment.OMP_PROC_BIND = \"spread\"\n"));
    let close = plan(&with("environment.OMP_PROC_BIND = \"close\"\n"));
    assert_ne!(question_key(&spread), question_key(&close));
    assert_ne!(manifest_hash(&spread), manifest_hash(&close));
    let aa = ("role = \"aa\"\n", "role = \"aa\"\nenvironment.OMP_PROC_BIND = \"true\"\n");
    assert_eq!(codes(&[aa]), ["aa-differs"]);
    assert!(shown(&[aa]).contains("differs from `off` in `environment`"), "{}", shown(&[aa]));
}

#[test]
fn budgets_and_warm_ups_that_say_nothing_or_cannot_be_met() {
    assert_eq!(table("[budget]"), ["missing-key"]);
    assert_eq!(table("[budget]\nmemory_megabytes = 0"), ["out-of-range"]);
    assert_eq!(table("[budget]\nbuffer.CUDA0.at_most_megabytes = \"1\""), ["wrong-type"]);
    assert_eq!(table("[budget]\nbuffer.\"C 0\".at_most_megabytes = 1"), ["bad-name"]);
    assert_eq!(table("[warm_up]"), ["missing-key"]);
    assert_eq!(table("[warm_up]\nrule = \"one\""), ["unknown-value"]);
    assert_eq!(
        table("[warm_up]\nrule = \"stationary\"\nwindow_pieces = 8\nat_most_pieces = 15"),
        ["unreachable-outcome"]
    );
}

#[test]
fn devices_and_buffers_that_are_never_or_always_met() {
    for expect in [
        "expect.device.CPU.at_least = 0",
        "expect.device.CPU.at_least = 2\nexpect.device.CPU.at_most = 1",
        "expect.device.CPU.at_least_percent = 50\nexpect.device.CPU.at_most = 0",
        "expect.buffer.CPU_REPACK = {}",
        "expect.buffer.CPU_REPACK.at_least_bytes = 2\nexpect.buffer.CPU_REPACK.at_most_bytes = 1",
    ] {
        assert_eq!(arm(expect), ["unreachable-outcome"], "{expect}");
    }
    assert_eq!(arm("expect.device.\"C 0\".at_least = 1"), ["bad-name"]);
    assert_eq!(arm("expect.buffer.CPU = 1"), ["wrong-type"]);
}

#[test]
fn defaults_of_a_warm_up_are_filled_in() {
    let text = altered(&[("[decision]\n", "[warm_up]\nrule = \"stationary\"\n[decision]\n")]);
    assert_eq!(
        plan(&text).warm_up,
        Some(WarmUp::Stationary { window_pieces: 5, tolerance_percent: 2.0, at_most_pieces: 60 })
    );
    let text = altered(&[("[decision]\n", "[budget]\narm_megabytes = 7\n[decision]\n")]);
    let budget = Budget { arm_megabytes: Some(7), ..Budget::default() };
    assert_eq!(plan(&text).budget, Some(budget));
}
