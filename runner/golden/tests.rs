//! Files that are no goldens, each with its message.

use std::collections::HashMap;
use std::path::PathBuf;

use safetensors::tensor::{Dtype, TensorView};

use super::{Container, Dump, Golden};

/// A small golden that can be spoiled.
struct Made {
    metadata: HashMap<String, String>,
    tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn integers(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Made {
    fn good() -> Made {
        let hash = "ab".repeat(32);
        let pairs = [
            ("format", "runner-golden 1"),
            ("name", "made"),
            ("architecture", "llama"),
            ("origin", "synthetic"),
            ("model_sha256", &hash),
            ("tokenizer_sha256", "none"),
            ("vocabulary", "3"),
            ("blocks", "1"),
            ("width", "2"),
            ("reference", "by hand"),
            ("dtype", "float32"),
            ("attention", "eager"),
            ("made_on", "2026-11-29"),
            ("prompts", r#"["p"]"#),
            ("self_check", r#"{"two_loads_agree":{"passed":true,"figure":0}}"#),
        ];
        let metadata = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let tensors = vec![
            ("p.tokens".to_owned(), Dtype::I32, vec![2], integers(&[1, 2])),
            ("p.logit_positions".to_owned(), Dtype::I32, vec![1], integers(&[1])),
            ("p.logits".to_owned(), Dtype::F32, vec![1, 3], floats(&[1.0, 2.0, 3.0])),
            ("p.hidden_positions".to_owned(), Dtype::I32, vec![1], integers(&[0])),
            ("p.hidden".to_owned(), Dtype::F32, vec![2, 1, 2], floats(&[1.0, 2.0, 3.0, 4.0])),
        ];
        Made { metadata: metadata.into(), tensors }
    }

    fn set(mut self, key: &str, value: &str) -> Made {
        self.metadata.insert(key.to_owned(), value.to_owned());
        self
    }

    fn without(mut self, name: &str) -> Made {
        self.metadata.remove(name);
        self.tensors.retain(|tensor| tensor.0 != name);
        self
    }

    fn tensor(mut self, name: &str, dtype: Dtype, shape: &[usize], bytes: Vec<u8>) -> Made {
        self.tensors.retain(|tensor| tensor.0 != name);
        self.tensors.push((name.to_owned(), dtype, shape.to_vec(), bytes));
        self
    }

    fn bytes(self) -> Vec<u8> {
        let views = self.tensors.iter().map(|(name, dtype, shape, bytes)| {
            (name.clone(), TensorView::new(*dtype, shape.clone(), bytes).unwrap())
        });
        safetensors::serialize(views.collect::<Vec<_>>(), Some(self.metadata)).unwrap()
    }
}

fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden.safetensors");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn fault_of_bytes(bytes: &[u8]) -> String {
    let (_folder, path) = written(bytes);
    let failure = Golden::read(&path).unwrap_err();
    assert_eq!(failure.kind.exit_code(), 3, "{failure}");
    assert!(failure.place.is_some() && failure.hint.is_some(), "{failure}");
    failure.what
}

fn fault(made: Made) -> String {
    fault_of_bytes(&made.bytes())
}

#[test]
fn a_whole_golden_is_read() {
    let (_folder, path) = written(&Made::good().bytes());
    let golden = Golden::read(&path).unwrap();
    let prompt = &golden.prompts[0];
    assert_eq!(prompt.tokens, [1, 2]);
    assert_eq!(prompt.rows[0].logits, [1.0, 2.0, 3.0]);
    assert_eq!(prompt.hidden[0].after, [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(prompt.logit_positions(), [1]);
    assert_eq!(golden.facts.self_checks[0].name, "two_loads_agree");
}

#[test]
fn every_cut_is_noticed() {
    let bytes = Made::good().bytes();
    for length in 1..bytes.len() {
        let fault = fault_of_bytes(&bytes[..length]);
        assert!(fault.contains("truncated"), "{length}: {fault}");
    }
    assert!(fault_of_bytes(b"").contains("is empty: nothing could be compared"));
    assert!(fault_of_bytes(b"<html><body>").contains("is no safetensors file"));
}

#[test]
fn a_reference_that_failed_its_own_check_is_refused() {
    let checks = r#"{"no_nan":{"passed":true,"figure":0},"rotary":{"passed":false,"figure":7.5}}"#;
    let what = fault(Made::good().set("self_check", checks));
    assert_eq!(what, "the reference failed its own check: rotary (figure 7.5)");
    assert!(fault(Made::good().without("self_check")).contains("did not check itself"));
    assert!(fault(Made::good().set("self_check", "{}")).contains("did not check itself"));
    let what = fault(Made::good().set("self_check", r#"{"no_nan":{"passed":"yes"}}"#));
    assert!(what.contains("failed its own check: no_nan"), "{what}");
}

#[test]
fn what_is_missing_is_named() {
    let what = fault(Made::good().without("p.logits"));
    assert_eq!(what, "the tensor `p.logits` is missing, and `p.logit_positions` is there");
    assert!(fault(Made::good().without("p.tokens")).contains("`p.tokens` is missing"));
    assert!(fault(Made::good().without("vocabulary")).contains("lack `vocabulary`"));
    assert!(fault(Made::good().set("prompts", "[]")).contains("nothing could be compared"));
    let none = Made::good().without("p.logits").without("p.logit_positions");
    assert!(fault(none).contains("no logits: nothing could be compared"));
    assert!(fault(Made::good().set("format", "runner-golden 2")).contains("its format is"));
}

#[test]
fn a_number_that_is_none_is_named_with_its_place() {
    let spoiled = floats(&[1.0, f32::NAN, 3.0]);
    let what = fault(Made::good().tensor("p.logits", Dtype::F32, &[1, 3], spoiled));
    assert_eq!(what, "the reference's logit is NaN in prompt `p`, position 1, token 1");
    let spoiled = floats(&[1.0, 2.0, f32::INFINITY, 4.0]);
    let what = fault(Made::good().tensor("p.hidden", Dtype::F32, &[2, 1, 2], spoiled));
    assert!(what.contains("position 0, layer 1, value 0"), "{what}");
}

#[test]
fn shapes_and_positions_must_agree() {
    let wide = Made::good().tensor("p.logits", Dtype::F32, &[1, 4], floats(&[0.0; 4]));
    assert!(fault(wide).contains("has 4 logits a row, not 3"));
    let far = Made::good().tensor("p.logit_positions", Dtype::I32, &[1], integers(&[2]));
    assert!(fault(far).contains("names position 2 of a text of 2 tokens"));
    let below = Made::good().tensor("p.logit_positions", Dtype::I32, &[1], integers(&[-1]));
    assert!(fault(below).contains("names position -1"));
    let token = Made::good().tensor("p.tokens", Dtype::I32, &[2], integers(&[1, 3]));
    assert!(fault(token).contains("holds token 3, the vocabulary has 3"));
    let flat = Made::good().tensor("p.logits", Dtype::F32, &[3], floats(&[0.0; 3]));
    assert!(fault(flat).contains("has 1 dimensions, not 2"));
    let typed = Made::good().tensor("p.tokens", Dtype::I64, &[1], vec![0; 8]);
    assert!(fault(typed).contains("is of type I64, not I32"));
    let blocks = Made::good().set("blocks", "2");
    assert!(fault(blocks).contains("has 2 layers, not 3"));
    assert!(fault(Made::good().set("width", "0")).contains("its `width` is \"0\""));
}

#[test]
fn impossible_lengths_are_refused_before_memory_is_taken() {
    let mut bytes = Made::good().bytes();
    bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(fault_of_bytes(&bytes).contains("is no safetensors file"));
    let header = r#"{"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,4]}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend([0; 4]);
    assert!(fault_of_bytes(&file).contains("its header cannot be understood"));
}

#[test]
fn a_dump_is_read_tensor_by_tensor() {
    let made = || {
        Made::good()
            .set("format", "runner-dump 1")
            .set("fault", "none")
            .set("prompt", "p")
            .set("order", r#"["l_out-0"]"#)
            .tensor("tokens", Dtype::I32, &[2], integers(&[1, 2]))
            .tensor("l_out-0", Dtype::F32, &[2, 2], floats(&[1.0, f32::NAN, 3.0, 4.0]))
            .tensor("buffer.rotary", Dtype::F32, &[2], floats(&[1.0, 0.5]))
    };
    let (_folder, path) = written(&made().bytes());
    let dump = Dump::read(&path).unwrap();
    let tensor = dump.tensor("l_out-0").unwrap();
    assert_eq!((tensor.rows, tensor.width, tensor.values[3]), (2, 2, 4.0));
    assert_eq!(dump.buffers, ["rotary"]);
    assert_eq!(dump.buffer("rotary").unwrap().values, [1.0, 0.5]);
    assert_eq!(dump.fault, None);
    assert!(dump.tensor("none").unwrap_err().what.contains("`none` is missing"));
    let (_folder, path) = written(&made().set("order", r#"["l_out-1"]"#).bytes());
    assert!(Dump::read(&path).unwrap_err().what.contains("`l_out-1` is missing"));
}

#[test]
fn halves_are_widened_without_loss() {
    let halves: Vec<u8> = [0x3c00_u16, 0xc000, 0x0001, 0x7bff, 0x8000]
        .iter()
        .flat_map(|half| half.to_le_bytes())
        .collect();
    let made = Made::good().tensor("h", Dtype::F16, &[5], halves);
    let made = made.tensor("b", Dtype::BF16, &[1], vec![0x80, 0x3f]);
    let (_folder, path) = written(&made.bytes());
    let container = Container::open(&path).unwrap();
    assert_eq!(container.floats("h").unwrap(), [1.0, -2.0, 2.0_f32.powi(-24), 65504.0, 0.0]);
    assert_eq!(container.floats("b").unwrap(), [1.0]);
}
