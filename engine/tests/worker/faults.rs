use engine_protocol::{Beginning, Command, Feed, PrefillRequest, ProblemKind, Reply, Settings};

use crate::conversation::{Worker, model};

#[test]
fn a_line_that_is_no_request_is_answered_with_number_zero() {
    let mut worker = Worker::greeted();
    for line in [
        "",
        "garbage",
        "{}",
        "[1, 2]",
        r#"{"id": 7}"#,
        r#"{"id": 7, "command": {"dance": {}}}"#,
        r#"{"id": 7, "command": "shutdown", "extra": 1}"#,
        r#"{"id": -1, "command": "shutdown"}"#,
        "{\"id\": 7, \"command\": {\"tokenize\": {\"text\": \"\u{0}",
    ] {
        let response = worker.exchange(line);
        assert_eq!(response.id, 0, "{line}");
        let Reply::Problem(problem) = response.reply else { panic!("{line}: no problem") };
        assert_eq!(problem.kind, ProblemKind::Protocol, "{line}");
    }
    worker.send(&[0xff, 0xfe, b'{']);
    assert_eq!(worker.read().id, 0);
    worker.send("[".repeat(1_000_000).as_bytes());
    assert_eq!(worker.read().id, 0);
    assert_eq!(worker.ask(Command::Shutdown), Reply::Ending);
    assert_eq!(worker.end().code(), Some(0));
}

#[test]
fn hello_comes_first_and_must_name_the_version() {
    let mut worker = Worker::start();
    let problem = worker.problem(Command::Tokenize { text: "x".to_owned() });
    assert_eq!(problem.kind, ProblemKind::Protocol);
    assert!(problem.message.contains("`hello`"), "{}", problem.message);
    let problem = worker.problem(Command::Hello { protocol_version: 999 });
    assert_eq!(problem.kind, ProblemKind::Protocol);
    assert!(problem.message.contains("999"), "{}", problem.message);
    // A refused greeting is none.
    let problem = worker.problem(Command::Tokenize { text: "x".to_owned() });
    assert!(problem.message.contains("`hello`"), "{}", problem.message);
}

#[test]
fn everything_but_a_load_wants_a_model() {
    let mut worker = Worker::greeted();
    let beginning = Beginning { depth: vec![], prompt: vec![1] };
    for command in [
        Command::Tokenize { text: "x".to_owned() },
        Command::Begin(beginning),
        Command::Prefill(PrefillRequest { depth: vec![], tokens: vec![1] }),
    ] {
        let problem = worker.problem(command);
        assert_eq!(problem.kind, ProblemKind::Protocol);
        assert!(problem.message.contains("no model"), "{}", problem.message);
    }
}

#[test]
fn a_closed_input_ends_an_idle_worker() {
    let mut worker = Worker::greeted();
    worker.close_input();
    assert_eq!(worker.end().code(), Some(10));
}

#[test]
fn a_closed_input_ends_a_worker_in_mid_computation() {
    let Some(model) = model() else { return };
    let settings = Settings { context_tokens: Some(65_536), ..Settings::default() };
    let (mut worker, _) = Worker::loaded(&model, settings);
    // Hours of work, so that only the closed input can end it.
    let request = engine_protocol::Request {
        id: 99,
        command: Command::Prefill(PrefillRequest { depth: vec![], tokens: vec![1; 65_536] }),
    };
    worker.send(serde_json::to_string(&request).unwrap().as_bytes());
    std::thread::sleep(std::time::Duration::from_millis(300));
    worker.close_input();
    assert_eq!(worker.end().code(), Some(10));
}

#[test]
#[cfg(target_os = "linux")]
fn what_others_print_goes_to_standard_error() {
    let worker = Worker::greeted();
    let of = |descriptor: &str| {
        std::fs::read_link(format!("/proc/{}/fd/{descriptor}", worker.process_id())).unwrap()
    };
    assert_eq!(of("1"), of("2"));
}

#[test]
fn standard_output_carries_answers_only() {
    let Some(model) = model() else { return };
    // `Worker::read` refuses any line that is not a response; a load that fails and one that
    // succeeds are where the engine talks most.
    let mut worker = Worker::greeted();
    assert!(matches!(worker.load("/nowhere.gguf", Settings::default()), Reply::Problem(_)));
    let one_thread = Settings { threads: Some(1), ..Settings::default() };
    assert!(matches!(worker.load(&model, one_thread), Reply::Loaded(_)));
    let prompt = worker.tokens("One, two, three");
    worker.begin(&[], &prompt);
    worker.decode(0, 2, Feed::Free);
    assert_eq!(worker.ask(Command::Shutdown), Reply::Ending);
    assert_eq!(worker.end().code(), Some(0));
}
