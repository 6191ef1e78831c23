//! Forms made by the real engine's quantiser, and run by it.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;

/// Off in F16, one treatment in Q8_0 and one in Q4_0, as short as may be.
fn manifest(sandbox: &Sandbox) -> String {
    let written = sandbox::manifest("real-forms");
    let worker = format!("worker = \"{}\"", sandbox::fake_worker());
    let arm = &written[written.find("name = \"fast\"").unwrap()..written.find("[metric]").unwrap()];
    let contract = "contract.kl.mean_at_most = 5.0\ncontract.kl.p99_at_most = 50.0\n\
                    contract.kl.basis = \"a test\"\n\n";
    let arms = format!(
        "name = \"q8\"\nrole = \"treatment\"\nform = \"q8_0\"\n{contract}\
         [[arm]]\nname = \"q4\"\nrole = \"treatment\"\nform = \"q4_0\"\n{contract}"
    );
    sandbox.manifest("real-forms", &[(worker.as_str(), "form = \"f16\""), (arm, arms.as_str())])
}

#[test]
fn forms_of_the_tiny_model_are_made_loaded_and_told_apart() {
    let sandbox = Sandbox::with_model();
    let file = manifest(&sandbox);
    sandbox
        .runner(&["register", &file])
        .expect_code(3)
        .expect_text("runner model forms builtin-tiny --make f16,q8_0,q4_0");
    let made = ["model", "forms", "builtin-tiny", "--make", "f32,f16,q8_0,q4_0", "--threads", "1"];
    sandbox.runner(&made).expect_code(0);
    let json = sandbox.runner(&["--json", "model", "forms", "builtin-tiny"]).expect_code(0).json();
    let forms = json["forms"].as_array().unwrap();
    assert_eq!(forms.len(), 4);
    let bytes: Vec<u64> = forms.iter().map(|form| form["bytes"].as_u64().unwrap()).collect();
    assert!(bytes.is_sorted_by(|one, other| one > other), "{bytes:?}");
    for form in forms {
        assert!(form["share_percent"].as_f64().unwrap() > 95.0, "{form}");
    }
    let said = sandbox.runner(&["--json", "exec", "--register", &file]);
    // a busy machine may void it, with a reason; nothing else may happen
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let record = said.json();
    let memory = record["record"]["facts"]["memory"].as_array().unwrap();
    let weights = |arm: &str| -> u64 {
        let of_arm = memory.iter().find(|one| one["arm"] == arm).unwrap();
        let buffers = of_arm["buffers"].as_array().unwrap();
        buffers
            .iter()
            .filter(|buffer| buffer["kind"] == "weights")
            .map(|buffer| buffer["bytes"].as_u64().unwrap())
            .sum()
    };
    assert!(weights("off") > weights("q8") && weights("q8") > weights("q4"), "{memory:?}");
    assert_eq!(weights("off"), weights("off-again"));
    let claim = record["record"]["claims"][0]["sentence"].as_str().unwrap();
    let words = "as Q8_0 (quantised from F16) against F16 (converted from F16)";
    assert!(claim.contains(words), "{claim}");
    let derived = &record["provenance"]["regime"]["weights_derived_from"];
    assert!(derived["q4"].as_str().unwrap().contains("to Q4_0 by "), "{derived}");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}

#[test]
fn a_look_at_forms() {
    let sandbox = Sandbox::with_model();
    let look = [
        "try",
        "builtin-tiny",
        "--vary",
        "form=f16,q4_0",
        "--decode",
        "16",
        "--set",
        "threads=1",
        "--minutes",
        "0.05",
    ];
    sandbox.runner(&look).expect_code(3).expect_text("--make f16,q4_0");
    let made = ["model", "forms", "builtin-tiny", "--make", "f16,q4_0", "--threads", "1"];
    sandbox.runner(&made).expect_code(0);
    sandbox.runner(&look).expect_code(0).expect_text("form=q4_0");
}
