//! Standard input, read by a thread of its own: when it closes, nobody is left to compute for.

use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use engine_protocol::{Command, Request};

use super::exit::WorkerExit;
use crate::native;

/// One line of input.
#[derive(Debug)]
pub(super) enum Line {
    /// A request.
    Request(Box<Request>),
    /// Not a request of this protocol, and why.
    Garbage(String),
}

/// Starts the reading thread. The channel ends after a `shutdown`; at the end of input the process
/// ends at once, with whatever it was computing.
pub(super) fn start() -> io::Result<Receiver<Line>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().name("intake".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) => native::exit_now(WorkerExit::InputClosed.code()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => native::exit_now(WorkerExit::InputClosed.code()),
            }
            let line = parse(&bytes);
            let last =
                matches!(&line, Line::Request(request) if request.command == Command::Shutdown);
            if sender.send(line).is_err() || last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn parse(bytes: &[u8]) -> Line {
    match serde_json::from_slice(bytes) {
        Ok(request) => Line::Request(Box::new(request)),
        Err(error) => Line::Garbage(error.to_string()),
    }
}
