//! What is said of a worker's answers: names of commands, counts that differ, the start of a line.

use engine_protocol::{Command, Reply};

use super::fault::WorkerError;

/// The message that workers of the first days do not know.
pub(super) const PRIMITIVE: &str = "primitive";

pub(super) fn counted(what: &str, got: usize, asked: usize) -> Result<(), WorkerError> {
    if got == asked {
        return Ok(());
    }
    Err(WorkerError::broken(format!("{what}: it reports {got}, {asked} were asked for")))
}

pub(super) fn unexpected(command: &str, reply: &Reply) -> WorkerError {
    let answer = serde_json::to_vec(reply).unwrap_or_default();
    WorkerError::broken(format!(
        "`{command}` was answered with something else: {}",
        excerpt(&answer)
    ))
}

/// The start of a line, printable.
pub(super) fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(super) fn command_name(command: &Command) -> &'static str {
    match command {
        Command::Hello { .. } => "hello",
        Command::Load(_) => "load",
        Command::Tokenize { .. } => "tokenize",
        Command::Begin(_) => "begin",
        Command::Decode(_) => "decode",
        Command::Prefill(_) => "prefill",
        Command::Logits(_) => "logits",
        Command::Operations(_) => "operations",
        Command::Observe(_) => "observe",
        Command::Weights(_) => "weights",
        Command::Slots(_) => "slots",
        Command::Requantise(_) => "requantise",
        Command::Primitive(_) => PRIMITIVE,
        Command::Shutdown => "shutdown",
    }
}
