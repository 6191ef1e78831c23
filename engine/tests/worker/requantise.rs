use std::path::Path;

use engine_protocol::{
    Command, Form, ProblemKind, Reply, RequantiseRequest, Requantised, Settings, TensorTypeBytes,
};

use crate::conversation::{Worker, model};

pub fn request(source: &str, folder: &Path, form: Form) -> RequantiseRequest {
    RequantiseRequest {
        source_path: source.to_owned(),
        target_path: folder.join("form.gguf").to_str().unwrap().to_owned(),
        form,
        threads: 2,
    }
}

pub fn requantise(worker: &mut Worker, request: RequantiseRequest) -> Requantised {
    match worker.ask(Command::Requantise(request)) {
        Reply::Requantised(requantised) => requantised,
        other => panic!("not requantised: {other:?}"),
    }
}

fn share(types: &[TensorTypeBytes], name: &str) -> f64 {
    let bytes = |item: &TensorTypeBytes| item.bytes as f64;
    let all: f64 = types.iter().map(bytes).sum();
    types.iter().filter(|item| item.tensor_type == name).map(bytes).sum::<f64>() / all
}

#[test]
fn a_form_holds_what_it_is_named_after_and_loads() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (form, name) in [(Form::Q8_0, "q8_0"), (Form::F16, "f16"), (Form::Q4_0, "q4_0")] {
        let mut worker = Worker::greeted();
        let request = request(&model, folder.path(), form);
        let target = request.target_path.clone();
        let requantised = requantise(&mut worker, request);
        assert!(share(&requantised.tensor_types, name) >= 0.9, "{requantised:?}");
        assert_eq!(std::fs::metadata(&target).unwrap().len(), requantised.bytes);
        let (_, loaded) = Worker::loaded(&target, Settings::default());
        assert_eq!(loaded.model.tensor_types, requantised.tensor_types);
        // Nothing else was left behind.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn what_cannot_be_requantised_is_a_problem_and_leaves_no_file() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut worker = Worker::greeted();
    let truncated = tempfile::NamedTempFile::new().unwrap();
    let bytes = std::fs::read(&model).unwrap();
    std::fs::write(truncated.path(), &bytes[..bytes.len() / 2]).unwrap();
    let plain = request(&model, folder.path(), Form::Q8_0);
    let nowhere = folder.path().join("no/such/form.gguf").to_str().unwrap().to_owned();
    let cut = truncated.path().to_str().unwrap().to_owned();
    let faults = [
        (
            RequantiseRequest { source_path: "no/such/model.gguf".to_owned(), ..plain.clone() },
            ProblemKind::Model,
        ),
        (RequantiseRequest { source_path: cut, ..plain.clone() }, ProblemKind::Model),
        (RequantiseRequest { target_path: nowhere, ..plain.clone() }, ProblemKind::Scratch),
        (RequantiseRequest { threads: 0, ..plain }, ProblemKind::Protocol),
    ];
    for (fault, kind) in faults {
        let problem = worker.problem(Command::Requantise(fault));
        assert_eq!(problem.kind, kind, "{problem:?}");
        println!("{problem:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{problem:?}");
    }
}
