//! A slice made by this program and loaded by the real engine.

#![cfg(feature = "native")]
mod sandbox;

use sandbox::Sandbox;

#[test]
fn l23_a_slice_of_the_tiny_model_is_loaded_and_holds_fewer_layers() {
    let sandbox = Sandbox::with_model();
    let worker = format!("worker = \"{}\"", sandbox::fake_worker());
    let beside = "[[arm]]\nname = \"less\"\nrole = \"control\"\nlayers = 1\n\n[metric]";
    let file = sandbox.manifest(
        "real-slice",
        &[
            (worker.as_str(), "layers = 2"),
            ("threads = 2\ncontract.identical.of = \"tokens\"", TREATMENT),
            ("[metric]", beside),
        ],
    );
    let said = sandbox.runner(&["--json", "exec", "--register", &file]);
    // a busy machine may void it, with a reason; nothing else may happen
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let json = said.json();
    let memory = json["record"]["facts"]["memory"].as_array().unwrap();
    let weights = |arm: &str| -> u64 {
        let of_arm = memory.iter().find(|one| one["arm"] == arm).unwrap();
        let buffers = of_arm["buffers"].as_array().unwrap().iter();
        let weights = buffers.filter(|buffer| buffer["kind"] == "weights");
        weights.map(|buffer| buffer["bytes"].as_u64().unwrap()).sum()
    };
    assert_eq!(weights("off"), weights("fast"));
    assert!(weights("off") > weights("less"), "{memory:?}");
    let claim = json["record"]["claims"][0]["sentence"].as_str().unwrap();
    assert!(claim.contains("on the first 2 of 4 layers"), "{claim}");
    let regime = &json["provenance"]["regime"];
    assert_eq!(regime["extent"], "slice of 2 of 4 layers");
    assert_eq!(regime["extent_by_arm"]["less"], "slice of 1 of 4 layers");
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}

const TREATMENT: &str = "flash_attention = \"on\"\n\
                         contract.kl.mean_at_most = 5.0\ncontract.kl.p99_at_most = 50.0\n\
                         contract.kl.basis = \"a test\"";
