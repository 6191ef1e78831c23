//! `runner bisect` with the real engine: planted faults, each on a small committed golden, and the
//! first tensor that parts, by name.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::path::{Path, PathBuf};

use runner::model::{Document, Edit, write_edited};
use sandbox::Sandbox;
use serde_json::Value;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/goldens").join(name)
}

/// What `bisect` found, after its exit code was checked.
fn bisect(sandbox: &Sandbox, arguments: &[&str], code: i32) -> Value {
    let mut all = vec!["bisect", "--json"];
    all.extend(arguments);
    sandbox.runner(&all).expect_code(code).json()
}

fn against_dump(dump: &str, code: i32) -> Value {
    let sandbox = Sandbox::new();
    let folder = golden("synthetic-llama");
    let file = folder.join(format!("dump-{dump}.safetensors"));
    let arguments = [folder.to_str().unwrap(), "--dump", file.to_str().unwrap()];
    bisect(&sandbox, &arguments, code)
}

/// The engine with a changed copy of the model, against the sound reference.
fn with_model(edits: impl Fn(&Document) -> Vec<Edit>) -> Value {
    let sandbox = Sandbox::new();
    let folder = golden("synthetic-llama");
    let model = Document::read(&folder.join("model.gguf")).unwrap();
    let copy = sandbox.path("changed.gguf");
    write_edited(&model, &copy, &edits(&model)).unwrap();
    let arguments = [folder.to_str().unwrap(), "--model", copy.to_str().unwrap()];
    bisect(&sandbox, &arguments, 1)
}

#[track_caller]
fn expect(found: &Value, first: &str, sides: &str, words: &str) {
    let sentences = found["sentences"].to_string();
    assert_eq!(found["first"], first, "{sentences}");
    assert_eq!(found["sides"], sides, "{sentences}");
    assert!(sentences.contains(words), "{words:?} is missing\n{sentences}");
    assert_eq!(found["retest"]["parts"], true, "{sentences}");
}

#[test]
fn on_sound_pairs_nothing_parts() {
    let sandbox = Sandbox::new();
    let goldens = std::fs::read_dir(golden("")).unwrap().flatten().map(|entry| entry.path());
    let with_dump = goldens.filter(|path| path.join("dump-sound.safetensors").is_file());
    let mut compared = 0;
    for folder in with_dump.filter(|path| path.join("model.gguf").is_file()) {
        let found = bisect(&sandbox, &[folder.to_str().unwrap()], 0);
        let sentences = found["sentences"].to_string();
        assert_eq!(found["first"], Value::Null, "{}: {sentences}", folder.display());
        assert_eq!(found["sides"], "both_look_sound", "{}: {sentences}", folder.display());
        assert_eq!(found["logits_finding"], "agree", "{}: {sentences}", folder.display());
        // both ways were walked
        assert!(found["carried"]["steps"].as_array().unwrap().len() > 20, "{sentences}");
        assert!(found["fed"]["steps"].as_array().unwrap().len() > 20, "{sentences}");
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn a_reference_whose_rotary_table_was_never_written_is_named() {
    let found = against_dump("rotary-denormal", 1);
    let words = "the reference looks broken: its buffer `rotary_inverse_frequency`";
    expect(&found, "Qcur-0#2", "left_looks_broken", words);
    assert!(found["sentences"].to_string().contains("denormal"));
}

#[test]
fn a_reference_with_another_epsilon_is_named() {
    let found = against_dump("wrong-epsilon", 1);
    expect(&found, "norm-0", "left_looks_broken", "`norm-0` is not what the norm of `embd`");
}

#[test]
fn a_reference_that_swaps_halves_is_named_and_the_swap_recognised() {
    let found = against_dump("query-halves", 1);
    let words = "is equal after swapping the halves of each head of 16";
    expect(&found, "Qcur-1#2", "left_looks_broken", words);
}

#[test]
fn a_reference_with_one_nan_is_named() {
    let found = against_dump("nan", 1);
    expect(&found, "ffn_out-1", "left_looks_broken", "in `ffn_out-1` one value is NaN");
}

#[test]
fn an_engine_with_another_rope_base_is_named() {
    let key = "llama.rope.freq_base".to_owned();
    let found = with_model(|_| vec![Edit::SetFloat { key: key.clone(), value: 5000.0 }]);
    expect(&found, "Qcur-0#2", "right_looks_broken", "`llama.rope.freq_base` is 5000");
}

#[test]
fn an_engine_with_another_epsilon_is_named() {
    let key = "llama.attention.layer_norm_rms_epsilon".to_owned();
    let found = with_model(|_| vec![Edit::SetFloat { key: key.clone(), value: 1e-2 }]);
    expect(&found, "norm-0", "right_looks_broken", "`norm-0` is not what the norm of `embd`");
}

#[test]
fn an_engine_with_two_heads_swapped_in_one_block_is_named() {
    let found = with_model(|model| {
        let name = "blk.1.attn_q.weight".to_owned();
        let mut bytes = model.tensor_bytes(&name).unwrap();
        let head = bytes.len() / 4;
        let (first, second) = bytes.split_at_mut(head);
        first.swap_with_slice(&mut second[..head]);
        vec![Edit::SetTensorBytes { name, bytes }]
    });
    expect(&found, "Qcur-1", "right_looks_broken", "equal after swapping heads 0 and 1");
}

#[test]
fn a_changed_scale_in_one_quantised_block_is_found_between_two_arms() {
    let sandbox = Sandbox::new();
    let tiny = sandbox.runner(&["model", "path", "builtin-tiny"]).expect_code(0);
    let model = Document::read(Path::new(tiny.out.trim())).unwrap();
    let name = "blk.2.ffn_down.weight".to_owned();
    let mut bytes = model.tensor_bytes(&name).unwrap();
    // the scale of the first block of row 5: a row of 512 has 16 blocks of 34 bytes
    let scale = &mut bytes[5 * 16 * 34..][..2];
    scale.copy_from_slice(&0x3400_u16.to_le_bytes());
    let copy = sandbox.path("changed.gguf");
    write_edited(&model, &copy, &[Edit::SetTensorBytes { name, bytes }]).unwrap();
    let arguments = ["builtin-tiny", "--model-b", copy.to_str().unwrap(), "--tokens", "24"];
    let found = bisect(&sandbox, &arguments, 1);
    let words = "tensor `blk.2.ffn_down.weight` has other values";
    expect(&found, "ffn_out-2", "both_look_sound", words);
    let step = found["fed"]["steps"].as_array().unwrap().iter().find(|s| s["name"] == "ffn_out-2");
    assert_eq!(step.unwrap()["divergence"]["place"]["index"], 5);
}

#[test]
fn arms_that_differ_by_rounding_do_not_part() {
    let sandbox = Sandbox::new();
    for arm in ["flash_attention=on", "threads=1"] {
        let arguments = ["builtin-tiny", "--off", "threads=2", "--arm", arm, "--tokens", "48"];
        let found = bisect(&sandbox, &arguments, 0);
        let sentences = found["sentences"].to_string();
        assert_eq!(found["first"], Value::Null, "{arm}: {sentences}");
        assert!(sentences.contains("nothing beyond a bar of 0.8"), "{arm}: {sentences}");
        if arm == "flash_attention=on" {
            assert_eq!(found["logits_finding"], "unknown", "{sentences}");
            assert!(sentences.contains("the bar is too wide to tell (6.4)"), "{sentences}");
        }
    }
}

#[test]
fn a_table_around_the_place_and_sentences_are_printed() {
    let sandbox = Sandbox::new();
    let folder = golden("synthetic-llama");
    let dump = folder.join("dump-query-halves.safetensors");
    let arguments = ["bisect", folder.to_str().unwrap(), "--dump", dump.to_str().unwrap()];
    let said = sandbox.runner(&arguments).expect_code(1);
    let marked = said.out.lines().find(|line| line.trim_start().starts_with('>')).unwrap();
    assert!(marked.contains("Qcur-1#2") && marked.contains("parts"), "{}", said.out);
    said.expect_text("the reference looks broken").expect_text("1 of 3 blocks parts by itself");
}
