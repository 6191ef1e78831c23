//! Drafts on the real engine.

use engine_protocol::{
    Command, DecodeRequest, DraftAcceptance, DraftSource, Feed, LoadRequest, LogitsRequest,
    ProblemKind, Reply, Settings, SpeculationCounts, Token,
};

use crate::conversation::{Worker, model};

/// A text that says things twice, so that there is something to look up.
const TEXT: &str = "fn area(width: u32, height: u32) -> u32 {\n    width * height\n}\n\n\
    fn volume(width: u32, height: u32, depth: u32) -> u32 {\n    width * height * depth\n}\n\n\
    fn area(width: u32, height: u32) -> u32 {\n    width * height\n}\n\nfn volume(width: u32,";

fn lookup(tokens: u32, acceptance: DraftAcceptance) -> Settings {
    Settings {
        draft_source: Some(DraftSource::PromptLookup),
        draft_tokens: Some(tokens),
        draft_acceptance: Some(acceptance),
        ..Settings::default()
    }
}

/// Generates and adds up what became of the drafts.
fn generate(
    worker: &mut Worker,
    prompt: &[Token],
    tokens: usize,
) -> (Vec<Token>, SpeculationCounts) {
    worker.begin(&[], prompt);
    let decoded = worker.decode(1, u32::try_from(tokens - 1).unwrap(), Feed::Free);
    assert_eq!(decoded.chosen.len(), decoded.timed_tokens as usize + 1);
    assert_eq!(decoded.position as usize, prompt.len() + decoded.chosen.len());
    (decoded.chosen, decoded.speculation.unwrap_or_default())
}

fn plain(model: &str, prompt: &[Token], tokens: usize) -> Vec<Token> {
    let (mut worker, _) = Worker::loaded(model, Settings::default());
    generate(&mut worker, prompt, tokens).0
}

/// How far the two best logits lie apart where a text goes on.
fn margin(model: &str, text: &[Token]) -> f32 {
    let (mut worker, loaded) = Worker::loaded(model, Settings::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row").display().to_string();
    let from = u32::try_from(text.len() - 1).unwrap();
    let request = LogitsRequest::new(text.to_vec(), from, path.clone());
    let reply = worker.ask(Command::Logits(request));
    assert!(matches!(reply, Reply::Logits(_)), "{reply:?}");
    let bytes = std::fs::read(path).unwrap();
    let mut row: Vec<f32> =
        bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(row.len(), loaded.model.vocabulary as usize);
    row.sort_by(|a, b| b.total_cmp(a));
    row[0] - row[1]
}

/// Where the kernels for batches choose otherwise than those for single tokens, it must be a near
/// tie: a fault of the rollback parts at any margin.
const NEAR_TIE: f32 = 0.1;

#[track_caller]
fn equal_or_near_tie(model: &str, prompt: &[Token], plain: &[Token], drafted: &[Token]) {
    let Some(place) = plain.iter().zip(drafted).position(|(one, other)| one != other) else {
        return;
    };
    // the first choice after the prompt is evaluated first, and stands in no list
    let mut text = prompt.to_vec();
    let (mut worker, _) = Worker::loaded(model, Settings::default());
    let request = engine_protocol::PrefillRequest { depth: vec![], tokens: prompt.to_vec() };
    let Reply::Prefilled(first) = worker.ask(Command::Prefill(request)) else {
        panic!("no prefill")
    };
    text.push(first.chosen.unwrap());
    text.extend(&plain[..place]);
    let margin = margin(model, &text);
    assert!(margin < NEAR_TIE, "parts at {place} with a margin of {margin}");
}

#[test]
fn prompt_lookup_gives_the_tokens_of_plain_decoding() {
    let Some(model) = model() else { return };
    for length in [2, 4, 8] {
        let (mut worker, loaded) = Worker::loaded(&model, lookup(length, DraftAcceptance::Greedy));
        assert_eq!(loaded.effective.draft_lookup_tokens, Some(3));
        let prompt = worker.tokens(TEXT);
        let (chosen, counts) = generate(&mut worker, &prompt, 64);
        assert!((64..=64 + length as usize).contains(&chosen.len()));
        let drafted: u64 = counts.drafted_by_position.iter().sum();
        let accepted: u64 = counts.accepted_by_position.iter().sum();
        assert!(accepted > 0, "{counts:?}");
        assert_eq!(counts.evaluations + accepted, chosen.len() as u64 - 1);
        assert_eq!(counts.evaluated_tokens, counts.evaluations + drafted);
        equal_or_near_tie(&model, &prompt, &plain(&model, &prompt, chosen.len()), &chosen);
        // a second beginning starts from a clean text
        let again = generate(&mut worker, &prompt, 64);
        assert_eq!(again, (chosen, counts));
    }
}

#[test]
fn a_control_evaluates_full_batches_and_keeps_one_token_of_each() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, lookup(4, DraftAcceptance::Nothing));
    let prompt = worker.tokens(TEXT);
    let (chosen, counts) = generate(&mut worker, &prompt, 32);
    assert_eq!(chosen.len(), 32);
    assert_eq!(counts.evaluations_by_width, [0, 0, 0, 0, 31]);
    assert_eq!(counts.evaluated_tokens, 5 * 31);
    equal_or_near_tie(&model, &prompt, &plain(&model, &prompt, 32), &chosen);
}

#[test]
fn fed_text_is_decoded_as_it_stands() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, lookup(4, DraftAcceptance::Greedy));
    let prompt = worker.tokens(TEXT);
    worker.begin(&[], &prompt);
    let decoded = worker.decode(1, 23, Feed::Fed(prompt[..24].to_vec()));
    assert_eq!((decoded.timed_tokens, decoded.chosen.len()), (23, 24));
    assert_eq!(decoded.position as usize, prompt.len() + 24);
    let counts = decoded.speculation.unwrap();
    assert!(counts.accepted_by_position.iter().sum::<u64>() > 8, "{counts:?}");
}

fn load_drafter(worker: &mut Worker, model: &str, drafter: &str, settings: Settings) -> Reply {
    let one_thread = Settings { threads: Some(1), ..Settings::default() };
    worker.ask(Command::Load(LoadRequest {
        model_path: model.to_owned(),
        settings: one_thread.overlaid(&settings),
        draft_model_path: Some(drafter.to_owned()),
    }))
}

#[test]
fn a_model_that_drafts_for_itself_is_nearly_always_right() {
    let Some(model) = model() else { return };
    let settings = Settings {
        draft_source: Some(DraftSource::DraftModel),
        draft_tokens: Some(4),
        draft_model: Some("itself".to_owned()),
        ..Settings::default()
    };
    let mut worker = Worker::greeted();
    let reply = load_drafter(&mut worker, &model, &model, settings);
    assert!(matches!(reply, Reply::Loaded(_)), "{reply:?}");
    let prompt = worker.tokens(TEXT);
    let (chosen, counts) = generate(&mut worker, &prompt, 31);
    let drafted: u64 = counts.drafted_by_position.iter().sum();
    let accepted: u64 = counts.accepted_by_position.iter().sum();
    assert!(10 * accepted >= 9 * drafted, "{counts:?}");
    // after a full acceptance the drafter has one token more to catch up with
    assert!(counts.drafter_tokens >= drafted, "{counts:?}");
    equal_or_near_tie(&model, &prompt, &plain(&model, &prompt, chosen.len()), &chosen);
    assert_eq!(generate(&mut worker, &prompt, 31), (chosen, counts));
}

#[test]
fn settings_of_drafts_that_lack_their_part_are_refused() {
    let Some(model) = model() else { return };
    let source = |source: DraftSource| Settings {
        draft_source: Some(source),
        draft_tokens: Some(2),
        ..Settings::default()
    };
    let problem = |reply: Reply| match reply {
        Reply::Problem(problem) => problem,
        other => panic!("no problem: {other:?}"),
    };
    // a drafter's file that nothing would read
    let mut worker = Worker::greeted();
    let refused =
        problem(load_drafter(&mut worker, &model, &model, source(DraftSource::PromptLookup)));
    assert_eq!(refused.kind, ProblemKind::Unsupported);
    // no file
    let refused = problem(Worker::greeted().load(&model, source(DraftSource::DraftModel)));
    assert!(refused.message.contains("draft_model_path"), "{}", refused.message);
    // a slice of another length
    let slice = Settings { draft_layers: Some(3), ..source(DraftSource::SelfSlice) };
    let refused = problem(load_drafter(&mut Worker::greeted(), &model, &model, slice));
    assert!(refused.message.contains("`draft_layers` is 3"), "{}", refused.message);
}

#[test]
fn drafts_need_room_behind_the_last_token() {
    let Some(model) = model() else { return };
    let settings = Settings { context_tokens: Some(256), ..lookup(8, DraftAcceptance::Greedy) };
    let (mut worker, _) = Worker::loaded(&model, settings);
    let prompt = worker.tokens(TEXT);
    worker.begin(&[], &prompt);
    let room = 256 - u32::try_from(prompt.len()).unwrap();
    let request = DecodeRequest { untimed_tokens: 1, timed_tokens: room - 8, feed: Feed::Free };
    assert_eq!(worker.problem(Command::Decode(request)).kind, ProblemKind::Context);
    worker.decode(1, room - 9, Feed::Free);
}
