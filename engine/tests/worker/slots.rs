use engine_protocol::{Command, ProblemKind, Reply, Settings, SlotOutput, SlotsRequest, Token};

use crate::conversation::{Worker, model};

const STEPS: u32 = 12;
const TEXTS: [&str; 5] = [
    "The weights are read once for every token, so",
    "In the beginning there was a number, and the number was counted twice, and",
    "A list of three animals:",
    "fn main() {",
    "Once",
];

fn slots(worker: &mut Worker, prompts: &[&Vec<Token>]) -> Vec<SlotOutput> {
    let prompts = prompts.iter().map(|prompt| (*prompt).clone()).collect();
    match worker.ask(Command::Slots(SlotsRequest { prompts, decode_tokens: STEPS })) {
        Reply::Slots(outputs) => outputs,
        other => panic!("no slots: {other:?}"),
    }
}

fn prompts(worker: &mut Worker) -> Vec<Vec<Token>> {
    TEXTS.iter().map(|text| worker.tokens(text)).collect()
}

#[test]
fn one_slot_chooses_what_decoding_chooses() {
    let Some(model) = model() else { return };
    let small =
        Settings { batch_tokens: Some(8), micro_batch_tokens: Some(8), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let prompts = prompts(&mut worker);
    for prompt in &prompts {
        worker.begin(&[], prompt);
        let expected = worker.free(STEPS);
        let [output] = &slots(&mut worker, &[prompt])[..] else { panic!("not one output") };
        assert_eq!(output.chosen[1..], expected);
        assert_eq!(output.margins.len(), output.chosen.len());
        assert!(output.margins.iter().all(|margin| *margin >= 0.0));
    }
}

#[test]
fn a_sequence_does_not_see_what_stands_beside_it() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let prompts = prompts(&mut worker);
    let [own, a, b, c, d] = &prompts[..] else { panic!("five texts") };
    // At equal batch: the logits are the same numbers, so the margins are.
    let first = slots(&mut worker, &[own, a, b]);
    let second = slots(&mut worker, &[own, c, d]);
    assert_eq!(first[0], second[0]);
    assert_ne!(first[1], second[1]);
    // Whichever sequence holds it.
    let third = slots(&mut worker, &[a, b, own]);
    assert_eq!(third[2].chosen, first[0].chosen);
    assert_eq!(third[0].chosen, first[1].chosen);
}

#[test]
fn slots_leave_the_session_where_it_was() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let prompts = prompts(&mut worker);
    worker.begin(&[], &prompts[0]);
    let expected = worker.free(8);
    worker.begin(&[], &prompts[0]);
    slots(&mut worker, &[&prompts[1], &prompts[2]]);
    assert_eq!(worker.free(8), expected);
}

#[test]
fn what_has_no_place_in_a_slot_is_a_problem() {
    let Some(model) = model() else { return };
    let small = Settings { context_tokens: Some(256), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, small);
    let prompt = worker.tokens(TEXTS[0]);
    let faults = [
        (SlotsRequest { prompts: Vec::new(), decode_tokens: 1 }, ProblemKind::Protocol),
        (
            SlotsRequest { prompts: vec![prompt.clone(), Vec::new()], decode_tokens: 1 },
            ProblemKind::Protocol,
        ),
        (
            SlotsRequest { prompts: vec![prompt.clone(); 2], decode_tokens: 256 },
            ProblemKind::Context,
        ),
        (
            SlotsRequest { prompts: vec![prompt.clone(); 1000], decode_tokens: 1 },
            ProblemKind::Protocol,
        ),
    ];
    for (fault, kind) in faults {
        let problem = worker.problem(Command::Slots(fault));
        assert_eq!(problem.kind, kind, "{problem:?}");
        println!("{problem:?}");
    }
    slots(&mut worker, &[&prompt]);
}
