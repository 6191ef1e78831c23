//! A streamed completion as events, each with the time at which it was there. The format is that of
//! server-sent events (WHATWG HTML, section 9.2), one JSON object a `data:` line.

use std::io::{BufRead, Read};
use std::time::Instant;

use serde::Deserialize;

use engine_protocol::ServerFigures;

/// Longest line that is read: a piece holds a few tokens.
const MOST_LINE_BYTES: u64 = 1 << 20;

/// A piece of the answer, or its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Event {
    /// When it had been read.
    pub(super) at: Instant,
    /// Whether it holds text.
    pub(super) has_text: bool,
    /// Tokens of the answer so far, where the server counts them with each piece.
    pub(super) tokens_so_far: Option<u64>,
    /// Tokens of the prompt and of the answer, where the server sums up.
    pub(super) usage: Option<Usage>,
    /// Its own figures.
    pub(super) server: Option<ServerFigures>,
}

/// How many tokens a server counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
    pub(super) cached_tokens: Option<u64>,
}

/// The next event; `None` at the end of the answer.
///
/// # Errors
/// The stream broke off, or holds something else, in words.
pub(super) fn next(lines: &mut impl BufRead) -> Result<Option<Event>, String> {
    loop {
        let mut line = Vec::new();
        let read = lines
            .by_ref()
            .take(MOST_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| format!("the server's answer broke off: {error}"))?;
        let at = Instant::now();
        if read == 0 {
            return Err("the server's answer broke off before its end".to_owned());
        }
        if read as u64 >= MOST_LINE_BYTES {
            return Err("a line of the server's answer has 1 MiB or more".to_owned());
        }
        let text = String::from_utf8_lossy(&line);
        // comments, names of events, and the empty lines between them
        let Some(data) = text.trim_end().strip_prefix("data:") else { continue };
        let data = data.trim();
        if data == "[DONE]" {
            return Ok(None);
        }
        return event(data, at).map(Some);
    }
}

#[derive(Debug, Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<ChunkUsage>,
    #[serde(default)]
    timings: Option<Timings>,
    #[serde(default)]
    error: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default)]
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ChunkUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    #[serde(default)]
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Debug, Deserialize)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

/// llama-server's own figures.
#[derive(Debug, Deserialize)]
struct Timings {
    #[serde(default)]
    cache_n: u64,
    prompt_n: u64,
    prompt_ms: f64,
    predicted_n: u64,
    predicted_ms: f64,
    #[serde(default)]
    predicted_per_second: Option<f64>,
}

fn event(data: &str, at: Instant) -> Result<Event, String> {
    let chunk: Chunk = serde_json::from_str(data).map_err(|error| {
        let start: String =
            data.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("a piece of the server's answer is not of the interface ({error}): {start}")
    })?;
    if let Some(error) = chunk.error {
        let words: String = error.to_string().chars().take(200).collect();
        return Err(format!("the server ended its answer with an error: {words}"));
    }
    let usage = chunk.usage.map(|usage| Usage {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        cached_tokens: usage.prompt_tokens_details.and_then(|details| details.cached_tokens),
    });
    let counted = chunk.timings.as_ref().map(|timings| timings.predicted_n);
    Ok(Event {
        at,
        has_text: chunk
            .choices
            .iter()
            .any(|choice| choice.text.as_ref().is_some_and(|text| !text.is_empty())),
        tokens_so_far: counted.or(usage.map(|usage| usage.completion_tokens)),
        usage,
        server: chunk.timings.map(figures),
    })
}

/// Milliseconds of a server as nanoseconds; what is no time is none.
fn nanoseconds(milliseconds: f64) -> u64 {
    if milliseconds.is_finite() && milliseconds > 0.0 {
        (milliseconds * 1e6).round() as u64
    } else {
        0
    }
}

fn figures(timings: Timings) -> ServerFigures {
    // llama-server leaves the first token out of its speed: the tokens are those of its own figure
    let decoded = match timings.predicted_per_second {
        Some(speed) if speed.is_finite() && speed >= 0.0 && timings.predicted_ms.is_finite() => {
            speed * timings.predicted_ms / 1e3
        }
        _ => timings.predicted_n as f64,
    };
    ServerFigures {
        requests: 1,
        prompt_tokens: timings.prompt_n,
        cached_tokens: timings.cache_n,
        prompt_nanoseconds: nanoseconds(timings.prompt_ms),
        decoded_tokens: decoded,
        decode_nanoseconds: nanoseconds(timings.predicted_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_and_comments_are_not() {
        let text = b": ping\n\nevent: x\ndata: {\"choices\":[{\"text\":\"a\"}],\"timings\":{\"prompt_n\":8,\"prompt_ms\":33.0,\"predicted_n\":1,\"predicted_ms\":0.001}}\n\ndata:{\"choices\":[],\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":7}}}\n\ndata: [DONE]\n";
        let mut lines = text.as_slice();
        let first = next(&mut lines).unwrap().unwrap();
        assert!(first.has_text);
        assert_eq!(first.tokens_so_far, Some(1));
        assert_eq!(first.server.unwrap().prompt_nanoseconds, 33_000_000);
        let second = next(&mut lines).unwrap().unwrap();
        let usage = Usage { prompt_tokens: 8, completion_tokens: 5, cached_tokens: Some(7) };
        assert_eq!(second.usage, Some(usage));
        assert_eq!(next(&mut lines), Ok(None));
        assert!(next(&mut lines).unwrap_err().contains("broke off"));
    }

    #[test]
    fn what_is_no_answer_is_said() {
        for (text, word) in [
            ("data: {\"error\":{\"message\":\"no slot\"}}\n", "no slot"),
            ("data: {\"choices\": 3}\n", "not of the interface"),
            ("data: \n", "not of the interface"),
        ] {
            let why = next(&mut text.as_bytes()).unwrap_err();
            assert!(why.contains(word), "{why}");
        }
    }
}
