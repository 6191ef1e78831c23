//! `runner bisect` with a worker that has no engine: what is refused, what is listed, and the walk
//! over a graph that is scripted.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::path::{Path, PathBuf};

use runner::model::{Document, Edit, write_edited};
use sandbox::{Said, Sandbox, fake_worker};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/goldens/synthetic-llama")
}

/// Two arms of the fake worker; a second thread makes the arm.
fn arms(sandbox: &Sandbox, script: &str, more: &[&str]) -> Said {
    sandbox.script(script);
    let worker = fake_worker();
    let mut arguments =
        vec!["bisect", "builtin-tiny", "--worker", &worker, "--arm", "threads=2", "--tokens", "12"];
    arguments.extend(more);
    sandbox.runner(&arguments)
}

const CHANGED: &str = "\
[[when]]
settings = { threads = 2 }
observe = { changed_from = \"ffn_out-0\" }
";

#[test]
fn the_first_tensor_that_parts_is_named_in_both_modes() {
    let sandbox = Sandbox::new();
    let said = arms(&sandbox, CHANGED, &["--json"]).expect_code(1);
    let found = said.json();
    assert_eq!(found["first"], "ffn_out-0");
    assert_eq!(found["sides"], "both_look_sound");
    let parting = |mode: &str| {
        let steps = found[mode]["steps"].as_array().unwrap().clone();
        let parting = steps.into_iter().filter(|step| step["parts"] == true);
        parting.map(|step| step["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // carried, all that follows is off; fed, the block alone
    assert_eq!(parting("carried").len(), 7);
    assert_eq!(parting("fed"), ["ffn_out-0", "l_out-0"]);
    let step = &found["fed"]["steps"][2]["divergence"]["place"];
    assert_eq!(step["index"], 3, "{step}");
    assert_eq!(found["retest"]["observed"].as_array().unwrap().len(), 3);
    assert_eq!(found["retest"]["parts"], true);
}

#[test]
fn arms_that_agree_do_not_part() {
    let sandbox = Sandbox::new();
    let said = arms(&sandbox, "seed = 1\n", &[]).expect_code(0);
    said.expect_text("off and arm do not part in 10 tensors: nothing beyond a bar of 0.8")
        .expect_text("(quantised weights (8-bit activations)) was seen");
}

#[test]
fn names_of_one_side_only_are_listed() {
    let sandbox = Sandbox::new();
    let script = "[[when]]\nsettings = { threads = 2 }\nobserve = { tensors = [\"embd\", \"l_out-0\", \"extra-0\"] }\n";
    let said = arms(&sandbox, script, &[]).expect_code(0);
    said.expect_text("only the arm has 1 tensor (`extra-0`)").expect_text("only the off has 8");
}

#[test]
fn an_empty_comparison_is_refused() {
    let sandbox = Sandbox::new();
    let script = "[[when]]\nsettings = { threads = 2 }\nobserve = { tensors = [\"other-0\"] }\n";
    arms(&sandbox, script, &[])
        .expect_code(3)
        .expect_text("no tensor has a name on both sides: nothing could be compared");
}

#[test]
fn a_file_that_is_not_what_the_worker_says_is_refused() {
    for (fault, words) in [
        ("short", "its 10 tensors would have"),
        ("hash", "the worker said"),
        ("twice", "names the tensor `embd` twice"),
        ("nothing", "observed no tensors"),
        ("places", "values come before it"),
    ] {
        let sandbox = Sandbox::new();
        let script = format!("[base]\nobserve = {{ fault = \"{fault}\" }}\n");
        let said = arms(&sandbox, &script, &[]).expect_code(3);
        let words = if fault == "places" { "come before it" } else { words };
        said.expect_text(words);
    }
}

#[test]
fn a_worker_that_fails_is_refused_with_its_words() {
    let sandbox = Sandbox::new();
    let script = "[base]\nfault = { kind = \"problem\", command = \"observe\", nth = 1 }\n";
    arms(&sandbox, script, &[])
        .expect_code(3)
        .expect_text("the engine cannot show its tensors: scripted");
    let script = "[base]\nfault = { kind = \"crash\", command = \"observe\", nth = 1 }\n";
    arms(&sandbox, script, &[]).expect_code(3).expect_text("instead of answering `observe`");
}

#[test]
fn a_broken_dump_is_refused_before_anything_is_compared() {
    let sandbox = Sandbox::new();
    let bytes = std::fs::read(golden().join("dump-sound.safetensors")).unwrap();
    let model = std::fs::read(golden().join("model.gguf")).unwrap();
    let run = |name: &str, bytes: &[u8]| {
        sandbox.write(&format!("experiments/goldens/{name}/dump-sound.safetensors"), bytes);
        sandbox.write(&format!("experiments/goldens/{name}/model.gguf"), &model);
        sandbox.runner(&["bisect", name, "--worker", &fake_worker()])
    };
    run("cut", &bytes[..bytes.len() - 100]).expect_code(3).expect_text("is truncated");
    run("empty", b"").expect_code(3).expect_text("is empty");
    // a whole golden is no dump
    let golden = std::fs::read(golden().join("golden.safetensors")).unwrap();
    run("other", &golden).expect_code(3).expect_text("runner-dump 1");
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.runner(&["bisect", "nowhere"]).expect_code(3).expect_text("there are no goldens here");
    sandbox.write("experiments/goldens/bare/golden.safetensors", b"x");
    sandbox.runner(&["bisect", "nowhere"]).expect_code(2).expect_text("there are bare");
    sandbox
        .runner(&["bisect", "bare"])
        .expect_code(3)
        .expect_text("has no dump of the reference's inner tensors");
    sandbox.runner(&["bisect", "bare", "--set", "threads"]).expect_code(2).expect_text("--set");
    sandbox
        .runner(&["bisect", "builtin-tiny", "--arm", "thread=2"])
        .expect_code(2)
        .expect_text("did you mean `threads`?");
    let clash = ["bisect", "bare", "--arm", "threads=2", "--dump", "x"];
    sandbox.runner(&clash).expect_code(2);
}

/// A copy of a model whose matrices are said to be of 16 bits, as a quantiser would have it: the
/// header alone is changed, since the fake worker reads no weights.
fn sixteen_bit_form(model: &Document, target: &Path, mut edits: Vec<Edit>) {
    let file_type = Edit::SetCount { key: "general.file_type".to_owned(), value: 1 };
    edits.push(file_type);
    write_edited(model, target, &edits).unwrap();
    let mut bytes = std::fs::read(target).unwrap();
    for tensor in model.facts().tensors.iter().filter(|tensor| tensor.dimensions.len() == 2) {
        let name = tensor.name.as_bytes();
        let mut written = (name.len() as u64).to_le_bytes().to_vec();
        written.extend(name);
        let at = bytes.windows(written.len()).position(|window| window == written).unwrap();
        // after the name: how many dimensions, two dimensions, the type
        let type_at = at + written.len() + 4 + 2 * 8;
        assert_eq!(bytes[type_at..type_at + 4], 0_u32.to_le_bytes());
        bytes[type_at..type_at + 4].copy_from_slice(&1_u32.to_le_bytes());
    }
    std::fs::write(target, bytes).unwrap();
}

/// A graph of another engine altogether against the reference's dump: all of it parts.
fn against_a_form(edits: Vec<Edit>) -> serde_json::Value {
    let sandbox = Sandbox::new();
    sandbox.script("[base]\nobserve = { tensors = [\"embd\", \"l_out-0\"], width = 32 }\n");
    let model = Document::read(&golden().join("model.gguf")).unwrap();
    let form = sandbox.path("form.gguf");
    sixteen_bit_form(&model, &form, edits);
    let (folder, form, worker) = (golden(), form.to_str().unwrap().to_owned(), fake_worker());
    let arguments = ["bisect", folder.to_str().unwrap(), "--model", &form, "--worker", &worker];
    let found = sandbox.runner(&[&["--json"], &arguments[..]].concat()).expect_code(1).json();
    assert_eq!(found["first"], "l_out-0");
    found
}

#[test]
fn another_form_of_the_model_is_noted_and_held_against_nobody() {
    let found = against_a_form(Vec::new());
    assert_eq!(found["sides"], "both_look_sound", "{}", found["reasons"]);
    assert_eq!(found["reasons"].as_array().unwrap().len(), 0);
    let notes = found["notes"].to_string();
    let words = "another form of the model file that the reference read";
    assert!(notes.contains(words) && notes.contains("is f16, not f32"), "{notes}");
    assert!(notes.contains("`general.file_type` is 1, not 0"), "{notes}");
}

#[test]
fn what_the_form_does_not_explain_is_held_against_the_engine() {
    let key = "llama.rope.freq_base".to_owned();
    let name = "blk.2.attn_norm.weight".to_owned();
    let model = Document::read(&golden().join("model.gguf")).unwrap();
    let bytes = vec![0; model.tensor_bytes(&name).unwrap().len()];
    let edits = vec![Edit::SetFloat { key, value: 5000.0 }, Edit::SetTensorBytes { name, bytes }];
    let found = against_a_form(edits);
    assert_eq!(found["sides"], "right_looks_broken");
    let reasons = found["reasons"].to_string();
    assert!(reasons.contains("`llama.rope.freq_base` is 5000, not"), "{reasons}");
    assert!(reasons.contains("tensor `blk.2.attn_norm.weight` has other values"), "{reasons}");
    assert!(!reasons.contains("f16"), "{reasons}");
    assert!(found["notes"].to_string().contains("is another form too"), "{}", found["notes"]);
}
