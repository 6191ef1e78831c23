use std::path::Path;

use engine_protocol::{
    Command, LogitsRequest, ObserveRequest, Observed, ObservedTensor, ProblemKind, Replacement,
    Reply, Selection, Settings, TensorLayout, Token,
};

use crate::conversation::{Worker, model};

const TEXT: &str = "In the beginning there was a number, and the number was counted twice, and";

/// What was observed, with the file's bytes.
struct Seen {
    observed: Observed,
    bytes: Vec<u8>,
}

impl Seen {
    fn tensor(&self, name: &str) -> &ObservedTensor {
        self.observed.tensors.iter().find(|tensor| tensor.name == name).unwrap()
    }

    fn bytes_of(&self, name: &str) -> &[u8] {
        let tensor = self.tensor(name);
        let start = usize::try_from(tensor.offset).unwrap() * 4;
        let length = usize::try_from(tensor.rows * tensor.width).unwrap() * 4;
        &self.bytes[start..start + length]
    }

    fn place_of(&self, name: &str) -> usize {
        self.observed.tensors.iter().position(|tensor| tensor.name == name).unwrap()
    }

    /// Names of the tensors whose bytes are not those of `other`.
    fn changed_from(&self, other: &Seen) -> Vec<&str> {
        let names = self.observed.tensors.iter().map(|tensor| tensor.name.as_str());
        names.filter(|name| self.bytes_of(name) != other.bytes_of(name)).collect()
    }
}

fn request(tokens: &[Token], folder: &Path) -> ObserveRequest {
    ObserveRequest {
        tokens: tokens.to_vec(),
        tensors: Selection::All,
        positions: (0..u32::try_from(tokens.len()).unwrap()).collect(),
        replace: Vec::new(),
        path: folder.join("observed").to_str().unwrap().to_owned(),
    }
}

fn observe(worker: &mut Worker, request: ObserveRequest) -> Seen {
    let path = request.path.clone();
    match worker.ask(Command::Observe(request)) {
        Reply::Observed(observed) => Seen { observed, bytes: std::fs::read(path).unwrap() },
        other => panic!("nothing observed: {other:?}"),
    }
}

fn logits(worker: &mut Worker, tokens: &[Token], folder: &Path) -> Vec<u8> {
    let path = folder.join("logits").to_str().unwrap().to_owned();
    let request = LogitsRequest::new(tokens.to_vec(), 0, path.clone());
    let Reply::Logits(_) = worker.ask(Command::Logits(request)) else { panic!("no logits") };
    std::fs::read(path).unwrap()
}

/// Replaces a tensor with bytes and observes everything.
fn replaced(worker: &mut Worker, tokens: &[Token], folder: &Path, name: &str, by: &[u8]) -> Seen {
    let path = folder.join("replacement").to_str().unwrap().to_owned();
    std::fs::write(&path, by).unwrap();
    let replace = vec![Replacement { tensor: name.to_owned(), path }];
    observe(worker, ObserveRequest { replace, ..request(tokens, folder) })
}

#[test]
fn observing_twice_gives_the_same_and_changes_no_logits() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let before = logits(&mut worker, &text, folder.path());
    let first = observe(&mut worker, request(&text, folder.path()));
    let second = observe(&mut worker, request(&text, folder.path()));
    assert_eq!(first.observed, second.observed);
    assert_eq!(first.bytes, second.bytes);
    assert_eq!(first.observed.blake3, blake3::hash(&first.bytes).to_hex().to_string());
    // One after the other, without a hole.
    let mut end = 0;
    for tensor in &first.observed.tensors {
        assert_eq!(tensor.offset, end, "{tensor:?}");
        end += tensor.rows * tensor.width;
    }
    assert_eq!(end * 4, first.bytes.len() as u64);
    // Seen with every node computed by itself, and unobserved: the same bytes.
    assert_eq!(first.bytes_of("result_output"), before);
    assert_eq!(logits(&mut worker, &text, folder.path()), before);
}

#[test]
fn a_name_is_numbered_and_rows_are_picked_out() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let all = observe(&mut worker, request(&text, folder.path()));
    // The projection, then its rotation; the reshape between them computes nothing.
    assert_eq!(all.tensor("Qcur-0").operation, "mul_mat");
    assert_eq!(all.tensor("Qcur-0#2").operation, "rope");
    assert_eq!(all.tensor("Qcur-0#2").rows as usize, text.len());
    assert_eq!(all.tensor("kq-0").layout, TensorLayout::Whole);
    assert!(all.observed.tensors.iter().all(|tensor| !tensor.name.starts_with("node_")));

    let names = ["Qcur-0#2", "result_norm"].map(str::to_owned).to_vec();
    let some = ObserveRequest {
        tensors: Selection::Named(names),
        positions: vec![1, 2, 5],
        ..request(&text, folder.path())
    };
    let some = observe(&mut worker, some);
    assert_eq!(some.observed.tensors.len(), 2);
    for name in ["Qcur-0#2", "result_norm"] {
        let width = usize::try_from(all.tensor(name).width).unwrap() * 4;
        let rows: Vec<&[u8]> = all.bytes_of(name).chunks(width).collect();
        assert_eq!(some.bytes_of(name), [rows[1], rows[2], rows[5]].concat(), "{name}");
        assert_eq!(some.tensor(name).layout, TensorLayout::ByPosition);
    }
}

#[test]
fn a_text_longer_than_a_micro_batch_is_observed_in_one() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let expected = observe(&mut worker, request(&text, folder.path()));
    let small =
        Settings { batch_tokens: Some(8), micro_batch_tokens: Some(4), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let seen = observe(&mut worker, request(&text, folder.path()));
    assert_eq!(seen.bytes, expected.bytes);
}

#[test]
fn a_tensor_replaced_by_its_own_values_changes_nothing() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let expected = observe(&mut worker, request(&text, folder.path()));
    for name in ["l_out-0", "kq_soft_max-1"] {
        let own = expected.bytes_of(name).to_vec();
        let seen = replaced(&mut worker, &text, folder.path(), name, &own);
        assert_eq!(seen.changed_from(&expected), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn a_tensor_replaced_by_other_values_changes_what_follows_and_nothing_before() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let expected = observe(&mut worker, request(&text, folder.path()));
    let other: Vec<u8> = expected
        .bytes_of("l_out-0")
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
        .flat_map(|value| (value * 0.5 + 0.25).to_le_bytes())
        .collect();
    let seen = replaced(&mut worker, &text, folder.path(), "l_out-0", &other);
    assert_eq!(seen.bytes_of("l_out-0"), other);
    let changed = seen.changed_from(&expected);
    for name in ["l_out-0", "Qcur-1", "l_out-1", "result_norm", "result_output"] {
        assert!(changed.contains(&name), "{name} is as it was");
    }
    let place = expected.place_of("l_out-0");
    assert!(changed.iter().all(|name| expected.place_of(name) >= place), "{changed:?}");
}

#[test]
fn what_cannot_be_observed_is_a_problem_and_leaves_no_file() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let values = folder.path().join("values").to_str().unwrap().to_owned();
    std::fs::write(&values, [0; 8]).unwrap();
    let replace = |tensor: &str, path: &str| {
        vec![Replacement { tensor: tensor.to_owned(), path: path.to_owned() }]
    };
    let plain = request(&text, folder.path());
    let faults = [
        (ObserveRequest { replace: replace("l_out-0", &values), ..plain.clone() }, "l_out-0"),
        (ObserveRequest { replace: replace("no_such-0", &values), ..plain.clone() }, "no_such-0"),
        (ObserveRequest { positions: vec![2, 1], ..plain.clone() }, "position 1"),
        (ObserveRequest { positions: vec![9999], ..plain.clone() }, "position 9999"),
        (ObserveRequest { positions: Vec::new(), ..plain.clone() }, "position"),
        (
            ObserveRequest {
                tensors: Selection::Named(vec!["inp_tokens".to_owned()]),
                ..plain.clone()
            },
            "inp_tokens",
        ),
    ];
    for (fault, told) in faults {
        let problem = worker.problem(Command::Observe(fault));
        assert_eq!(problem.kind, ProblemKind::Protocol, "{problem:?}");
        assert!(problem.message.contains(told), "{problem:?}");
        assert!(!Path::new(&plain.path).exists(), "{problem:?}");
    }
    let missing = ObserveRequest { replace: replace("l_out-0", "no/such/file"), ..plain.clone() };
    let problem = worker.problem(Command::Observe(missing));
    assert_eq!(problem.kind, ProblemKind::Scratch);
    assert!(problem.message.contains("no/such/file"), "{problem:?}");
    // The worker goes on.
    observe(&mut worker, plain);
}
