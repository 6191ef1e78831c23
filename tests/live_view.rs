//! What a run shows while it goes on: where it is, and a figure only after a registered look.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod sandbox;

use std::process::{Command, Stdio};

use sandbox::Sandbox;

const FIXED: &str = "[stop.fixed]\ncap_minutes = 10";
const LOOKS: &str = "[stop.group_sequential]\nlooks_at_rounds = [8, 16]\n\
                     spending = \"obrien_fleming\"\ncap_minutes = 10";

#[test]
fn a_figure_is_shown_after_a_look_and_never_before_or_without_one() {
    let sandbox = Sandbox::with_model();
    let looks = sandbox.manifest("looks", &[("rounds = 5", "rounds = 16"), (FIXED, LOOKS)]);
    let said = sandbox.runner(&["exec", "--register", &looks]).expect_code(0).err;
    let (before, after) = said.split_once("look 1 of 2 after 8 rounds").unwrap();
    let figure = after.lines().nth(1).unwrap();
    assert!(figure.starts_with("  fast: 1.") && figure.ends_with("at look 1"), "{said}");
    assert!(!before.contains("fast: ") && !before.contains("x to "), "{said}");
    // what was shown is what the record states
    let record = sandbox.runner(&["--json", "show", "looks"]).expect_code(0).json();
    let look = &record["record"]["analysis"]["comparisons"][0]["looks"][0];
    let ends = ["log_ratio", "lo", "hi"].map(|key| look[key].as_f64().unwrap().exp());
    for end in ends {
        assert!(figure.contains(&format!("{end:.3}x")), "{end}: {figure}");
    }
    // under the fixed rule nothing is looked at before the end
    let seen = [("prior_access = \"none\"", "prior_access = \"seen\"")];
    let fixed = sandbox.manifest("fixed", &seen);
    let said = sandbox.runner(&["exec", "--register", &fixed]).expect_code(0).err;
    assert!(said.contains("block 20 of 20"), "{said}");
    assert!(!said.contains("x to ") && !said.contains("look "), "{said}");
}

#[test]
fn on_a_terminal_round_block_and_time_left_stand_above_the_bar() {
    let here = Command::new("script").arg("--version").stdout(Stdio::null()).status();
    if !here.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no `script` to make a terminal with");
        return;
    }
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("watched", &[]);
    let plain = sandbox.command(&["exec", "--register", &file]);
    let program = plain.get_program().to_string_lossy().into_owned();
    let line = format!("stty cols 70; {program} exec --register {file}");
    let mut command = Command::new("script");
    command
        .args(["-qec", &line, "/dev/null"])
        .current_dir(sandbox.root())
        .env_clear()
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("TERM", "xterm")
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    for text in ["starting arm `", "round 1 of 5, block ", " left", "/20"] {
        assert!(said.contains(text), "{text:?} is missing: {said}");
    }
    let (watched, table) = said.split_once("watched/").unwrap();
    assert!(!watched.contains("x to "), "a figure before the end: {watched}");
    assert!(table.contains("win fast (above_margin)"), "{table}");
}
