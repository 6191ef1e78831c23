use engine_protocol::{
    Command, Evaluation, Feed, LogitsRequest, ProblemKind, Reply, Settings, Token,
};

use crate::conversation::{Worker, model};

const TEXT: &str = "In the beginning there was a number, and the number was counted twice, and";

fn argmax(row: &[f32]) -> Token {
    let mut best = 0;
    for (index, logit) in row.iter().enumerate() {
        if *logit > row[best] {
            best = index;
        }
    }
    Token::try_from(best).unwrap()
}

fn rows(bytes: &[u8], vocabulary: u32) -> Vec<Vec<f32>> {
    let numbers: Vec<f32> =
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
    numbers.chunks(vocabulary as usize).map(<[f32]>::to_vec).collect()
}

#[test]
fn rows_choose_the_tokens_that_decoding_chooses() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let (mut worker, loaded) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    worker.begin(&[], &text[..1]);
    let chosen =
        worker.decode(0, u32::try_from(text.len() - 1).unwrap(), Feed::Fed(text[1..].to_vec()));

    let request = LogitsRequest::new(text.clone(), 1, path.clone());
    let Reply::Logits(file) = worker.ask(Command::Logits(request)) else { panic!("no logits") };
    assert_eq!(file.positions as usize, text.len() - 1);
    assert_eq!(file.vocabulary, loaded.model.vocabulary);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len(), file.positions as usize * file.vocabulary as usize * 4);
    assert_eq!(blake3::hash(&bytes).to_hex().to_string(), file.blake3);
    let from_rows: Vec<Token> =
        rows(&bytes, file.vocabulary).iter().map(|row| argmax(row)).collect();
    assert_eq!(from_rows, chosen.chosen);
}

#[test]
fn pieces_do_not_change_which_rows_are_written() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let small = Settings { micro_batch_tokens: Some(8), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let text: Vec<Token> = worker.tokens(TEXT).repeat(3);
    let mut write = |from_position: u32| {
        let request = LogitsRequest::new(text.clone(), from_position, path.clone());
        let Reply::Logits(file) = worker.ask(Command::Logits(request)) else { panic!("no logits") };
        (file.vocabulary, std::fs::read(&path).unwrap())
    };
    let (vocabulary, all) = write(0);
    let (_, later) = write(11);
    let all = rows(&all, vocabulary);
    let later = rows(&later, vocabulary);
    assert_eq!(all.len(), text.len());
    assert_eq!(later.len(), text.len() - 11);
    // The same position has the same choice, and the same text gives the same bytes again.
    let choices = |rows: &[Vec<f32>]| rows.iter().map(|row| argmax(row)).collect::<Vec<_>>();
    assert_eq!(choices(&all[11..]), choices(&later));
    assert_eq!(rows(&write(11).1, vocabulary), later);
}

#[test]
fn a_file_that_cannot_be_written_is_a_scratch_problem() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/folder").to_str().unwrap().to_owned();
    let request = LogitsRequest::new(vec![1, 2], 0, path);
    assert_eq!(worker.problem(Command::Logits(request)).kind, ProblemKind::Scratch);
}

#[test]
fn a_failure_leaves_no_file() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("logits");
    let request = LogitsRequest::new(vec![1, i32::MAX], 0, file.to_str().unwrap().to_owned());
    assert_eq!(worker.problem(Command::Logits(request)).kind, ProblemKind::Protocol);
    assert!(!file.exists());
}

/// Asks for logits and reads the rows.
fn written(worker: &mut Worker, request: LogitsRequest) -> Vec<Vec<f32>> {
    let path = request.path.clone();
    let Reply::Logits(file) = worker.ask(Command::Logits(request)) else { panic!("no logits") };
    let rows = rows(&std::fs::read(path).unwrap(), file.vocabulary);
    assert_eq!(rows.len(), file.positions as usize);
    rows
}

#[test]
fn only_the_positions_that_are_asked_for_are_written() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let small = Settings { micro_batch_tokens: Some(8), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let text: Vec<Token> = worker.tokens(TEXT).repeat(3);
    let whole = LogitsRequest::new(text.clone(), 0, path.clone());
    let all = written(&mut worker, whole.clone());
    let some = LogitsRequest { only_positions: vec![3, 7, 8, 30], ..whole.clone() };
    let some = written(&mut worker, some);
    assert_eq!(some, [3, 7, 8, 30].map(|position: usize| all[position].clone()));

    for only_positions in [vec![3, 3], vec![7, 3], vec![9999]] {
        let wrong = LogitsRequest { only_positions, ..whole.clone() };
        assert_eq!(worker.problem(Command::Logits(wrong)).kind, ProblemKind::Protocol);
        assert!(!std::path::Path::new(&path).exists());
    }
    let before_the_first =
        LogitsRequest { only_positions: vec![3], ..LogitsRequest::new(text, 4, path) };
    assert_eq!(worker.problem(Command::Logits(before_the_first)).kind, ProblemKind::Protocol);
}

#[test]
fn single_tokens_are_evaluated_as_decoding_does() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let text = worker.tokens(TEXT);
    let in_batches = LogitsRequest::new(text.clone(), 6, path);
    let singly = LogitsRequest { evaluation: Evaluation::SingleTokens, ..in_batches.clone() };
    let together = written(&mut worker, in_batches);
    let alone = written(&mut worker, singly.clone());
    assert_eq!(alone.len(), text.len() - 6);
    // Other kernels run, which is what this way of evaluating is for.
    assert_ne!(alone, together);
    assert_eq!(written(&mut worker, singly.clone()), alone);
    // What is not written is evaluated token by token all the same.
    let last = u32::try_from(text.len() - 1).unwrap();
    let last = LogitsRequest { only_positions: vec![last], ..singly };
    assert_eq!(written(&mut worker, last), alone[alone.len() - 1..]);
    worker.begin(&[], &text[..6]);
    let fed = Feed::Fed(text[6..].to_vec());
    let chosen = worker.decode(0, u32::try_from(text.len() - 6).unwrap(), fed).chosen;
    assert_eq!(alone.iter().map(|row| argmax(row)).collect::<Vec<_>>(), chosen);
}

#[test]
fn a_gap_changes_the_rows_behind_it_and_none_before() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let small = Settings { micro_batch_tokens: Some(4), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let text = worker.tokens(TEXT);
    for evaluation in [Evaluation::Batches, Evaluation::SingleTokens] {
        let sound = LogitsRequest::new(text.clone(), 0, path.clone());
        let sound = LogitsRequest { evaluation, ..sound };
        let expected = written(&mut worker, sound.clone());
        let gap = written(&mut worker, LogitsRequest { gap_before: Some(6), ..sound.clone() });
        assert_eq!(gap[..6], expected[..6]);
        for position in 6..text.len() {
            assert_ne!(gap[position], expected[position], "position {position}");
        }
        // Nothing of it stays behind.
        assert_eq!(written(&mut worker, sound), expected);
    }
    for gap_before in [0, u32::try_from(text.len()).unwrap()] {
        let sound = LogitsRequest::new(text.clone(), 0, path.clone());
        let outside = LogitsRequest { gap_before: Some(gap_before), ..sound };
        assert_eq!(worker.problem(Command::Logits(outside)).kind, ProblemKind::Protocol);
    }
}

#[test]
fn a_front_that_is_in_the_cache_already_gives_the_bytes_of_a_fresh_one() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logits").to_str().unwrap().to_owned();
    let settings =
        || Settings { micro_batch_tokens: Some(8), batch_tokens: Some(16), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, settings());
    let text: Vec<Token> = worker.tokens(TEXT).repeat(6);
    let other: Vec<Token> = text.iter().rev().copied().collect();
    let write = |worker: &mut Worker, text: &[Token], depth: usize| {
        let request = LogitsRequest {
            evaluation: Evaluation::SingleTokens,
            ..LogitsRequest::new(
                text[..depth + 4].to_vec(),
                u32::try_from(depth).unwrap(),
                path.clone(),
            )
        };
        let Reply::Logits(_) = worker.ask(Command::Logits(request)) else { panic!("no logits") };
        std::fs::read(&path).unwrap()
    };
    // shorter and longer; within a micro-batch, at its end and at a batch's end; another text
    let asked = [(&text, 24), (&text, 64), (&text, 32), (&text, 25), (&text, 64), (&other, 64)];
    for (place, (text, depth)) in asked.into_iter().enumerate() {
        let (mut fresh, _) = Worker::loaded(&model, settings());
        let expected = write(&mut fresh, text, depth);
        assert_eq!(write(&mut worker, text, depth), expected, "request {place}, depth {depth}");
    }
    // and what is timed behind such a front is what it would be behind a fresh one
    worker.begin(&text[..40], &text[..3]);
    let (mut fresh, _) = Worker::loaded(&model, settings());
    fresh.begin(&text[..40], &text[..3]);
    assert_eq!(worker.free(8), fresh.free(8));
}
