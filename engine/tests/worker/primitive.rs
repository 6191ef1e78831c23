use engine_protocol::{
    AttentionShape, Command, Form, MatrixShape, Primitive, PrimitiveRequest, PrimitiveTimed,
    ProblemKind, Reply, Settings,
};

use crate::conversation::{Worker, model};

fn request(primitive: Primitive) -> PrimitiveRequest {
    PrimitiveRequest {
        primitive,
        untimed_repetitions: 1,
        repetitions: 3,
        buffers: Some(2),
        first_buffer: 7,
    }
}

fn timed(worker: &mut Worker, request: PrimitiveRequest) -> PrimitiveTimed {
    match worker.ask(Command::Primitive(request)) {
        Reply::Primitive(timed) => timed,
        other => panic!("not timed: {other:?}"),
    }
}

fn refusal(worker: &mut Worker, request: PrimitiveRequest) -> (ProblemKind, String) {
    match worker.ask(Command::Primitive(request)) {
        Reply::Problem(problem) => (problem.kind, problem.message),
        other => panic!("not refused: {other:?}"),
    }
}

fn copy(pieces: &[u64]) -> Primitive {
    Primitive::Copy { pieces: pieces.to_vec() }
}

fn product(weight_type: Form, rows: u64, columns: u64, batch: u32) -> Primitive {
    Primitive::MatrixProduct { weight_type, matrices: vec![MatrixShape { rows, columns }], batch }
}

const ATTENTION: AttentionShape =
    AttentionShape { heads: 6, key_value_heads: 3, head_width: 64, cells: 128, batch: 2 };

#[test]
fn one_copy_and_many_move_the_same_bytes_and_are_counted_apart() {
    let Some(model) = model() else { return };
    let (mut worker, _) =
        Worker::loaded(&model, Settings { threads: Some(2), ..Settings::default() });
    let one = timed(&mut worker, request(copy(&[1 << 20])));
    let many = timed(&mut worker, request(copy(&[1 << 16; 16])));
    for (timed, pieces) in [(&one, 1), (&many, 16)] {
        // read once and written once
        assert_eq!((timed.bytes_moved, timed.operations), (2 << 20, 0));
        assert_eq!((timed.buffers, timed.buffer_bytes), (2, 2 << 20));
        assert_eq!(timed.nanoseconds.len(), 3);
        assert!(timed.nanoseconds.iter().all(|nanoseconds| *nanoseconds > 0), "{timed:?}");
        let [evaluated] = timed.evaluated.as_slice() else { panic!("{timed:?}") };
        assert_eq!((evaluated.operation.as_str(), evaluated.count), ("cpy", pieces));
        assert_eq!(evaluated.device, "CPU");
    }
}

#[test]
fn buffers_are_larger_than_the_cache_unless_their_number_is_given() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let whole = timed(&mut worker, PrimitiveRequest { buffers: None, ..request(copy(&[1 << 22])) });
    let all = u64::from(whole.buffers) * whole.buffer_bytes;
    assert!(all >= 4 * whole.cache_bytes.unwrap_or(256 << 20), "{whole:?}");
}

#[test]
fn products_and_attention_count_their_arithmetic() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    for weight_type in
        [Form::F32, Form::F16, Form::Bf16, Form::Q8_0, Form::Q4_1, Form::Q4K, Form::Iq4Nl]
    {
        let found = timed(&mut worker, request(product(weight_type, 32, 512, 4)));
        assert_eq!(found.operations, 2 * 32 * 512 * 4, "{weight_type:?}");
        assert_eq!(found.evaluated.first().unwrap().operation, "mul_mat");
    }
    let found = timed(&mut worker, request(product(Form::F32, 32, 512, 4)));
    assert_eq!(found.bytes_moved, 4 * (32 * 512 + 512 * 4 + 32 * 4));
    let found = timed(&mut worker, request(Primitive::Attention { pieces: 5, shape: ATTENTION }));
    assert_eq!(found.operations, 5 * 4 * 64 * 2 * 6 * 128);
    let keys_and_values = 2 * 2 * 64 * 128 * 3;
    assert_eq!(found.bytes_moved, 5 * (keys_and_values + 2 * 4 * 64 * 2 * 6));
    let evaluated = found.evaluated.first().unwrap();
    assert_eq!((evaluated.operation.as_str(), evaluated.count), ("flash_attn_ext", 5));
}

#[test]
fn what_would_compute_nothing_or_cannot_be_is_refused_and_the_worker_goes_on() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let nothing = PrimitiveRequest { repetitions: 0, ..request(copy(&[4096])) };
    let no_buffer = PrimitiveRequest { buffers: Some(0), ..request(copy(&[4096])) };
    let too_many = PrimitiveRequest { buffers: Some(u32::MAX), ..request(copy(&[4096])) };
    let odd_heads = AttentionShape { key_value_heads: 4, ..ATTENTION };
    let no_cells = AttentionShape { cells: 0, ..ATTENTION };
    for (refused, kind, words) in [
        (nothing, ProblemKind::Protocol, "no repetition"),
        (no_buffer, ProblemKind::Protocol, "without a buffer"),
        (too_many, ProblemKind::Unsupported, "more than the"),
        (request(copy(&[])), ProblemKind::Protocol, "without a piece"),
        (request(copy(&[4096, 0])), ProblemKind::Protocol, "is 0"),
        (request(copy(&[4097])), ProblemKind::Protocol, "no multiple of 2"),
        (request(copy(&[u64::MAX - 1])), ProblemKind::Protocol, "2^31"),
        (request(copy(&[1 << 31; 3])), ProblemKind::Unsupported, "more than the"),
        (request(product(Form::Q4K, 32, 100, 1)), ProblemKind::Unsupported, "block of q4_K"),
        (request(product(Form::F16, 0, 100, 1)), ProblemKind::Protocol, "is 0"),
        (
            request(Primitive::Attention { pieces: 1, shape: odd_heads }),
            ProblemKind::Protocol,
            "evenly",
        ),
        (
            request(Primitive::Attention { pieces: 1, shape: no_cells }),
            ProblemKind::Protocol,
            "is 0",
        ),
    ] {
        let (found, message) = refusal(&mut worker, refused.clone());
        assert_eq!(found, kind, "{refused:?}: {message}");
        assert!(message.contains(words), "{message}");
    }
    timed(&mut worker, request(copy(&[4096])));
    let prompt = worker.tokens("Still here.");
    worker.begin(&[], &prompt);
}

#[test]
fn nothing_is_computed_before_a_model_is_loaded() {
    let (kind, message) = refusal(&mut Worker::greeted(), request(copy(&[4096])));
    assert_eq!(kind, ProblemKind::Protocol);
    assert!(message.contains("no model is loaded"), "{message}");
}
