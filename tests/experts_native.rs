//! The small mixture of experts on the real engine, through the command line.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;
use serde_json::Value;

fn measured(set: &str) -> Value {
    let sandbox = Sandbox::new();
    let ask = ["--json", "workload", "measure", set, "--model", "builtin-tiny-experts"];
    sandbox.runner(&ask).expect_code(0).json()
}

fn class<'said>(said: &'said Value, class: &str) -> &'said Value {
    let classes = said["classes"].as_array().unwrap();
    classes.iter().find(|one| one["class"] == class).unwrap()
}

#[test]
fn l11_varied_text_spreads_over_the_experts_and_four_words_do_not() {
    let (prose, filler) = (measured("prose-48"), measured("filler-48"));
    let spread = |said: &Value, statistic: &str, at: &str| {
        said["measured"]["experts"][statistic][at].as_f64().unwrap()
    };
    for statistic in ["expert_entropy", "routing_entropy"] {
        // the worst of prose is better than the best of filler
        let (worst, best) = (spread(&prose, statistic, "min"), spread(&filler, statistic, "max"));
        assert!(worst > best, "{statistic}: prose {worst}, filler {best}");
    }
    assert_eq!(class(&prose, "routing")["fit"], true, "{prose}");
    let against = class(&filler, "routing")["against"].to_string();
    assert!(against.contains("routing entropy"), "{against}");
    // every expert of every layer is used by prose
    for layer in prose["measured"]["experts"]["layer"].as_array().unwrap() {
        let counts = layer["tokens_by_expert"].as_array().unwrap();
        assert!(counts.iter().all(|count| count.as_u64().unwrap() > 0), "{layer}");
    }
}

/// What the program holds of its own sets is what the engine measures.
#[test]
fn the_committed_calibrations_are_measured_again() {
    for set in ["prose-48", "code-48", "filler-48"] {
        let path =
            format!("{}/experiments/workloads/{set}.calibration.toml", env!("CARGO_MANIFEST_DIR"));
        let committed: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let all = committed["measured"].as_array().unwrap();
        let of_model = |one: &&toml::Value| one["model"].as_str() == Some("builtin-tiny-experts");
        let committed = all.iter().find(of_model).unwrap();
        let now = &measured(set)["measured"];
        let content = serde_json::to_value(&committed["content"]).unwrap();
        assert_eq!(content, now["content"], "{set}");
        // routing is a matter of floating point: a close race may end otherwise elsewhere
        for statistic in ["expert_entropy", "routing_entropy"] {
            let then = committed["experts"][statistic]["median"].as_float().unwrap();
            let now = now["experts"][statistic]["median"].as_f64().unwrap();
            assert!((then - now).abs() < 0.02, "{set} {statistic}: {then}, {now}");
        }
    }
}

#[test]
fn the_mixture_of_experts_runs_to_a_sealed_table() {
    let sandbox = Sandbox::new();
    let text = include_str!("../experiments/quickstart.toml")
        .replace("model = \"builtin-tiny\"", "model = \"builtin-tiny-experts\"")
        .replace("class = \"dense_throughput\"", "class = \"routing\"");
    sandbox.write("experiments/quickstart.toml", text);
    let said = sandbox.runner(&["exec", "--register", "experiments/quickstart.toml"]);
    // busy machines may void it, with a reason; nothing else may happen
    assert!([0, 4].contains(&said.code), "{}\n{}", said.out, said.err);
    let said = said.expect_text("ratio to off");
    assert!(said.out.contains("builtin-tiny-experts"), "{}", said.out);
    sandbox.runner(&["record", "verify"]).expect_code(0).expect_text("1 record verified");
}
