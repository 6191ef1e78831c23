//! What `runner plan` says before anything is run.

mod sandbox;

use sandbox::Sandbox;

/// All of the output but the manifest's hash, which names the fake worker's path.
fn said(sandbox: &Sandbox, file: &str) -> String {
    let out = sandbox.runner(&["plan", file]).expect_code(0).out;
    out.lines().filter(|line| !line.starts_with("manifest ")).collect::<Vec<&str>>().join("\n")
}

#[test]
fn a_plan_shows_resolution_and_operating_characteristics() {
    let sandbox = Sandbox::with_model();
    let file = sandbox.manifest("sound", &[]);
    insta::assert_snapshot!(said(&sandbox, &file), @"");
}

#[test]
fn a_design_that_shows_too_little_says_what_would_do() {
    let sandbox = Sandbox::with_model();
    let noisy = [("assumed_block_sd_percent = 1.0", "assumed_block_sd_percent = 8.0")];
    let file = sandbox.manifest("noisy", &noisy);
    let planned = sandbox.runner(&["plan", &file]).expect_code(0);
    assert!(planned.err.contains("`register` would refuse this design"), "{}", planned.err);
    insta::assert_snapshot!(said(&sandbox, &file), @"");
    let refused = sandbox.runner(&["register", &file]).expect_code(3);
    insta::assert_snapshot!(refused.err, @"");
}
