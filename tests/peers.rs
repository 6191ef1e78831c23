//! Other engines as arms: commands and servers, and all that can be wrong with them.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod sandbox;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use sandbox::{Said, Sandbox};
use serde_json::Value;

/// The arm that other engines take the place of.
const FAST: &str = "name = \"fast\"
role = \"treatment\"
threads = 2
contract.identical.of = \"tokens\"";

/// A shell script at a path with a space, as an argument that must stay one.
const BENCH: &str = "scripts/my bench.sh";

/// Prints what llama-bench prints, for the sizes that it is asked for.
const LLAMA_BENCH: &str = r#"#!/bin/sh
[ "$1" = "a b'c\"d" ] || exit 9
sleep 0.01
printf '[{"n_prompt": 0, "n_gen": %s, "n_depth": %s, "samples_ns": [8000000]}]' "$2" "$3"
"#;

fn arm(keys: &str) -> String {
    format!("name = \"other\"\nrole = \"peer\"\n{keys}")
}

/// A manifest whose treatment is another engine, paired whole.
fn manifest(sandbox: &Sandbox, id: &str, keys: &str) -> String {
    sandbox.manifest(
        id,
        &[
            (FAST, &arm(keys)),
            ("chunk_tokens = 8", "chunk_tokens = 16"),
            ("rounds = 5", "rounds = 2"),
            ("blocks_per_round = 4", "blocks_per_round = 2"),
        ],
    )
}

fn script(sandbox: &Sandbox, path: &str, text: &str) {
    let path = sandbox.write(path, text);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn exec(sandbox: &Sandbox, file: &str) -> Said {
    sandbox.runner(&["--json", "exec", "--register", file])
}

/// The facts of the one peer in a record.
fn peer(said: &Said) -> Value {
    said.json()["record"]["facts"]["peers"][0].clone()
}

fn command(argv: &str, rest: &str) -> String {
    format!("peer.command.argv = [{argv}]\n{rest}")
}

fn llama_bench() -> String {
    command(
        &format!(r#""{BENCH}", "a b'c\"d", "{{decode_tokens}}", "{{depth_tokens}}", "{{model}}""#),
        "peer.command.reads = \"llama_bench\"",
    )
}

fn printed(line: &str) -> String {
    command(
        &format!(r#""sh", "-c", "sleep 0.01; echo '{line}'", "{{model}}", "{{decode_tokens}}""#),
        r#"peer.command.reads = "pattern"
peer.command.pattern = 'speed (?<value>\S+)'
peer.command.unit = "tokens_per_second"
peer.command.start_up = "outside_timer""#,
    )
}

/// The built server: an example, beside the test's own executable.
fn fake_server() -> String {
    sandbox::fake_worker().replace("fake-worker", "fake-server")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn server(script: &str, rest: &str) -> String {
    let port = free_port();
    let more: String = script.split_whitespace().map(|pair| format!(", \"{pair}\"")).collect();
    format!(
        "peer.openai.address = \"127.0.0.1:{port}\"
peer.openai.argv = [\"{}\", \"{{port}}\", \"{{model}}\"{more}]
peer.openai.prompt_cache = \"on\"
{rest}",
        fake_server()
    )
}

#[test]
fn a_command_that_prints_llama_bench_json_is_described_and_not_judged() {
    let sandbox = Sandbox::new();
    script(&sandbox, BENCH, LLAMA_BENCH);
    let file = manifest(&sandbox, "bench", &llama_bench());
    let said = exec(&sandbox, &file).expect_code(0);
    let found = peer(&said);
    assert_eq!(found["kind"], "command, llama-bench JSON");
    assert_eq!(found["requests"], 4);
    let json = said.json();
    assert_eq!(json["record"]["analysis"]["comparisons"][0]["arm"], Value::Null);
    // 16 tokens in 8 ms, against off's 1 ms a token
    let rows = sandbox.samples("bench");
    let other: Vec<_> = rows.iter().filter(|row| row.arm == "other").collect();
    assert_eq!(other.len(), 4);
    assert!(other.iter().all(|row| row.tokens == 16 && row.nanoseconds == 8_000_000));
    sandbox.runner(&["record", "verify"]).expect_code(0);
    sandbox.runner(&["show", "bench"]).expect_code(0).expect_text("described and not judged");
}

#[test]
fn a_printed_number_is_read_and_what_is_none_is_refused() {
    let sandbox = Sandbox::new();
    let file = manifest(&sandbox, "printed", &printed("speed 2e4 tok/s"));
    let said = exec(&sandbox, &file).expect_code(0);
    assert_eq!(peer(&said)["kind"], "command, printed number");
    for (id, line, words) in [
        ("nothing", "done", "finds no number"),
        ("infinite", "speed inf tok/s", "printed inf"),
        ("negative", "speed -5 tok/s", "printed -5"),
        ("unit", "speed 5 ms", "stands `milliseconds`, and tokens per second are registered"),
        ("slow", "speed 0.001 tok/s", "it ran for"),
    ] {
        let file = manifest(&sandbox, id, &printed(line));
        let said = sandbox.runner(&["exec", "--register", &file]).expect_code(3);
        said.expect_text("the other engine cannot be read").expect_text(words);
        assert_eq!(sandbox.runs(id), Vec::<String>::new());
    }
}

#[test]
fn a_command_that_fails_or_is_not_there_is_refused_with_its_last_words() {
    let sandbox = Sandbox::new();
    let reads = "peer.command.reads = \"llama_bench\"";
    for (id, argv, words) in [
        (
            "fails",
            r#""sh", "-c", "echo cannot load >&2; exit 7", "{model}", "{decode_tokens}""#,
            "exit status 7; its last words: cannot load",
        ),
        ("killed", r#""sh", "-c", "kill -9 $$", "{model}", "{decode_tokens}""#, "signal 9"),
        (
            "missing",
            r#""scripts/none", "{model}", "{decode_tokens}""#,
            "the peer's program is not there",
        ),
        (
            "unknown",
            r#""no-such-program-at-all", "{model}", "{decode_tokens}""#,
            "PATH has no program",
        ),
        (
            "flood",
            r#""sh", "-c", "head -c 200000000 /dev/zero >&2; echo '[]'", "{model}", "{decode_tokens}""#,
            "0 tests",
        ),
    ] {
        let file = manifest(&sandbox, id, &command(argv, reads));
        sandbox.runner(&["exec", "--register", &file]).expect_code(3).expect_text(words);
    }
}

#[test]
fn a_program_that_changes_in_the_middle_ends_the_run() {
    let sandbox = Sandbox::new();
    let changing = format!("{LLAMA_BENCH}echo '# changed' >> \"$0\"\n");
    script(&sandbox, BENCH, &changing);
    let file = manifest(&sandbox, "changed", &llama_bench());
    exec(&sandbox, &file).expect_code(5).expect_text("was changed");
}

#[test]
fn a_server_is_started_timed_at_the_client_and_stopped() {
    let sandbox = Sandbox::new();
    let file = manifest(&sandbox, "server", &server("ready_after_ms=300 token_us=500", ""));
    let said = exec(&sandbox, &file).expect_code(0);
    let found = peer(&said);
    // each of four blocks and its warm-up ask for 16 timed tokens, one untimed and the first one
    assert_eq!((&found["requests"], &found["tokens"]), (&Value::from(4), &Value::from(4 * 18)));
    assert_eq!(found["between_tokens_milliseconds"]["n"], 4 * 17);
    assert_eq!(found["server"]["decode_tokens_per_second"], 500.0);
    assert_eq!(found["server"]["cached_tokens"], 0);
    assert_eq!(found["prompt_cache"]["declared"], "on");
    let rows = sandbox.samples("server");
    let of = |work| rows.iter().filter(|row| row.arm == "other" && row.work == work).count();
    assert_eq!((of(sample_table::Work::Prompt), of(sample_table::Work::Decode)), (4, 4));
    sandbox.runner(&["record", "verify"]).expect_code(0);
    let table = sandbox.runner(&["show", "server"]).expect_code(0).out;
    assert!(table.contains("other engines, as they tell it"), "{table}");
    // nothing of it is left
    let port = file_port(&sandbox, &file);
    assert!(TcpListener::bind(("127.0.0.1", port)).is_ok());
}

fn file_port(sandbox: &Sandbox, file: &str) -> u16 {
    let text = std::fs::read_to_string(sandbox.path(file)).unwrap();
    let at = text.split("127.0.0.1:").nth(1).unwrap();
    at.split('"').next().unwrap().parse().unwrap()
}

#[test]
fn two_tokens_in_one_piece_are_two_and_pieces_are_never_taken_for_tokens() {
    let sandbox = Sandbox::new();
    let file = manifest(&sandbox, "two", &server("two_in_one=5", ""));
    let found = peer(&exec(&sandbox, &file).expect_code(0));
    assert_eq!((&found["tokens"], &found["pieces"]), (&Value::from(72), &Value::from(68)));
    for (id, script, words) in [
        ("uncounted", "two_in_one=5 counts=usage", "17 pieces and has 18 tokens"),
        ("silent", "counts=nothing", "does not count the tokens"),
        ("empty", "empty=1", "holds no token"),
        ("short", "short_by=2", "has 16 tokens, 18 were asked for"),
        ("longer", "prompt_off_by=1", "counts 17 tokens in the prompt, 16 were sent"),
        ("gathers", "gather_from=3", "the answer came in one piece"),
        ("garbage", "garbage=1", "not of the interface"),
        ("busy", "status=503", "answers 503"),
    ] {
        let file = manifest(&sandbox, id, &server(script, ""));
        sandbox.runner(&["exec", "--register", &file]).expect_code(3).expect_text(words);
    }
}

#[test]
fn a_server_that_never_is_ready_or_is_gone_is_refused() {
    let sandbox = Sandbox::new();
    for (id, script, words) in [
        (
            "never",
            "never_ready=1 stderr_megabytes=50",
            "not ready within 1 s: `/v1/models` answers 503",
        ),
        (
            "gone",
            "exit_at_start=1",
            "the server is gone: it ended with exit status 3; its last words: no such model | I give up",
        ),
    ] {
        let file = manifest(&sandbox, id, &server(script, "peer.openai.ready_seconds = 1"));
        sandbox.runner(&["exec", "--register", &file]).expect_code(3).expect_text(words);
    }
    // a stranger at the address would be measured instead
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let keys = server("", "");
    let own = keys.split("127.0.0.1:").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let file = manifest(&sandbox, "taken", &keys.replace(&own, &port.to_string()));
    sandbox.runner(&["exec", "--register", &file]).expect_code(3).expect_text("listens at");
}

#[test]
fn a_server_that_dies_in_the_middle_ends_its_own_arm() {
    let sandbox = Sandbox::new();
    // 18 tokens a request: the one of the trial and those before timing are short
    let text = server("die_at_token=0", "").replace("die_at_token=0", "die_at_token=17");
    let file = manifest(&sandbox, "dies", &text);
    let said = sandbox.runner(&["exec", "--register", &file]).expect_code(3);
    said.expect_text(
        "the server is gone: signal 6 (abort); its last words: assertion failed in the middle",
    );
    let cut = manifest(&sandbox, "cut", &server("cut_at_token=17", ""));
    sandbox.runner(&["exec", "--register", &cut]).expect_code(3).expect_text("broke off");
}

#[test]
fn a_prompt_that_is_kept_must_be_declared() {
    let sandbox = Sandbox::new();
    let off = |script: &str| {
        server(script, "").replace("prompt_cache = \"on\"", "prompt_cache = \"off\"")
    };
    let told = manifest(&sandbox, "told", &off("caches=1"));
    let said = sandbox.runner(&["exec", "--register", &told]).expect_code(3);
    said.expect_text("had kept").expect_text("prompt_cache = \"on\"");
    let quicker = manifest(&sandbox, "quicker", &off("caches=1 tells_cached=0 prompt_us=100000"));
    let said = sandbox.runner(&["exec", "--register", &quicker]).expect_code(3);
    said.expect_text("of a fresh one's time");
    // 20 ms each time: no noise makes a tenth of it in seven pairs of eight
    let honest = manifest(&sandbox, "honest", &off("prompt_us=20000"));
    let found = peer(&exec(&sandbox, &honest).expect_code(0));
    assert_eq!(found["prompt_cache"]["declared"], "off");
    assert_eq!(found["prompt_cache"]["pairs"], 8);
    let declared = manifest(&sandbox, "declared", &server("caches=1 prompt_us=20000", ""));
    let text = std::fs::read_to_string(sandbox.path(&declared)).unwrap();
    sandbox.write(&declared, text.replace("\"none\"", "\"seen\""));
    let found = peer(&exec(&sandbox, &declared).expect_code(0));
    assert_eq!(found["prompt_cache"]["declared"], "on");
}

#[test]
fn load_comes_from_clients_or_on_a_schedule_with_waiting_in_the_time() {
    let sandbox = Sandbox::new();
    let closed = server(
        "slots=2",
        "peer.openai.load = \"closed\"\npeer.openai.clients = 2\npeer.openai.requests = 6",
    );
    let found = peer(&exec(&sandbox, &manifest(&sandbox, "closed", &closed)).expect_code(0));
    assert_eq!((&found["requests"], &found["tokens"]), (&Value::from(24), &Value::from(24 * 18)));
    let words = found["cannot_promise"].to_string();
    assert!(words.contains("another regime"), "{words}");
    // one slot, and requests every 2 ms on average that need 6 ms: they wait, and that is in the time
    let open = server(
        "slots=1 token_us=300",
        "peer.openai.load = \"open\"\npeer.openai.requests = 14\npeer.openai.requests_per_second = 500",
    );
    let found = peer(&exec(&sandbox, &manifest(&sandbox, "open", &open)).expect_code(0));
    let first = &found["first_token_milliseconds"];
    assert_eq!(first["n"], 56);
    // with waiting left out no first token takes as long as a request does; here most do
    let shortest_request = 18.0 * 0.3;
    assert!(first["p50"].as_f64().unwrap() > shortest_request, "{first}");
}

#[test]
fn prefill_work_is_the_time_to_the_first_token() {
    let sandbox = Sandbox::new();
    let file = sandbox.manifest(
        "prefill",
        &[
            (
                FAST,
                &arm(&server("prompt_us=20000", "")
                    .replace("prompt_cache = \"on\"", "prompt_cache = \"off\"")),
            ),
            ("prompt_tokens = 16\ndecode_tokens = 16", "prefill_tokens = 32"),
            ("decode_tokens_per_second", "prefill_tokens_per_second"),
            ("chunk_tokens = 8\n", ""),
            ("rounds = 5", "rounds = 2"),
            ("blocks_per_round = 4", "blocks_per_round = 2"),
        ],
    );
    let said = exec(&sandbox, &file).expect_code(0);
    assert_eq!(peer(&said)["requests"], 4);
    let rows = sandbox.samples("prefill");
    let other: Vec<_> = rows.iter().filter(|row| row.arm == "other").collect();
    assert!(
        other.len() == 4
            && other.iter().all(|row| row.tokens == 32 && row.nanoseconds > 20_000_000)
    );
}

#[test]
fn faults_of_a_manifest_are_found_before_anything_runs() {
    let sandbox = Sandbox::new();
    let check = |id: &str, keys: &str| {
        let file = sandbox.manifest(id, &[(FAST, &arm(keys))]);
        sandbox.runner(&["check", &file])
    };
    let plain = r#""llama-bench", "-m", "{model}", "-n", "{decode_tokens}""#;
    let reads = "peer.command.reads = \"llama_bench\"";
    check("chunks", &command(plain, reads)).expect_code(2).expect_text("write `chunk_tokens = 16`");
    for (id, keys, words) in [
        (
            "model",
            command(r#""llama-bench", "-n", "{decode_tokens}""#, reads),
            "no argument is `{model}`",
        ),
        (
            "size",
            command(r#""llama-bench", "-m", "{model}""#, reads),
            "no argument of `other` is `{decode_tokens}`",
        ),
        (
            "placeholder",
            command(r#""llama-bench", "{modell}", "{decode_tokens}""#, reads),
            "did you mean `{model}`?",
        ),
        (
            "pattern",
            command(plain, "peer.command.reads = \"pattern\""),
            "needs `peer.command.unit`",
        ),
        (
            "regex",
            command(
                plain,
                "peer.command.reads = \"pattern\"\npeer.command.pattern = '('\npeer.command.unit = \"seconds\"\npeer.command.start_up = \"inside_timer\"",
            ),
            "no regular expression",
        ),
        (
            "group",
            command(
                plain,
                "peer.command.reads = \"pattern\"\npeer.command.pattern = 'x'\npeer.command.unit = \"seconds\"\npeer.command.start_up = \"inside_timer\"",
            ),
            "no group `value`",
        ),
        (
            "stray",
            command(plain, &format!("{reads}\npeer.command.unit = \"seconds\"")),
            "`unit` belongs to `reads = \"pattern\"`",
        ),
        (
            "contract",
            command(plain, &format!("{reads}\ncontract.identical.of = \"tokens\"")),
            "cannot be asked for `contract`",
        ),
        (
            "setting",
            command(plain, &format!("{reads}\nthreads = 2")),
            "would not be told of `threads`",
        ),
        ("both", format!("{}\n{}", command(plain, reads), server("", "")), "exclude each other"),
        (
            "worker",
            command(plain, &format!("{reads}\nworker = \"x\"")),
            "`worker` and `peer` exclude each other",
        ),
        ("address", server("", "").replace("127.0.0.1:", "http://127.0.0.1:"), "is no `HOST:PORT`"),
        (
            "clients",
            server("", "peer.openai.load = \"closed\""),
            "this load needs `peer.openai.clients`",
        ),
    ] {
        check(id, &keys).expect_text(words);
    }
    let file = sandbox.manifest("role", &[("role = \"treatment\"", "role = \"treatment\"\npeer.command.argv = [\"x\"]\npeer.command.reads = \"worker_protocol\"")]);
    sandbox.runner(&["check", &file]).expect_code(2).expect_text("only a `peer` may be");
}

/// The example of docs/protocol.md, started by its interpreter: it alternates in chunks like any worker.
#[test]
fn a_worker_in_python_is_a_peer_that_alternates() {
    let sandbox = Sandbox::new();
    let python = format!("{}/docs/examples/worker.py", env!("CARGO_MANIFEST_DIR"));
    let keys =
        command(&format!(r#""python3", "{python}""#), "peer.command.reads = \"worker_protocol\"");
    let file = sandbox.manifest(
        "python",
        &[
            (sandbox::fake_worker().as_str(), python.as_str()),
            ("threads = 1\n", ""),
            (FAST, &arm(&keys)),
            ("rounds = 5", "rounds = 2"),
            ("blocks_per_round = 4", "blocks_per_round = 2"),
        ],
    );
    let said = exec(&sandbox, &file).expect_code(0);
    assert_eq!(said.json()["record"]["facts"]["peers"], Value::Null);
    let rows = sandbox.samples("python");
    let chunks = |arm: &str| {
        let own =
            rows.iter().filter(|row| row.arm == arm && row.work == sample_table::Work::Decode);
        own.map(|row| row.chunk).collect::<Vec<_>>()
    };
    // four blocks of two chunks each
    assert_eq!(chunks("other"), chunks("off"));
    assert_eq!(chunks("other").len(), 8);
    sandbox.runner(&["record", "verify"]).expect_code(0);
}

/// A server that ends in good order and leaves a process behind: it ends with the arm, at each round.
#[test]
fn what_a_server_leaves_behind_ends_with_its_arm() {
    let sandbox = Sandbox::new();
    let file = manifest(&sandbox, "leaves", &server("leaves_a_child=1", ""));
    exec(&sandbox, &file).expect_code(0);
    let pids = std::fs::read_to_string(sandbox.path("child.pid")).unwrap();
    // the preflight's and one a round
    assert_eq!(pids.lines().count(), 3);
    for pid in pids.lines() {
        let left = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!left.contains("sleep"), "{pid}: {left}");
    }
}
