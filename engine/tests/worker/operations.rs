use engine_protocol::{Command, OperationCount, OperationsRequest, Reply, Settings, Toggle};

use crate::conversation::{Worker, model};

fn operations(worker: &mut Worker, decode_tokens: u32) -> Vec<OperationCount> {
    let prompt = worker.tokens("Count what is done here, please.");
    match worker.ask(Command::Operations(OperationsRequest { prompt, decode_tokens })) {
        Reply::Operations(operations) => operations,
        other => panic!("no operations: {other:?}"),
    }
}

fn count(operations: &[OperationCount], name: &str) -> u64 {
    operations.iter().filter(|item| item.operation == name).map(|item| item.count).sum()
}

#[test]
fn fused_attention_runs_exactly_when_it_is_on() {
    let Some(model) = model() else { return };
    for (toggle, expected) in [(Toggle::Off, false), (Toggle::On, true)] {
        let settings = Settings { flash_attention: Some(toggle), ..Settings::default() };
        let (mut worker, loaded) = Worker::loaded(&model, settings);
        let counted = operations(&mut worker, 2);
        assert!(count(&counted, "mul_mat") > 0, "{counted:?}");
        assert_eq!(count(&counted, "flash_attn_ext") > 0, expected, "{counted:?}");
        if expected {
            // One a layer, in the prefill and in each of two steps.
            assert_eq!(count(&counted, "flash_attn_ext"), u64::from(loaded.model.layers) * 3);
        }
        assert!(counted.iter().all(|item| item.device == "CPU"), "{counted:?}");
    }
}

#[test]
fn counting_twice_gives_the_same_and_leaves_the_sequence() {
    let Some(model) = model() else { return };
    let (mut worker, _) = Worker::loaded(&model, Settings::default());
    let prompt = worker.tokens("The weights are read once for every token, so");
    worker.begin(&[], &prompt);
    let expected = worker.free(8);
    worker.begin(&[], &prompt);
    let first = operations(&mut worker, 1);
    assert_eq!(operations(&mut worker, 1), first);
    // The run in between had a context of its own.
    assert_eq!(worker.free(8), expected);
}
