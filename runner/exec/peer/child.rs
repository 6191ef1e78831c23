//! A program of the other engine while it runs. It stays in the adapter's process group, so that
//! whoever ends the adapter by force ends it too.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::exec::process::describe_status;
use crate::exec::tail::{Tail, drain};

/// What is kept of standard output: more than any table of figures has.
const OUTPUT_BYTES: usize = 4 << 20;
/// What is kept of standard error.
const STDERR_BYTES: usize = 256 << 10;
/// How long a server may take to end by itself.
const END_WAIT: Duration = Duration::from_secs(10);

/// A running program.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    output: Stream,
    stderr: Stream,
}

#[derive(Debug)]
struct Stream {
    kept: Arc<Mutex<Tail>>,
    reader: Option<JoinHandle<()>>,
}

/// A program that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    /// The end of standard output.
    pub(super) output: String,
    /// The end of standard error.
    pub(super) stderr: String,
    /// From before its start until it had ended.
    pub(super) took: Duration,
}

impl Running {
    /// Starts it without a shell, with nothing on standard input.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        folder: &Path,
    ) -> Result<Running, String> {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("it cannot be started: {error}"))?;
        let output = Stream::of(child.stdout.take(), OUTPUT_BYTES);
        let stderr = Stream::of(child.stderr.take(), STDERR_BYTES);
        Ok(Running { child, output, stderr })
    }

    /// Waits until it ends.
    pub(super) fn finish(mut self, begun: Instant) -> Result<Ended, String> {
        let status =
            self.child.wait().map_err(|error| format!("it cannot be waited for: {error}"))?;
        let took = begun.elapsed();
        Ok(Ended { status, output: self.output.all(), stderr: self.stderr.all(), took })
    }

    /// How it ended, with its last words, where it has.
    pub(super) fn has_ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        self.stderr.settle();
        self.output.settle();
        Some(with_last_words(status, &self.last_words()))
    }

    /// The end of what it said.
    pub(super) fn last_words(&self) -> String {
        let stderr = self.stderr.last_lines();
        if stderr.is_empty() { self.output.last_lines() } else { stderr }
    }

    /// Asks it to end, and ends it by force when it does not.
    pub(super) fn stop(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let begun = Instant::now();
        while begun.elapsed() < END_WAIT {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Stream {
    fn of(stream: Option<impl Read + Send + 'static>, most: usize) -> Stream {
        let kept = Arc::new(Mutex::new(Tail::new(most)));
        let sink = Arc::clone(&kept);
        let reader = stream.map(|stream| std::thread::spawn(move || drain(stream, &sink)));
        Stream { kept, reader }
    }

    /// All that is kept once the stream has ended. A grandchild may hold it open: then what came is
    /// what counts.
    fn all(&mut self) -> String {
        self.settle();
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).text()
    }

    /// Waits until the stream of a process that has ended is read.
    fn settle(&self) {
        let begun = Instant::now();
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished())
            && begun.elapsed() < Duration::from_secs(1)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn last_lines(&self) -> String {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).last_lines(4, 600)
    }
}

/// `exit status 1; its last words: …`
pub(super) fn with_last_words(status: ExitStatus, words: &str) -> String {
    let ended = describe_status(status);
    let signal = if status.signal().is_some() { "" } else { "it ended with " };
    match words {
        "" => format!("{signal}{ended}"),
        words => format!("{signal}{ended}; its last words: {words}"),
    }
}
