//! A command: run once for each timed piece of work, whole.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use engine_protocol::{PeerReport, Problem, Token};
use tempfile::NamedTempFile;

use super::answer::{Timed, failed};
use super::arguments::{Values, arguments};
use super::child::{Running, with_last_words};
use super::sizes::{Model, Piece};
use super::{llama_bench, printed};
use crate::manifest::{PeerCommand, Reads};

/// How much longer than it ran a program may say that it worked: clocks differ by less than one in
/// a thousand (NTP slews at most 500 parts in a million).
const CLOCKS_DIFFER: f64 = 1.001;

/// Runs it and reads its figure.
pub(super) fn run(
    command: &PeerCommand,
    (program, root): (&Path, &Path),
    model: &Model,
    (piece, tokens): (Piece, &[Token]),
) -> Result<Timed, Problem> {
    let prompt = prompt_file(command, tokens)?;
    let path = prompt.as_ref().map_or(Path::new(""), NamedTempFile::path);
    let values = Values { model, address: None, piece: Some((piece, path)) };
    let arguments = arguments(&command.argv, values).map_err(failed)?;
    let begun = Instant::now();
    let running = Running::start(program, &arguments, root).map_err(failed)?;
    let ended = running.finish(begun).map_err(failed)?;
    if !ended.status.success() {
        let last = last_lines(&ended.stderr, &ended.output);
        return Err(failed(with_last_words(ended.status, &last)));
    }
    let nanoseconds = match &command.reads {
        // a worker is started in the adapter's place
        Reads::WorkerProtocol => {
            return Err(failed("a worker was to be started instead of a command"));
        }
        Reads::LlamaBench => llama_bench::read(&ended.output, piece, &model.settings),
        Reads::Pattern { pattern, unit, .. } => {
            let all = format!("{}\n{}", ended.output, ended.stderr);
            printed::read(&all, pattern, *unit, piece.timed())
        }
    }
    .map_err(failed)?;
    let wall = ended.took.as_nanos() as f64;
    if nanoseconds as f64 > wall * CLOCKS_DIFFER {
        return Err(failed(format!(
            "it says that its work took {:.3} s, and it ran for {:.3} s in all",
            nanoseconds as f64 / 1e9,
            wall / 1e9
        )));
    }
    let report = PeerReport { requests: 1, ..PeerReport::default() };
    Ok(Timed { nanoseconds, report })
}

/// The tokens before and in the prompt, one a line, where an argument asks for them.
fn prompt_file(command: &PeerCommand, tokens: &[Token]) -> Result<Option<NamedTempFile>, Problem> {
    if !command.argv.iter().any(|argument| argument == "{prompt_file}") {
        return Ok(None);
    }
    let text: String = tokens.iter().map(|token| format!("{token}\n")).collect();
    let written = NamedTempFile::new().and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.flush()?;
        Ok(file)
    });
    match written {
        Ok(file) => Ok(Some(file)),
        Err(error) => Err(failed(format!("the file of its prompt cannot be written: {error}"))),
    }
}

fn last_lines(stderr: &str, output: &str) -> String {
    let text = if stderr.trim().is_empty() { output } else { stderr };
    let lines: Vec<&str> = text.lines().rev().filter(|line| !line.is_empty()).take(3).collect();
    let joined = lines.into_iter().rev().collect::<Vec<_>>().join(" | ");
    joined.chars().take(400).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
