//! A worker process and the talk with it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command as Process, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use engine_protocol::{
    Beginning, Begun, Command, DecodeRequest, Decoded, Feed, LoadRequest, Loaded, PROTOCOL_VERSION,
    Problem, Reply, Request, Response, Settings, Token,
};

/// Long enough for a busy machine, short enough to notice a hang. Nothing is asserted on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The model to test with; `None` where there is none and that is allowed.
pub fn model() -> Option<String> {
    match std::env::var("RUNNER_TEST_MODEL") {
        Ok(path) if !path.is_empty() => Some(path),
        _ => {
            let strict = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!strict, "RUNNER_TEST_MODEL must name a GGUF file in CI");
            None
        }
    }
}

pub struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Worker {
    /// A fresh process that has not been greeted.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        let mut child = Process::new(env!("CARGO_BIN_EXE_engine-worker"))
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output, last_id: 0 }
    }

    /// A process that has been greeted.
    pub fn greeted() -> Self {
        let mut worker = Self::start();
        let reply = worker.ask(Command::Hello { protocol_version: PROTOCOL_VERSION });
        assert!(matches!(reply, Reply::Greeting(_)), "{reply:?}");
        worker
    }

    /// A process with the test model, which must load. One thread unless the settings say more:
    /// tests run side by side, and threads that wait for each other suffer most from that.
    pub fn loaded(model: &str, settings: Settings) -> (Self, Loaded) {
        let mut worker = Self::greeted();
        let one_thread = Settings { threads: Some(1), ..Settings::default() };
        match worker.load(model, one_thread.overlaid(&settings)) {
            Reply::Loaded(loaded) => (worker, loaded),
            other => panic!("the model did not load: {other:?}"),
        }
    }

    pub fn load(&mut self, model: &str, settings: Settings) -> Reply {
        self.ask(Command::Load(LoadRequest {
            model_path: model.to_owned(),
            settings,
            draft_model_path: None,
        }))
    }

    /// Sends a request and reads the answer, whose number must be the same.
    pub fn ask(&mut self, command: Command) -> Reply {
        self.last_id += 1;
        let request = Request { id: self.last_id, command };
        let response = self.exchange(&serde_json::to_string(&request).unwrap());
        assert_eq!(response.id, self.last_id);
        response.reply
    }

    /// Sends any line and reads the answer.
    pub fn exchange(&mut self, line: &str) -> Response {
        self.send(line.as_bytes());
        self.read()
    }

    pub fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// Every line of standard output must be a response: whatever native code prints goes elsewhere.
    pub fn read(&mut self) -> Response {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the process.
    pub fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the worker did not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn tokens(&mut self, text: &str) -> Vec<Token> {
        match self.ask(Command::Tokenize { text: text.to_owned() }) {
            Reply::Tokens(tokens) => tokens,
            other => panic!("no tokens: {other:?}"),
        }
    }

    pub fn begin(&mut self, depth: &[Token], prompt: &[Token]) -> Begun {
        let beginning = Beginning { depth: depth.to_vec(), prompt: prompt.to_vec() };
        match self.ask(Command::Begin(beginning)) {
            Reply::Begun(begun) => begun,
            other => panic!("not begun: {other:?}"),
        }
    }

    pub fn decode(&mut self, untimed: u32, timed: u32, feed: Feed) -> Decoded {
        let request = DecodeRequest { untimed_tokens: untimed, timed_tokens: timed, feed };
        match self.ask(Command::Decode(request)) {
            Reply::Decoded(decoded) => decoded,
            other => panic!("not decoded: {other:?}"),
        }
    }

    pub fn free(&mut self, tokens: u32) -> Vec<Token> {
        self.decode(0, tokens, Feed::Free).chosen
    }

    pub fn problem(&mut self, command: Command) -> Problem {
        match self.ask(command) {
            Reply::Problem(problem) => problem,
            other => panic!("no problem: {other:?}"),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Already ended in most tests; a failure to end it again says nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
