//! The setting `slots`: timed decoding of several sequences with one text.

use engine_protocol::{Beginning, Command, Feed, ProblemKind, Reply, Settings, Token};

use crate::conversation::{Worker, model};

const TEXT: &str = "The lighthouse keeper wrote in his book that the night";
const STEPS: u32 = 12;

fn of(slots: u32) -> Settings {
    // float caches and one thread; the batch holds a piece of the prompt of each slot
    Settings {
        slots: Some(slots),
        context_tokens: Some(256),
        batch_tokens: Some(16),
        micro_batch_tokens: Some(16),
        ..Settings::default()
    }
}

fn prompt(worker: &mut Worker) -> Vec<Token> {
    worker.tokens(TEXT)
}

#[test]
fn every_slot_holds_the_text_and_the_first_leads() {
    let Some(model) = model() else { return };
    let (mut alone, _) = Worker::loaded(&model, of(1));
    let prompt = prompt(&mut alone);
    let begun = alone.begin(&[], &prompt);
    let expected = alone.decode(1, STEPS, Feed::Free);
    assert_eq!(expected.slots, None);
    for slots in [2, 3, 8] {
        let (mut worker, loaded) = Worker::loaded(&model, of(slots));
        assert_eq!(loaded.effective.slots, Some(slots));
        assert_eq!(loaded.effective.parallel_sequences, Some(slots));
        assert_eq!(loaded.effective.context_tokens, Some(256), "of each slot");
        let also_begun = worker.begin(&[], &prompt);
        assert_eq!(
            (also_begun.prompt_tokens, also_begun.position),
            (begun.prompt_tokens, begun.position)
        );
        // fed one text, so that a near tie cannot part them
        let fed = Feed::Fed(
            std::iter::once(expected.chosen[0]).cycle().take(STEPS as usize + 1).collect(),
        );
        let decoded = worker.decode(1, STEPS, fed.clone());
        let counts = decoded.slots.unwrap();
        assert_eq!(counts.sequences, slots);
        assert_eq!(counts.other_choices, 0, "{slots} slots hold one text");
        assert_eq!((decoded.timed_tokens, decoded.position), (STEPS, expected.position));
        assert_eq!(decoded.chosen.len(), STEPS as usize + 1);
        alone.begin(&[], &prompt);
        let same = alone.decode(1, STEPS, fed).chosen;
        let equal = same.iter().zip(&decoded.chosen).filter(|(a, b)| a == b).count();
        assert!(equal + 1 >= same.len(), "{equal} of {} choices with {slots} slots", same.len());
        // a second block starts from an empty cache again
        worker.begin(&[], &prompt);
        let again = worker.decode(1, STEPS, Feed::Free);
        assert_eq!(again.position, expected.position);
    }
}

#[test]
fn slots_that_cannot_be_are_problems() {
    let Some(model) = model() else { return };
    let mut worker = Worker::greeted();
    let narrow = Settings { threads: Some(1), ..of(32) };
    match worker.load(&model, narrow) {
        Reply::Problem(problem) => {
            assert_eq!(problem.kind, ProblemKind::Unsupported, "{problem:?}");
            assert!(
                problem.message.contains("`batch_tokens` is 16, and there are 32"),
                "{problem:?}"
            );
        }
        other => panic!("it loaded: {other:?}"),
    }
    let (mut worker, _) = Worker::loaded(&model, of(2));
    let prompt = prompt(&mut worker);
    let deep = Beginning { depth: prompt.clone(), prompt: prompt.clone() };
    let problem = worker.problem(Command::Begin(deep));
    assert!(problem.message.contains("without a depth"), "{problem:?}");
    // and it goes on
    worker.begin(&[], &prompt);
    assert_eq!(worker.decode(0, 2, Feed::Free).slots.unwrap().sequences, 2);
}
