//! The real engine held against the committed goldens.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use sandbox::Sandbox;
use serde_json::Value;

/// `runner parity` over a committed golden, or all of them.
fn committed(arguments: &[&str], code: i32) -> Value {
    let sandbox = Sandbox::new();
    let goldens = format!("{}/experiments/goldens", env!("CARGO_MANIFEST_DIR"));
    let mut all = vec!["parity", "--json", "--goldens", &goldens];
    all.extend(arguments);
    sandbox.runner(&all).expect_code(code).json()
}

/// Names of the committed goldens whose model lies beside them.
fn synthetic() -> Vec<String> {
    let folder = format!("{}/experiments/goldens", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("model.gguf").is_file())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_synthetic_architecture_passes_and_its_broken_copies_do_not() {
    let names = synthetic();
    assert!(names.len() >= 10, "{names:?}");
    let mut arguments = vec!["--controls", "--slots"];
    arguments.extend(names.iter().map(String::as_str));
    let report = committed(&arguments, 0);
    for golden in report["goldens"].as_array().unwrap() {
        for gate in golden["checklist"].as_array().unwrap() {
            assert_eq!(gate["state"], "pass", "{gate}");
            assert!(gate["compared"].as_u64().unwrap() > 0, "{gate}");
        }
        let controls = golden["controls"].as_array().unwrap();
        assert_eq!(controls.len(), 4);
        for control in controls {
            assert_eq!(control["state"], "rejected", "{}: {control}", golden["golden"]["name"]);
        }
    }
}

#[test]
fn forms_pass_at_the_bar_of_their_tightest_control() {
    let report = committed(&["--forms", "synthetic-llama"], 0);
    let forms = report["goldens"][0]["forms"].as_array().unwrap();
    let names: Vec<&str> = forms.iter().map(|form| form["form"].as_str().unwrap()).collect();
    assert_eq!(names, ["q8_0", "q4_0"]);
    for form in forms {
        assert_eq!(form["gate"]["state"], "pass", "{form}");
        let (bar, least) = (&form["bar"], &form["divergence"]["cosine_min"]);
        let (cosine, basis) =
            (bar["cosine"].as_f64().unwrap(), bar["basis_cosine"].as_f64().unwrap());
        assert!(basis < cosine && cosine <= least.as_f64().unwrap(), "{bar} {least}");
        let controls = form["controls"].as_array().unwrap();
        assert_eq!(controls.len(), 5);
        // one sets the bar, and no other comes nearer
        let setting = controls.iter().filter(|control| control["state"] == "sets_the_bar").count();
        assert_eq!(setting, 1, "{controls:?}");
        for control in controls {
            let cosine = control["cosine_min"].as_f64().unwrap();
            assert!(cosine <= basis, "{control}");
        }
        // quantised arithmetic is seen: the form is not simply the floats
        assert!(form["divergence"]["kl_mean"].as_f64().unwrap() > 0.0);
        assert!(form["divergence"]["perplexity"]["lo"].is_number(), "{form}");
    }
}
