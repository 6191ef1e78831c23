use engine_protocol::{Command, Feed, PrefillRequest, ProblemKind, Reply, Settings, Token};

use crate::conversation::{Worker, model};

const PROSE: &str = "The river had risen in the night, and in the morning the lower fields were";
const OTHER: &str = "A machine that counts is older than a machine that thinks, and it is easier";

fn with_model() -> Option<Worker> {
    let model = model()?;
    Some(Worker::loaded(&model, Settings::default()).0)
}

#[test]
fn the_same_beginning_decodes_to_the_same_tokens() {
    let Some(mut worker) = with_model() else { return };
    let prompt = worker.tokens(PROSE);
    let begun = worker.begin(&[], &prompt);
    assert_eq!(begun.prompt_tokens as usize, prompt.len());
    assert_eq!(begun.position as usize, prompt.len());
    let first = worker.free(16);
    assert_eq!(first.len(), 16);
    worker.begin(&[], &prompt);
    assert_eq!(worker.free(16), first);
}

#[test]
fn two_threads_decode_the_same_twice() {
    let Some(model) = model() else { return };
    let (mut worker, _) =
        Worker::loaded(&model, Settings { threads: Some(2), ..Settings::default() });
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    let first = worker.free(8);
    worker.begin(&[], &prompt);
    assert_eq!(worker.free(8), first);
}

#[test]
fn chunks_join_up_and_count_only_timed_tokens() {
    let Some(mut worker) = with_model() else { return };
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    let whole = worker.free(12);
    worker.begin(&[], &prompt);
    let chunk = worker.decode(1, 5, Feed::Free);
    assert_eq!(chunk.timed_tokens, 5);
    assert_eq!(chunk.chosen.len(), 6);
    assert_eq!(chunk.position as usize, prompt.len() + 6);
    assert!(chunk.nanoseconds > 0);
    let rest = worker.decode(1, 5, Feed::Free);
    assert_eq!([chunk.chosen, rest.chosen].concat(), whole);
}

#[test]
fn a_chunk_without_timed_tokens_takes_no_time() {
    let Some(mut worker) = with_model() else { return };
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    let chunk = worker.decode(2, 0, Feed::Free);
    assert_eq!((chunk.timed_tokens, chunk.nanoseconds, chunk.chosen.len()), (0, 0, 2));
}

#[test]
fn feeding_its_own_choices_changes_nothing_and_others_do() {
    let Some(mut worker) = with_model() else { return };
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    let own = worker.free(9);
    // What was decoded are the choices before each step: the first comes from `begin`.
    worker.begin(&[], &prompt);
    let first = first_choice(&mut worker, &prompt);
    let fed: Vec<Token> = std::iter::once(first).chain(own.iter().copied()).take(9).collect();
    worker.begin(&[], &prompt);
    assert_eq!(worker.decode(1, 8, Feed::Fed(fed)).chosen, own);

    let others = worker.tokens(OTHER);
    worker.begin(&[], &prompt);
    let chosen = worker.decode(1, 8, Feed::Fed(others[..9].to_vec())).chosen;
    assert_ne!(chosen, own);
}

/// The choice after a prompt, told by `prefill`.
fn first_choice(worker: &mut Worker, prompt: &[Token]) -> Token {
    match worker.ask(Command::Prefill(PrefillRequest { depth: vec![], tokens: prompt.to_vec() })) {
        Reply::Prefilled(prefilled) => prefilled.chosen.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fed_tokens_must_be_as_many_as_the_chunk() {
    let Some(mut worker) = with_model() else { return };
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    let request = engine_protocol::DecodeRequest {
        untimed_tokens: 1,
        timed_tokens: 3,
        feed: Feed::Fed(prompt[..3].to_vec()),
    };
    let problem = worker.problem(Command::Decode(request));
    assert_eq!(problem.kind, ProblemKind::Protocol);
    assert!(problem.message.contains("3 tokens were fed for a chunk of 4"), "{}", problem.message);
}

#[test]
fn a_restored_depth_is_as_good_as_a_fresh_one() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let depth: Vec<Token> = worker.tokens(OTHER).repeat(8);
    let (first, second) = (worker.tokens(PROSE), worker.tokens("Once more, and slowly:"));
    let (mut fresh, _) = Worker::loaded(&model, Settings::default());
    fresh.begin(&depth, &second);
    let expected = fresh.free(16);

    // The first use of the depth, then a trim, then a trim after a prefill and after other work.
    worker.begin(&depth, &first);
    worker.free(16);
    let begun = worker.begin(&depth, &second);
    assert_eq!(begun.position as usize, depth.len() + second.len());
    assert_eq!(worker.free(16), expected);
    let prefill = PrefillRequest { depth: depth.clone(), tokens: first.clone() };
    worker.ask(Command::Prefill(prefill));
    worker.begin(&depth, &second);
    assert_eq!(worker.free(16), expected);
    worker.begin(&[], &first);
    worker.free(4);
    worker.begin(&depth, &second);
    assert_eq!(worker.free(16), expected);
}

#[test]
fn a_prefill_chooses_what_a_beginning_chooses_and_leaves_the_depth() {
    let Some(mut worker) = with_model() else { return };
    let depth = worker.tokens(OTHER);
    let text: Vec<Token> = worker.tokens(PROSE).repeat(4);
    let request = PrefillRequest { depth: depth.clone(), tokens: text.clone() };
    let Reply::Prefilled(first) = worker.ask(Command::Prefill(request.clone())) else {
        panic!("no prefill")
    };
    assert_eq!(first.timed_tokens as usize, text.len());
    assert!(first.nanoseconds > 0);
    let Reply::Prefilled(second) = worker.ask(Command::Prefill(request)) else {
        panic!("no second prefill")
    };
    assert_eq!(second.chosen, first.chosen);
    // There is nothing to decode from after a prefill.
    let decode =
        engine_protocol::DecodeRequest { untimed_tokens: 0, timed_tokens: 1, feed: Feed::Free };
    assert_eq!(worker.problem(Command::Decode(decode)).kind, ProblemKind::Protocol);
}

#[test]
fn a_request_over_the_context_names_both_numbers() {
    let Some(model) = model() else { return };
    let settings = Settings { context_tokens: Some(256), ..Settings::default() };
    let (mut worker, loaded) = Worker::loaded(&model, settings);
    assert_eq!(loaded.effective.context_tokens, Some(256));
    let prompt = worker.tokens(PROSE);
    let long = prompt.repeat(257 / prompt.len() + 1);
    let beginning = engine_protocol::Beginning { depth: vec![], prompt: long.clone() };
    let problem = worker.problem(Command::Begin(beginning));
    assert_eq!(problem.kind, ProblemKind::Context);
    assert!(problem.message.contains(&long.len().to_string()), "{}", problem.message);
    assert!(problem.message.contains("256"), "{}", problem.message);

    // The worker goes on: the same context serves what fits, to its very end.
    worker.begin(&[], &prompt);
    let room = 256 - u32::try_from(prompt.len()).unwrap();
    let over =
        engine_protocol::DecodeRequest { untimed_tokens: 1, timed_tokens: room, feed: Feed::Free };
    assert_eq!(worker.problem(Command::Decode(over)).kind, ProblemKind::Context);
    assert_eq!(worker.decode(1, room - 1, Feed::Free).position, 256);
}

#[test]
fn an_unknown_token_is_refused_and_the_worker_goes_on() {
    let Some(mut worker) = with_model() else { return };
    let beginning = engine_protocol::Beginning { depth: vec![], prompt: vec![i32::MAX] };
    assert_eq!(worker.problem(Command::Begin(beginning)).kind, ProblemKind::Protocol);
    let beginning = engine_protocol::Beginning { depth: vec![-1], prompt: vec![0] };
    assert_eq!(worker.problem(Command::Begin(beginning)).kind, ProblemKind::Protocol);
    let prompt = worker.tokens(PROSE);
    worker.begin(&[], &prompt);
    assert_eq!(worker.free(2).len(), 2);
}
