use std::path::Path;

use engine_protocol::{Command, Form, ProblemKind, Reply, Settings, WeightsFile, WeightsRequest};

use crate::conversation::{Worker, model};
use crate::gguf::Gguf;
use crate::requantise::{requantise, request};

/// Of every kind; the embeddings, which are most of a small model, are left to one test.
const SOME: [&str; 4] = [
    "blk.0.attn_q.weight",
    "blk.1.ffn_down.weight",
    "blk.0.attn_norm.weight",
    "output_norm.weight",
];

fn weights(worker: &mut Worker, folder: &Path, names: &[&str]) -> (WeightsFile, Vec<u8>) {
    let path = folder.join("weights").to_str().unwrap().to_owned();
    let tensors = names.iter().map(|name| (*name).to_owned()).collect();
    match worker.ask(Command::Weights(WeightsRequest { tensors, path: path.clone() })) {
        Reply::Weights(file) => (file, std::fs::read(path).unwrap()),
        other => panic!("no weights: {other:?}"),
    }
}

/// The path of a form of the model, made for this test.
fn form(source: &str, folder: &Path, form: Form) -> String {
    let request = request(source, folder, form);
    let target = folder.join(format!("{form:?}.gguf")).to_str().unwrap().to_owned();
    let mut worker = Worker::greeted();
    requantise(
        &mut worker,
        engine_protocol::RequantiseRequest { target_path: target.clone(), ..request },
    );
    target
}

#[test]
fn unquantised_weights_are_the_bytes_of_the_file() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = form(&model, folder.path(), Form::F32);
    let (mut worker, _) = Worker::loaded(&path, Settings::default());
    let (file, bytes) = weights(&mut worker, folder.path(), &[]);
    assert_eq!(file.blake3, blake3::hash(&bytes).to_hex().to_string());
    let gguf = Gguf::read(&path);
    let mut names: Vec<&str> = file.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, gguf.names());
    let mut end = 0;
    for tensor in &file.tensors {
        assert_eq!(tensor.tensor_type, "f32");
        assert_eq!(tensor.offset, end);
        let start = usize::try_from(tensor.offset).unwrap() * 4;
        let length = usize::try_from(tensor.shape.iter().product::<u64>()).unwrap() * 4;
        let same = bytes[start..start + length] == *gguf.bytes_of(&tensor.name, length);
        assert!(same, "{}", tensor.name);
        end += tensor.shape.iter().product::<u64>();
    }
    assert_eq!(bytes.len() as u64, end * 4);
}

#[test]
fn quantised_weights_are_those_of_the_file_turned_into_floating_point() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    // The second is kept in an order of its own by backends that can.
    for quantised in [model.clone(), form(&model, folder.path(), Form::Q4_0)] {
        let plain = form(&quantised, folder.path(), Form::F32);
        let (mut worker, _) = Worker::loaded(&quantised, Settings::default());
        let (expected_file, expected) =
            weights(&mut Worker::loaded(&plain, Settings::default()).0, folder.path(), &SOME);
        let (file, bytes) = weights(&mut worker, folder.path(), &SOME);
        assert!(bytes == expected, "{quantised}");
        let quantised_tensors =
            file.tensors.iter().filter(|tensor| tensor.tensor_type.starts_with('q')).count();
        assert_eq!(quantised_tensors, 2, "{file:?}");
        for (tensor, expected) in file.tensors.iter().zip(&expected_file.tensors) {
            assert_eq!(
                (&tensor.name, &tensor.shape, tensor.offset),
                (&expected.name, &expected.shape, expected.offset)
            );
        }
    }
}

#[test]
fn a_tensor_that_is_not_there_is_a_problem_and_leaves_no_file() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let request = WeightsRequest {
        tensors: vec!["output_norm.weight".to_owned(), "no.such.weight".to_owned()],
        path: path.to_str().unwrap().to_owned(),
    };
    let problem = worker.problem(Command::Weights(request));
    assert_eq!(problem.kind, ProblemKind::Protocol);
    assert!(problem.message.contains("no.such.weight"), "{problem:?}");
    assert!(!path.exists());
}
