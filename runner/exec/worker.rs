//! A worker as its caller sees it: one request, one answer, within a limit.

use std::path::Path;
use std::time::{Duration, Instant};

use engine_protocol::{
    Beginning, Begun, Command, DecodeRequest, Decoded, Feed, Greeting, LoadRequest, Loaded,
    LogitsFile, LogitsRequest, ObserveRequest, Observed, OperationCount, OperationsRequest,
    PROTOCOL_VERSION, PrefillRequest, Prefilled, PrimitiveRequest, PrimitiveTimed, Problem,
    ProblemKind, Reply, RequantiseRequest, Requantised, Request, Response, SlotOutput,
    SlotsRequest, Token, WeightsFile, WeightsRequest,
};

use super::clock::nanoseconds;
use super::decode_counts::{self, Asked};
use super::fault::WorkerError;
use super::identity::ProcessIdentity;
use super::interrupt::Interrupt;
use super::limits::RequestLimits;
use super::memory_kills;
use super::process::{Output, Process, describe_status};
use super::process_group;
use super::worker_words::{PRIMITIVE, command_name, counted, excerpt, unexpected};
use crate::manifest::{Drafting, Environment};
use crate::verdict::ArmFaultKind;

/// How often a waiting run looks whether it was asked to stop. Rarer than a usual chunk, so that
/// nearly all timed work passes without one waking of this process.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(250);

/// How long a worker may take to end after it was told to.
const END_WAIT: Duration = Duration::from_secs(5);

/// A started worker that has greeted.
#[derive(Debug)]
pub(super) struct Worker {
    process: Process,
    next_id: u64,
    kills_before: Option<u64>,
    /// Time in which it put prompts into the cache, decoded or prefilled: from request to answer,
    /// nanoseconds.
    pub(super) busy_nanoseconds: u64,
    /// Sequences that it decodes side by side, as it was loaded.
    slots: u32,
    tells: Tells,
    /// What another engine has started and goes on running: a server.
    group: Vec<u32>,
}

/// What an answer to `decode` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tells {
    /// Its time and the tokens that were chosen.
    Tokens,
    /// Its time alone: another engine.
    TimeAlone,
}

impl Worker {
    /// Starts a worker; the first request must be [`Worker::hello`].
    pub(super) fn start(program: &Path, arguments: &[String]) -> Result<Worker, WorkerError> {
        Worker::start_with(program, arguments, &Environment::default())
    }

    /// The same with registered variables.
    pub(super) fn start_with(
        program: &Path,
        arguments: &[String],
        registered: &Environment,
    ) -> Result<Worker, WorkerError> {
        let process =
            Process::start(program, arguments, registered).map_err(|error| WorkerError::Ended {
                kind: ArmFaultKind::Crashed,
                detail: format!("it cannot be started: {error}"),
            })?;
        let kills_before = memory_kills::count();
        Ok(Worker {
            process,
            next_id: 1,
            kills_before,
            busy_nanoseconds: 0,
            slots: 1,
            tells: Tells::Tokens,
            group: Vec::new(),
        })
    }

    /// Pid and start time.
    pub(super) fn identity(&self) -> ProcessIdentity {
        self.process.identity()
    }

    /// Its process, and what of its group was there when it had loaded.
    pub(super) fn pids(&self) -> Vec<u32> {
        let own = self.identity().pid;
        std::iter::once(own).chain(self.group.iter().copied()).collect()
    }

    /// It is another engine, which has so many requests of a block.
    pub(super) fn tells_time_alone(&mut self, requests: u32) {
        self.tells = Tells::TimeAlone;
        self.slots = requests.max(1);
    }

    /// All that is kept of its standard error.
    pub(super) fn stderr(&self) -> String {
        self.process.with_stderr(super::tail::Tail::text)
    }

    /// Greets: versions must agree.
    pub(super) fn hello(&mut self, call: Call<'_>) -> Result<Greeting, WorkerError> {
        match self.ask(Command::Hello { protocol_version: PROTOCOL_VERSION }, call)? {
            Reply::Greeting(greeting) if greeting.protocol_version == PROTOCOL_VERSION => {
                Ok(greeting)
            }
            Reply::Greeting(greeting) => Err(WorkerError::broken(format!(
                "it speaks version {} of the protocol, this program speaks {PROTOCOL_VERSION}",
                greeting.protocol_version
            ))),
            other => Err(unexpected("hello", &other)),
        }
    }

    /// Loads a model.
    pub(super) fn load(
        &mut self,
        load: LoadRequest,
        call: Call<'_>,
    ) -> Result<Loaded, WorkerError> {
        if self.tells == Tells::Tokens {
            self.slots = load.settings.slots.unwrap_or(1).max(1);
        }
        match self.ask(Command::Load(load), call)? {
            Reply::Loaded(loaded) => {
                if self.tells == Tells::TimeAlone {
                    self.group = process_group::others(self.identity().pid);
                }
                Ok(loaded)
            }
            other => Err(unexpected("load", &other)),
        }
    }

    /// Text to tokens.
    pub(super) fn tokenize(
        &mut self,
        text: String,
        call: Call<'_>,
    ) -> Result<Vec<Token>, WorkerError> {
        match self.ask(Command::Tokenize { text }, call)? {
            Reply::Tokens(tokens) => Ok(tokens),
            other => Err(unexpected("tokenize", &other)),
        }
    }

    /// A prompt into the cache; the counts of the answer are checked.
    pub(super) fn begin(&mut self, begin: Beginning, call: Call<'_>) -> Result<Begun, WorkerError> {
        let (depth, prompt) = (begin.depth.len(), begin.prompt.len());
        match self.ask(Command::Begin(begin), call)? {
            Reply::Begun(begun) => {
                counted("prompt tokens", begun.prompt_tokens as usize, prompt)?;
                counted("position after the prompt", begun.position as usize, depth + prompt)?;
                Ok(begun)
            }
            other => Err(unexpected("begin", &other)),
        }
    }

    /// A chunk of decoding that starts at `position`, by an arm that drafts or does not; the counts
    /// of the answer are checked.
    pub(super) fn decode(
        &mut self,
        decode: DecodeRequest,
        position: u32,
        drafting: Option<Drafting>,
        call: Call<'_>,
    ) -> Result<Decoded, WorkerError> {
        let beyond = match decode.feed {
            Feed::Free => drafting.map_or(0, Drafting::beyond),
            Feed::Fed(_) => 0,
        };
        let asked = Asked {
            untimed: decode.untimed_tokens,
            timed: decode.timed_tokens,
            position,
            drafting,
            beyond,
            slots: self.slots,
            tells: self.tells,
        };
        match self.ask(Command::Decode(decode), call)? {
            Reply::Decoded(decoded) => {
                decode_counts::check(asked, &decoded)?;
                Ok(decoded)
            }
            other => Err(unexpected("decode", &other)),
        }
    }

    /// A whole prefill; the count of the answer is checked.
    pub(super) fn prefill(
        &mut self,
        prefill: PrefillRequest,
        call: Call<'_>,
    ) -> Result<Prefilled, WorkerError> {
        let tokens = prefill.tokens.len();
        match self.ask(Command::Prefill(prefill), call)? {
            Reply::Prefilled(prefilled) => {
                counted("timed tokens", prefilled.timed_tokens as usize, tokens)?;
                Ok(prefilled)
            }
            other => Err(unexpected("prefill", &other)),
        }
    }

    /// Logits into a file.
    pub(super) fn logits(
        &mut self,
        logits: LogitsRequest,
        call: Call<'_>,
    ) -> Result<LogitsFile, WorkerError> {
        let rows = match logits.only_positions.len() {
            0 => logits.tokens.len().saturating_sub(logits.from_position as usize),
            some => some,
        };
        match self.ask(Command::Logits(logits), call)? {
            Reply::Logits(file) => {
                counted("rows of logits", file.positions as usize, rows)?;
                Ok(file)
            }
            other => Err(unexpected("logits", &other)),
        }
    }

    /// Counts of operations.
    pub(super) fn operations(
        &mut self,
        observed: OperationsRequest,
        call: Call<'_>,
    ) -> Result<Vec<OperationCount>, WorkerError> {
        match self.ask(Command::Operations(observed), call)? {
            Reply::Operations(counts) => Ok(counts),
            other => Err(unexpected("operations", &other)),
        }
    }

    /// Inner tensors of one evaluation, into a file.
    pub(super) fn observe(
        &mut self,
        observe: ObserveRequest,
        call: Call<'_>,
    ) -> Result<Observed, WorkerError> {
        match self.ask(Command::Observe(observe), call)? {
            Reply::Observed(observed) => Ok(observed),
            other => Err(unexpected("observe", &other)),
        }
    }

    /// Loaded tensors, into a file.
    pub(super) fn weights(
        &mut self,
        weights: WeightsRequest,
        call: Call<'_>,
    ) -> Result<WeightsFile, WorkerError> {
        match self.ask(Command::Weights(weights), call)? {
            Reply::Weights(file) => Ok(file),
            other => Err(unexpected("weights", &other)),
        }
    }

    /// Sequences side by side; the counts of the answer are checked.
    pub(super) fn slots(
        &mut self,
        slots: SlotsRequest,
        call: Call<'_>,
    ) -> Result<Vec<SlotOutput>, WorkerError> {
        let (sequences, each) = (slots.prompts.len(), slots.decode_tokens as usize + 1);
        match self.ask(Command::Slots(slots), call)? {
            Reply::Slots(outputs) => {
                counted("sequences", outputs.len(), sequences)?;
                for output in &outputs {
                    counted("chosen tokens", output.chosen.len(), each)?;
                    counted("margins", output.margins.len(), each)?;
                }
                Ok(outputs)
            }
            other => Err(unexpected("slots", &other)),
        }
    }

    /// Repetitions of a primitive; the counts of the answer are checked.
    pub(super) fn primitive(
        &mut self,
        request: PrimitiveRequest,
        call: Call<'_>,
    ) -> Result<PrimitiveTimed, WorkerError> {
        let repetitions = request.repetitions as usize;
        match self.ask(Command::Primitive(request), call)? {
            Reply::Primitive(timed) => {
                counted("timed repetitions", timed.nanoseconds.len(), repetitions)?;
                Ok(timed)
            }
            other => Err(unexpected("primitive", &other)),
        }
    }

    /// Another form of a model file.
    pub(super) fn requantise(
        &mut self,
        requantise: RequantiseRequest,
        call: Call<'_>,
    ) -> Result<Requantised, WorkerError> {
        match self.ask(Command::Requantise(requantise), call)? {
            Reply::Requantised(made) => Ok(made),
            other => Err(unexpected("requantise", &other)),
        }
    }

    /// Ends it in good order, or by force when it does not end.
    pub(super) fn shut_down(mut self) {
        let interrupt = Interrupt::never();
        let limits = RequestLimits { base: END_WAIT, ..RequestLimits::default() };
        let call = Call { limits: &limits, interrupt: &interrupt };
        // Whatever it answers, it is ended.
        let _ = self.ask(Command::Shutdown, call);
        self.process.finish(END_WAIT);
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, command: Command, call: Call<'_>) -> Result<Reply, WorkerError> {
        let name = command_name(&command);
        let computes = matches!(
            command,
            Command::Begin(_) | Command::Decode(_) | Command::Prefill(_) | Command::Primitive(_)
        );
        // each token is one of every slot
        let slots = if computes { self.slots } else { 1 };
        let limit = call.limits.of(&command).saturating_mul(slots);
        let id = self.next_id;
        self.next_id += 1;
        let mut line = serde_json::to_vec(&Request { id, command })
            .map_err(|error| WorkerError::broken(format!("`{name}` cannot be written: {error}")))?;
        line.push(b'\n');
        let sent = Instant::now();
        self.process.send(line);
        let outcome = self.wait(name, id, (sent, limit), call.interrupt);
        if computes {
            let took = nanoseconds(sent.elapsed());
            self.busy_nanoseconds = self.busy_nanoseconds.saturating_add(took);
        }
        match outcome? {
            Reply::Problem(problem) => Err(problem.into()),
            reply => Ok(reply),
        }
    }

    fn wait(
        &mut self,
        name: &str,
        id: u64,
        (sent, limit): (Instant, Duration),
        interrupt: &Interrupt,
    ) -> Result<Reply, WorkerError> {
        let line = loop {
            let left = limit.saturating_sub(sent.elapsed());
            match self.process.receive(left.min(LOOK_FOR_INTERRUPT)) {
                Some(Output::Line(line)) => break line,
                Some(Output::TooLong) => {
                    self.process.kill();
                    return Err(self.ended_because(
                        ArmFaultKind::BrokenProtocol,
                        &format!("a line of 64 MiB or more came instead of the answer to `{name}`"),
                    ));
                }
                Some(Output::Closed) => return Err(self.gone(name, interrupt)),
                None if interrupt.raised().is_some() => return Err(WorkerError::Interrupted),
                None if left.is_zero() => {
                    self.process.kill();
                    return Err(self.ended_because(
                        ArmFaultKind::Hung,
                        &format!(
                            "no answer to `{name}` within {:.0} s; it was ended",
                            limit.as_secs_f64()
                        ),
                    ));
                }
                None => {}
            }
        };
        let broken = |worker: &mut Worker, why: String| {
            worker.process.kill();
            worker.ended_because(ArmFaultKind::BrokenProtocol, &why)
        };
        match serde_json::from_slice::<Response>(&line) {
            Ok(response) if response.id == id => Ok(response.reply),
            // a worker that was made before this message was
            Ok(Response { id: 0, reply: Reply::Problem(problem) }) if name == PRIMITIVE => {
                Ok(Reply::Problem(Problem {
                    kind: ProblemKind::Unsupported,
                    message: format!(
                        "the worker does not know the message `{name}`: {}",
                        problem.message
                    ),
                }))
            }
            Ok(response) => Err(broken(
                self,
                format!("the answer to `{name}` has number {} instead of {id}", response.id),
            )),
            Err(error) => Err(broken(
                self,
                format!(
                    "the answer to `{name}` is not of the protocol ({error}): {}",
                    excerpt(&line)
                ),
            )),
        }
    }

    /// The process closed its output: find out how it ended.
    fn gone(&mut self, name: &str, interrupt: &Interrupt) -> WorkerError {
        let status = self.process.finish(END_WAIT);
        let short_of_memory = match (self.kills_before, memory_kills::count()) {
            (Some(before), Some(now)) => now > before,
            _ => false,
        };
        let Some(status) = status else {
            return self.ended_because(
                ArmFaultKind::BrokenProtocol,
                &format!("it closed its output instead of answering `{name}`"),
            );
        };
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        if matches!(signal, Some(2 | 15)) && told_together(interrupt) {
            return WorkerError::Interrupted;
        }
        let killed = signal == Some(9);
        let kind = if killed && short_of_memory {
            ArmFaultKind::OutOfMemory
        } else {
            ArmFaultKind::Crashed
        };
        self.ended_because(
            kind,
            &format!("it ended with {} instead of answering `{name}`", describe_status(status)),
        )
    }

    fn ended_because(&self, kind: ArmFaultKind, why: &str) -> WorkerError {
        // Its last words may still be on the way through the draining thread.
        std::thread::sleep(Duration::from_millis(20));
        let last = self.process.with_stderr(|tail| tail.last_lines(4, 600));
        let detail =
            if last.is_empty() { why.to_owned() } else { format!("{why}; its last words: {last}") };
        WorkerError::Ended { kind, detail }
    }
}

/// How much later this process may learn of a signal than a worker that was sent the same one.
const TOLD_TOGETHER: Duration = Duration::from_secs(1);

/// A scheduler that ends a job sends its signal to every process of it, and a worker may be the first to
/// end: that is an interruption of the run, and no fault of the arm.
fn told_together(interrupt: &Interrupt) -> bool {
    let begun = Instant::now();
    while interrupt.raised().is_none() && begun.elapsed() < TOLD_TOGETHER {
        std::thread::sleep(LOOK_FOR_INTERRUPT.min(TOLD_TOGETHER));
    }
    interrupt.raised().is_some()
}

/// What bounds one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'run> {
    /// The worker is ended when no answer came within its limit.
    pub(super) limits: &'run RequestLimits,
    /// Looked at while waiting.
    pub(super) interrupt: &'run Interrupt,
}
