//! A conversation with one process, in which everything that comes is looked at.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use engine_protocol::{Command, Problem, ProblemKind, Reply, Request, Response};

use super::seen::Seen;
use crate::exec::process::{Output, Process, describe_status};

/// How long a process may take to end once it should.
pub(super) const END_WAIT: Duration = Duration::from_secs(5);

/// How long a line is waited for that should not come.
const UNASKED_WAIT: Duration = Duration::from_millis(20);

/// A process and what it says.
#[derive(Debug)]
pub(super) struct Talk<'bench> {
    process: Process,
    next_id: u64,
    limit: Duration,
    seen: &'bench mut Seen,
    gone: bool,
}

impl Talk<'_> {
    pub(super) fn with(process: Process, limit: Duration, seen: &mut Seen) -> Talk<'_> {
        Talk { process, next_id: 1, limit, seen, gone: false }
    }

    /// Whether the process has ended, or was ended.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Sends a command; the answer, with this request's number, or what came instead.
    pub(super) fn ask(&mut self, command: Command) -> Result<Reply, String> {
        let id = self.next_id;
        self.next_id += 1;
        self.ask_as(id, command)
    }

    /// The same of a message that is newer than some workers: they answer it as no request, with
    /// number 0.
    pub(super) fn ask_newer(&mut self, command: Command) -> Result<Reply, String> {
        let id = self.next_id;
        self.next_id += 1;
        let response = self.say(request_line(id, command)?)?;
        match response.reply {
            Reply::Problem(Problem { kind: ProblemKind::Protocol, message })
                if response.id == 0 =>
            {
                Ok(Reply::Problem(Problem { kind: ProblemKind::Unsupported, message }))
            }
            reply if response.id == id => Ok(reply),
            _ => Err(format!("the answer has number {}, the request had {id}", response.id)),
        }
    }

    /// The same under a number of the caller's choice.
    pub(super) fn ask_as(&mut self, id: u64, command: Command) -> Result<Reply, String> {
        let line = request_line(id, command)?;
        let response = self.say(line)?;
        if response.id == id {
            return Ok(response.reply);
        }
        let got = response.id;
        Err(format!("the answer has number {got}, the request had {id}"))
    }

    /// Sends a line as it is; the next answer, whatever its number.
    pub(super) fn say(&mut self, mut line: Vec<u8>) -> Result<Response, String> {
        if self.gone {
            return Err("its process had ended before".to_owned());
        }
        line.push(b'\n');
        let sent = Instant::now();
        self.process.send(line);
        loop {
            let left = self.limit.saturating_sub(sent.elapsed());
            match self.process.receive(left) {
                Some(Output::Line(line)) => match serde_json::from_slice::<Response>(&line) {
                    Ok(response) => {
                        self.seen.answer(&response, sent.elapsed());
                        return Ok(response);
                    }
                    Err(error) if is_like_an_answer(&line) => {
                        return Err(format!(
                            "the answer is not of the protocol ({error}): {}",
                            excerpt(&line)
                        ));
                    }
                    Err(_) => self.seen.stray(excerpt(&line)),
                },
                Some(Output::TooLong) => {
                    self.kill();
                    return Err("a line of 64 MiB or more came; the process was ended".to_owned());
                }
                Some(Output::Closed) => return Err(self.ended()),
                None => {
                    self.kill();
                    return Err(self.silent());
                }
            }
        }
    }

    /// Sends a command and does not wait; whether an answer came within `wait` all the same.
    pub(super) fn send(&mut self, command: Command, wait: Duration) -> Result<bool, String> {
        let id = self.next_id;
        self.next_id += 1;
        let mut line = request_line(id, command)?;
        line.push(b'\n');
        self.process.send(line);
        match self.process.receive(wait) {
            None => Ok(false),
            Some(Output::Closed) => Err(self.ended()),
            Some(_) => Ok(true),
        }
    }

    /// Waits for its end, standard input left open.
    pub(super) fn ends_by_itself(&mut self) -> Option<ExitStatus> {
        self.process.ended_within(END_WAIT)
    }

    /// Closes its standard input and waits for the end; `None` when it had to be killed. With it,
    /// whether it still answered something.
    pub(super) fn close(&mut self) -> (Option<ExitStatus>, bool) {
        let status = self.process.finish(END_WAIT);
        let mut answered = false;
        while let Some(Output::Line(_)) = self.process.receive(Duration::from_millis(200)) {
            answered = true;
        }
        (status, answered)
    }

    /// Ends the process, and notes what was said without being asked.
    pub(super) fn over(mut self) {
        let unasked = self.process.receive(UNASKED_WAIT);
        self.process.kill();
        if let Some(Output::Line(line)) = unasked {
            self.seen.stray(format!("{} (nothing was asked)", excerpt(&line)));
        }
        let bytes = self.process.with_stderr(crate::exec::tail::Tail::total);
        self.seen.error_bytes = self.seen.error_bytes.saturating_add(bytes);
    }

    fn kill(&mut self) {
        self.gone = true;
        self.process.kill();
    }

    fn silent(&self) -> String {
        let seconds = self.limit.as_secs();
        match self.seen.last_stray() {
            Some(stray) => format!(
                "no answer within {seconds} s; it was ended; the last line that is no answer: {stray}"
            ),
            None => format!("no answer within {seconds} s; it was ended"),
        }
    }

    fn ended(&mut self) -> String {
        self.gone = true;
        let how = match self.process.finish(END_WAIT) {
            Some(status) => {
                format!("it ended with {} instead of answering", describe_status(status))
            }
            None => "it closed its standard output instead of answering".to_owned(),
        };
        let last = self.process.with_stderr(|tail| tail.last_lines(2, 300));
        if last.is_empty() { how } else { format!("{how}; its last words: {last}") }
    }
}

fn request_line(id: u64, command: Command) -> Result<Vec<u8>, String> {
    serde_json::to_vec(&Request { id, command })
        .map_err(|error| format!("the request cannot be written: {error}"))
}

/// Whether a line means to be an answer.
fn is_like_an_answer(line: &[u8]) -> bool {
    let value = serde_json::from_slice::<serde_json::Value>(line);
    value.is_ok_and(|value| value.get("reply").is_some())
}

/// The start of a line, printable.
pub(super) fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut start: String =
        text.chars().take(100).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(100).is_some() {
        start.push('…');
    }
    start
}
