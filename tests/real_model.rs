//! A real language model through the command line. `RUNNER_TEST_MODEL` names its GGUF file
//! (`runner model fetch` gets it); without it these tests do nothing, but under `CI=true` they
//! fail, so that nobody takes a skipped test for a passed one.

#![cfg(feature = "native")]

mod sandbox;

use sandbox::{Sandbox, manifest};

/// SHA-256 of SmolLM2-135M-Instruct Q4_1, as in `experiments/models.toml`.
const SMOLLM2: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

fn model() -> Option<String> {
    let path = std::env::var("RUNNER_TEST_MODEL").ok();
    assert!(
        path.is_some() || std::env::var_os("CI").is_none(),
        "RUNNER_TEST_MODEL is not set: run `runner model fetch smollm2-135m-instruct-q4_1` and \
         set it to what `runner model path` prints"
    );
    path
}

/// The sandbox's manifest on the native engine and this model, with flash attention as the
/// treatment.
fn experiment(sandbox: &Sandbox, path: &str) -> String {
    let worker = format!("worker = \"{}\"", sandbox::fake_worker());
    let text = manifest("real")
        .replace(&worker, "build = \"native\"")
        .replace(
            "model = \"builtin-tiny\"",
            &format!("model_file = \"{path}\"\nmodel_sha256 = \"{SMOLLM2}\""),
        )
        .replace(
            "name = \"fast\"\nrole = \"treatment\"\nthreads = 2",
            "name = \"flash\"\nrole = \"treatment\"\nflash_attention = \"on\"",
        )
        .replace(
            "contract.identical.of = \"tokens\"",
            "contract.argmax.agreement_at_least = 0.8\ncontract.argmax.basis = \"a test that the \
             machinery runs\"\nexpect.operation.flash_attn_ext.at_least = 1",
        )
        .replace("rounds = 5\nblocks_per_round = 4", "rounds = 3\nblocks_per_round = 2")
        .replace("margin_percent = 5.0", "margin_percent = 15.0");
    sandbox.write("experiments/real.toml", text);
    "experiments/real.toml".to_owned()
}

#[test]
fn an_experiment_on_smollm2_ends_in_a_record_with_its_contract_measured() {
    let Some(path) = model() else { return };
    let sandbox = Sandbox::new();
    let manifest = experiment(&sandbox, &path);
    let said = sandbox.runner(&["exec", "--register", &manifest]);
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let record = sandbox.runner(&["show", "real", "--json"]).expect_code(0).json();
    let facts = &record["record"]["facts"];
    let finding = &facts["contracts"][0];
    assert_eq!(finding["contract"], "argmax", "{finding}");
    // 512 of its own inputs, and 128 of code
    assert_eq!(finding["compared"], 640, "{finding}");
    // 3 rounds of 2 blocks, 3 arms: a prompt and two chunks each
    assert_eq!(record["record"]["samples"]["rows"], 3 * 2 * 3 * 3, "{record}");
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

#[test]
fn the_engine_is_at_parity_with_the_reference_and_broken_copies_are_not() {
    let Some(path) = model() else { return };
    let sandbox = Sandbox::new();
    let place = sandbox.path(&format!(".cache/models/{SMOLLM2}"));
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join("SmolLM2-135M-Instruct.Q4_1.gguf");
    std::os::unix::fs::symlink(std::path::absolute(path).unwrap(), file).unwrap();
    let goldens = format!("{}/experiments/goldens", env!("CARGO_MANIFEST_DIR"));
    let name = "smollm2-135m-instruct-q4_1";
    let arguments = ["parity", name, "--goldens", &goldens, "--controls", "--json"];
    let report = sandbox.runner(&arguments).expect_code(0).json();
    let golden = &report["goldens"][0];
    for gate in golden["checklist"].as_array().unwrap() {
        assert_eq!(gate["state"], "pass", "{gate}");
    }
    let controls = golden["controls"].as_array().unwrap();
    assert_eq!(controls.len(), 4);
    for control in controls {
        assert_eq!(control["state"], "rejected", "{control}");
    }
}

#[test]
fn a_truncated_copy_of_the_model_is_refused_and_nothing_is_measured() {
    let Some(path) = model() else { return };
    let sandbox = Sandbox::new();
    let whole = std::fs::read(&path).unwrap();
    let short = sandbox.write("short.gguf", &whole[..whole.len() / 2]);
    let manifest = experiment(&sandbox, &short.display().to_string());
    let said = sandbox.runner(&["exec", "--register", &manifest]).expect_code(3);
    assert!(said.err.contains("short.gguf"), "{}", said.err);
    assert!(sandbox.files("results").is_empty(), "{:?}", sandbox.files("results"));
}
