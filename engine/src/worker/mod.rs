//! The worker: protocol version 1 on standard input and output.
//!
//! Exit codes: 0 after `shutdown` was answered; 10 when standard input closed without one (the
//! caller is gone, and the process ends at once, even in mid-computation); 11 when standard output
//! cannot be written; 12 when the streams could not be set up.

mod answers;
mod exit;
mod intake;
mod logits_file;
mod observed_file;
mod streams;
mod values_file;
mod weights_file;

use std::process::ExitCode;

use answers::{Answers, Next};
use exit::WorkerExit;
use intake::Line;
use streams::PrivateOutput;

/// Serves until `shutdown`, or until the caller is gone. Standard output is taken away from the
/// rest of the process first: native code prints, and whatever it prints belongs on standard error.
#[must_use]
pub fn serve() -> ExitCode {
    let end = match PrivateOutput::take() {
        Ok(output) => converse(output),
        Err(_) => WorkerExit::NoStreams,
    };
    end.into()
}

fn converse(mut output: PrivateOutput) -> WorkerExit {
    let Ok(lines) = intake::start() else { return WorkerExit::NoStreams };
    let mut answers = Answers::new();
    for line in lines {
        let (response, next) = match line {
            Line::Request(request) => answers.answer(*request),
            Line::Garbage(why) => (answers::garbage(why), Next::GoOn),
        };
        if output.send(&response).is_err() {
            return WorkerExit::OutputClosed;
        }
        if next == Next::End {
            return WorkerExit::Finished;
        }
    }
    WorkerExit::InputClosed
}
