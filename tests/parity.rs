//! The engine held against a reference, through the command line. Here the worker is the fake one:
//! it has another opinion about every logit, so that what is refused, what fails and what is
//! missing is seen without an engine.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use sandbox::{Said, Sandbox};

/// The committed golden that most tests start from.
const GOLDEN: &str = "synthetic-llama";
/// Its model has as many tokens as the fake worker is told to have.
const SCRIPT: &str = "vocabulary = 128\n";

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/goldens").join(name)
}

/// A project with the committed golden in it.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.script(SCRIPT);
    for file in ["golden.safetensors", "model.gguf"] {
        let bytes = std::fs::read(committed(GOLDEN).join(file)).unwrap();
        sandbox.write(&format!("experiments/goldens/{GOLDEN}/{file}"), bytes);
    }
    sandbox
}

fn parity(sandbox: &Sandbox, more: &[&str]) -> Said {
    let worker = sandbox::fake_worker();
    let mut arguments = vec!["parity", "--worker", &worker];
    arguments.extend(more);
    sandbox.runner(&arguments)
}

/// A golden taken apart.
struct Parts {
    metadata: HashMap<String, String>,
    tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

impl Parts {
    fn of_committed() -> Parts {
        let bytes = std::fs::read(committed(GOLDEN).join("golden.safetensors")).unwrap();
        let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
        let whole = SafeTensors::deserialize(&bytes).unwrap();
        let tensors = whole.iter().map(|(name, view)| {
            (name.to_owned(), view.dtype(), view.shape().to_vec(), view.data().to_vec())
        });
        Parts { metadata: header.metadata().clone().unwrap(), tensors: tensors.collect() }
    }

    fn set(mut self, key: &str, value: &str) -> Parts {
        assert!(self.metadata.insert(key.to_owned(), value.to_owned()).is_some(), "{key}");
        self
    }

    fn without(mut self, tensor: &str) -> Parts {
        let before = self.tensors.len();
        self.tensors.retain(|(name, _, _, _)| name != tensor);
        assert_eq!(self.tensors.len(), before - 1, "{tensor}");
        self
    }

    /// Every tensor whose name ends so is left out.
    fn without_ending(mut self, ending: &str) -> Parts {
        self.tensors.retain(|(name, _, _, _)| !name.ends_with(ending));
        self
    }

    /// Puts a float in a tensor.
    fn spoil(mut self, tensor: &str, index: usize, value: f32) -> Parts {
        let (_, _, _, bytes) =
            self.tensors.iter_mut().find(|(name, _, _, _)| name == tensor).unwrap();
        bytes[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    fn bytes(self) -> Vec<u8> {
        let views: Vec<(String, TensorView<'_>)> = self
            .tensors
            .iter()
            .map(|(name, dtype, shape, bytes)| {
                (name.clone(), TensorView::new(*dtype, shape.clone(), bytes).unwrap())
            })
            .collect();
        safetensors::serialize(views, Some(self.metadata)).unwrap()
    }
}

fn replace(sandbox: &Sandbox, bytes: impl AsRef<[u8]>) {
    sandbox.write(&format!("experiments/goldens/{GOLDEN}/golden.safetensors"), bytes);
}

/// What is said of a golden that must be refused: exit 3, with file and remedy, and no worker ran.
#[track_caller]
fn refused(bytes: impl AsRef<[u8]>, text: &str) {
    let sandbox = project();
    replace(&sandbox, bytes);
    let said = parity(&sandbox, &[]).expect_code(3).expect_text(text);
    assert!(said.err.contains("golden.safetensors") && said.err.contains("hint:"), "{}", said.err);
    assert!(said.out.is_empty(), "{}", said.out);
    assert!(!sandbox.path("script.toml.pids").exists(), "a worker loaded a model");
}

#[test]
fn files_that_are_no_whole_golden_are_refused() {
    let whole = Parts::of_committed().bytes();
    refused(&whole[..whole.len() - 1000], "is truncated: 1000 of");
    refused(&whole[..300], "is truncated: its header needs");
    refused([], "is empty: nothing could be compared");
    refused("<!doctype html>", "is no safetensors file");
    let mut huge = whole.clone();
    huge[..8].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    refused(&huge, "is no safetensors file: its header claims 1152921504606846976 bytes");
    refused(Parts::of_committed().set("format", "runner-golden 9").bytes(), "its format is");
    refused(Parts::of_committed().set("prompts", "[]").bytes(), "nothing could be compared");
    refused(
        Parts::of_committed().without("random-24.logits").bytes(),
        "the tensor `random-24.logits` is missing",
    );
    refused(
        Parts::of_committed().set("vocabulary", "127").bytes(),
        "has 128 logits a row, not 127",
    );
}

#[test]
fn a_number_of_the_reference_that_is_none_is_refused_with_its_place() {
    let spoiled = Parts::of_committed().spoil("random-12.logits", 2 * 128 + 5, f32::NAN);
    refused(
        spoiled.bytes(),
        "the reference's logit is NaN in prompt `random-12`, position 2, token 5",
    );
}

#[test]
fn a_reference_that_failed_its_own_check_is_refused() {
    let failed = r#"{"rotary_table":{"passed":false,"figure":0.25}}"#;
    refused(
        Parts::of_committed().set("self_check", failed).bytes(),
        "the reference failed its own check: rotary_table",
    );
    let mut parts = Parts::of_committed();
    parts.metadata.remove("self_check");
    refused(parts.bytes(), "the reference did not check itself");
}

#[test]
fn a_golden_of_another_model_or_tokenizer_is_refused() {
    let sandbox = project();
    let model = format!("experiments/goldens/{GOLDEN}/model.gguf");
    let mut bytes = std::fs::read(sandbox.path(&model)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    sandbox.write(&model, bytes);
    parity(&sandbox, &[]).expect_code(3).expect_text("the golden is of another model");
    let other = Parts::of_committed().set("tokenizer_sha256", &"12".repeat(32));
    refused(other.bytes(), "the golden is of another tokenizer");
    std::fs::remove_file(sandbox.path(&model)).unwrap();
    parity(&sandbox, &[]).expect_code(3).expect_text("there is no `model.gguf` beside it");
}

#[test]
fn nothing_to_compare_is_no_success() {
    let sandbox = Sandbox::new();
    parity(&sandbox, &[]).expect_code(3).expect_text("there are no goldens here");
    let sandbox = project();
    let said = parity(&sandbox, &["synthetic-lama"]).expect_code(2);
    said.expect_text("no golden is called `synthetic-lama`")
        .expect_text("there are synthetic-llama");
}

/// The state of each gate.
fn states(said: &Said) -> HashMap<String, (String, serde_json::Value)> {
    let report = said.json();
    let gates = report["goldens"][0]["checklist"].as_array().unwrap().clone();
    gates
        .into_iter()
        .map(|gate| {
            let name = gate["gate"].as_str().unwrap().to_owned();
            (name, (gate["state"].as_str().unwrap().to_owned(), gate))
        })
        .collect()
}

#[test]
fn another_engine_fails_gate_by_gate_and_says_where() {
    let sandbox = project();
    let said = parity(&sandbox, &["--json", "--slots"]).expect_code(1);
    assert_eq!(said.json()["passes"], false);
    let states = states(&said);
    for gate in ["logit_cosine", "argmax", "top_logits", "greedy", "hidden"] {
        let (state, line) = &states[gate];
        assert_eq!(state, "fail", "{line}");
        assert!(line["detail"].as_str().unwrap().contains("prompt `random-"), "{line}");
    }
    assert_eq!(states["argmax"].1["compared"], states["argmax"].1["required"]);
    // the fake worker has no sequences side by side: what could not run does not pass
    let (state, line) = &states["slots_alone"];
    assert_eq!(state, "not_run", "{line}");
    let text = parity(&sandbox, &["--slots"]).expect_code(1);
    text.expect_text("FAIL     logit cosine").expect_text("NOT RUN  slots, alone");
}

#[test]
fn a_logit_of_the_engine_that_is_no_number_fails_and_says_where() {
    let sandbox = project();
    sandbox.script(&format!("{SCRIPT}[base]\nlogits_nan_at = 0\n"));
    let said = parity(&sandbox, &["--json"]).expect_code(1);
    let (state, line) = &states(&said)["logit_cosine"];
    assert_eq!(state, "fail");
    let detail = line["detail"].as_str().unwrap();
    assert!(
        detail.contains("the engine's logit is NaN in prompt `random-1`, position 0, token 0"),
        "{detail}"
    );
}

#[test]
fn what_a_golden_lacks_is_missing_and_does_not_pass() {
    let sandbox = project();
    let poor = Parts::of_committed()
        .without_ending(".greedy_tokens")
        .without_ending(".greedy_margins")
        .without_ending(".hidden")
        .without_ending(".hidden_positions");
    replace(&sandbox, poor.bytes());
    let said = parity(&sandbox, &["--json", "--weights"]).expect_code(1);
    let states = states(&said);
    for gate in ["greedy", "hidden", "weights"] {
        assert_eq!(states[gate].0, "missing", "{}", states[gate].1);
    }
}

#[test]
fn a_worker_that_dies_is_no_verdict() {
    let sandbox = project();
    sandbox.script(&format!(
        "{SCRIPT}[base]\nfault = {{ kind = \"crash\", command = \"logits\", nth = 1 }}\n"
    ));
    parity(&sandbox, &[]).expect_code(3).expect_text("the worker cannot compute logits");
    // and leaves nothing behind
    let left: Vec<String> =
        sandbox.files(".cache").into_iter().filter(|file| file.contains("parity-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_page_names_every_golden() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/parity.md")).unwrap();
    let mut goldens = 0;
    for entry in std::fs::read_dir(root.join("experiments/goldens")).unwrap() {
        let folder = entry.unwrap().path();
        if folder.join("golden.safetensors").is_file() {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let line = format!("| [{name}](#{name}) | ");
            assert!(
                page.contains(&line),
                "docs/parity.md lacks {name}: `runner parity --forms --controls --slots --write`"
            );
            goldens += 1;
        }
    }
    assert!(goldens >= 10, "{goldens} goldens");
    assert_eq!(page.matches("](#").count(), goldens, "docs/parity.md names one that is gone");
}
