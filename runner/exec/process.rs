//! A child process with its three streams served by threads, so that nothing it does (silence,
//! floods, closed pipes) can block the run.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::environment;
use super::identity::ProcessIdentity;
use super::process_group;
use super::tail::{Tail, drain};
use crate::manifest::Environment;

/// Longest line accepted of a worker. A reply of a million tokens has about 12 MB.
const MOST_LINE_BYTES: u64 = 64 << 20;

/// What is kept of standard error.
const STDERR_BYTES: usize = 256 << 10;

/// How long starting is tried again while the new copy of the executable still counts as open
/// for writing (another thread of this process forked in between).
const BUSY_FILE_WAIT: Duration = Duration::from_secs(2);

/// What the reading thread saw on standard output.
#[derive(Debug)]
pub(super) enum Output {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line over the limit.
    TooLong,
    /// The stream ended or could not be read.
    Closed,
}

/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    identity: ProcessIdentity,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    stderr: Arc<Mutex<Tail>>,
}

impl Process {
    /// Starts `program` in a process group of its own, with the allowed environment and the
    /// registered variables over it.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        registered: &Environment,
    ) -> std::io::Result<Process> {
        let begun = Instant::now();
        let mut child = loop {
            let started = Command::new(program)
                .args(arguments)
                .env_clear()
                .envs(environment::allowed(std::env::vars_os()))
                .envs(registered.iter())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .process_group(0)
                .spawn();
            match started {
                Err(error)
                    if error.kind() == std::io::ErrorKind::ExecutableFileBusy
                        && begun.elapsed() < BUSY_FILE_WAIT =>
                {
                    std::thread::sleep(Duration::from_millis(5));
                }
                other => break other?,
            }
        };
        let identity = ProcessIdentity::of(child.id());
        let (input, lines_in) = channel();
        // One line at a time is expected; a flood waits in the pipe, not in our memory.
        let (lines_out, output) = sync_channel(4);
        let stderr = Arc::new(Mutex::new(Tail::new(STDERR_BYTES)));
        if let Some(stdin) = child.stdin.take() {
            std::thread::spawn(move || write_lines(stdin, &lines_in));
        }
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || read_lines(BufReader::new(stdout), &lines_out));
        }
        if let Some(stream) = child.stderr.take() {
            let tail = Arc::clone(&stderr);
            std::thread::spawn(move || drain(stream, &tail));
        }
        Ok(Process { child, identity, input: Some(input), output, stderr })
    }

    /// Pid and start time.
    pub(super) fn identity(&self) -> ProcessIdentity {
        self.identity
    }

    /// Queues a line for standard input. Whether it arrives shows in the answer.
    pub(super) fn send(&self, line: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// What comes next on standard output; `None` when nothing came in time.
    pub(super) fn receive(&self, wait: Duration) -> Option<Output> {
        match self.output.recv_timeout(wait) {
            Ok(output) => Some(output),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Some(Output::Closed),
        }
    }

    /// The kept end of standard error.
    pub(super) fn with_stderr<T>(&self, read: impl FnOnce(&Tail) -> T) -> T {
        read(&self.stderr.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Closes standard input and waits for the end; kills after `wait`. The status is `None`
    /// when it had to be killed.
    pub(super) fn finish(&mut self, wait: Duration) -> Option<ExitStatus> {
        self.input = None;
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    process_group::kill_left(self.child.id());
                    return Some(status);
                }
                Ok(None) if begun.elapsed() < wait => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => {
                    self.kill();
                    return None;
                }
            }
        }
    }

    /// Waits for its end and leaves standard input open; `None` when it still runs after `wait`.
    pub(super) fn ended_within(&mut self, wait: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if begun.elapsed() < wait => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// Kills it and collects it.
    pub(super) fn kill(&mut self) {
        // what it started goes with it
        process_group::kill_left(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// In words: `exit status 3`, `signal 11 (segmentation fault)`.
pub(super) fn describe_status(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return match status.code() {
            Some(code) => format!("exit status {code}"),
            None => status.to_string(),
        };
    };
    let name = match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 | 10 => " (bus error)",
        8 => " (arithmetic fault)",
        9 => " (killed; perhaps by the system for want of memory)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        _ => "",
    };
    format!("signal {signal}{name}")
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return; // the reader of standard output reports the end
        }
    }
}

fn read_lines(mut stdout: impl BufRead, lines: &SyncSender<Output>) {
    loop {
        let mut line = Vec::new();
        let event = match (&mut stdout).take(MOST_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Output::Closed,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Output::Line(line)
            }
            Ok(read) if read as u64 >= MOST_LINE_BYTES => Output::TooLong,
            Ok(_) => Output::Closed, // ended in the middle of a line
        };
        let last = !matches!(event, Output::Line(_));
        if lines.send(event).is_err() || last {
            return;
        }
    }
}
