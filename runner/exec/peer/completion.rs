//! One completion, token by token.

use std::time::Instant;

use super::stream::{Event, Usage};
use engine_protocol::{PeerReport, ServerFigures};

/// Tokens as they came.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Completion {
    /// When the request was due.
    due: Instant,
    /// For each piece with a token: when it was there, and how many tokens there were then.
    arrivals: Vec<(Instant, u64)>,
    /// Pieces that hold text.
    pieces: u64,
    usage: Option<Usage>,
    server: Option<ServerFigures>,
    counted_by_piece: Option<bool>,
}

impl Completion {
    /// Nothing has come yet.
    pub(super) fn due_at(due: Instant) -> Completion {
        Completion {
            due,
            arrivals: Vec::new(),
            pieces: 0,
            usage: None,
            server: None,
            counted_by_piece: None,
        }
    }

    /// Adds a piece.
    pub(super) fn add(&mut self, event: &Event) {
        self.pieces += u64::from(event.has_text);
        self.usage = event.usage.or(self.usage);
        self.server = event.server.or(self.server);
        let known = self.arrivals.last().map_or(0, |(_, tokens)| *tokens);
        let now = match event.tokens_so_far {
            Some(tokens) => {
                // a sum at the end alone is no count with each piece
                let with_text = event.has_text && self.counted_by_piece != Some(false);
                if with_text {
                    self.counted_by_piece = Some(true);
                }
                if self.counted_by_piece == Some(true) { tokens } else { known }
            }
            None if event.has_text => {
                self.counted_by_piece = Some(false);
                known + 1
            }
            None => known,
        };
        if now > known {
            self.arrivals.push((event.at, now));
        }
    }

    /// When the first token was there.
    pub(super) fn first(&self) -> Option<Instant> {
        self.arrivals.first().map(|(at, _)| *at)
    }

    /// When the last token was there.
    pub(super) fn last(&self) -> Option<Instant> {
        self.arrivals.last().map(|(at, _)| *at)
    }

    /// When it was due.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Tokens of the answer.
    ///
    /// # Errors
    /// They cannot be counted, or are not those that were asked for, in words.
    pub(super) fn tokens(&self, prompt: usize, asked: u32) -> Result<u64, String> {
        let came = self.arrivals.last().map_or(0, |(_, tokens)| *tokens);
        if let Some(usage) = self.usage {
            if usage.prompt_tokens != prompt as u64 {
                return Err(format!(
                    "the server counts {} tokens in the prompt, {prompt} were sent",
                    usage.prompt_tokens
                ));
            }
            if self.counted_by_piece == Some(true) && usage.completion_tokens != came {
                return Err(format!(
                    "the server counts {came} tokens piece by piece and {} in all",
                    usage.completion_tokens
                ));
            }
            if usage.completion_tokens != came {
                return Err(format!(
                    "the answer came in {came} pieces and has {} tokens, and the server does not say which piece holds how many: the time of a token is not known (llama-server and vLLM say it)",
                    usage.completion_tokens
                ));
            }
        } else if self.counted_by_piece != Some(true) {
            return Err("the server does not count the tokens of its answer: neither with each piece nor in `usage`".to_owned());
        }
        if let (None, Some(server)) = (self.usage, self.server) {
            let counted = server.prompt_tokens.saturating_add(server.cached_tokens);
            if counted != prompt as u64 {
                return Err(format!(
                    "the server counts {counted} tokens in the prompt, {prompt} were sent"
                ));
            }
        }
        if came == 0 {
            return Err("the server's answer holds no token".to_owned());
        }
        if came != u64::from(asked) {
            return Err(format!(
                "the answer has {came} tokens, {asked} were asked for: the server must go on past the end of text (`ignore_eos`), within its context"
            ));
        }
        Ok(came)
    }

    /// Time in which the tokens behind the first `before` came, and how many those are. A piece with
    /// several tokens counts with its end.
    pub(super) fn after(&self, before: u64) -> Option<(u64, u64)> {
        let (from, had) = self.arrivals.iter().find(|(_, tokens)| *tokens >= before)?;
        let (until, all) = self.arrivals.last()?;
        let nanoseconds = u64::try_from(until.duration_since(*from).as_nanos()).ok()?;
        (all > had && nanoseconds > 0).then_some((nanoseconds, all - had))
    }

    /// A server cannot have worked longer than the client waited, give or take what clocks differ by.
    fn is_possible(&self, server: ServerFigures) -> bool {
        let waited = self.last().map_or(0.0, |last| last.duration_since(self.due).as_secs_f64());
        let worked = server.prompt_nanoseconds.saturating_add(server.decode_nanoseconds);
        worked as f64 / 1e9 <= waited * 1.001 + 0.001
    }

    /// What is told beside the time.
    pub(super) fn report(&self) -> PeerReport {
        let since = |later: Instant, earlier: Instant| {
            u64::try_from(later.saturating_duration_since(earlier).as_nanos()).unwrap_or(u64::MAX)
        };
        let mut between = Vec::new();
        for pair in self.arrivals.windows(2) {
            let [(before, had), (now, has)] = pair else { continue };
            between.push(since(*now, *before));
            between.extend(std::iter::repeat_n(0, (has - had).saturating_sub(1) as usize));
        }
        PeerReport {
            requests: 1,
            tokens: self.arrivals.last().map_or(0, |(_, tokens)| *tokens),
            pieces: self.pieces,
            first_token_nanoseconds: self
                .first()
                .map(|at| since(at, self.due))
                .into_iter()
                .collect(),
            between_tokens_nanoseconds: between,
            request_nanoseconds: self.last().map(|at| since(at, self.due)).into_iter().collect(),
            server: self.server.filter(|server| self.is_possible(*server)),
            cached_tokens: self
                .server
                .map_or(0, |server| server.cached_tokens)
                .max(self.usage.and_then(|usage| usage.cached_tokens).unwrap_or(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn event(at: Instant, text: bool, tokens: Option<u64>, usage: Option<u64>) -> Event {
        let usage = usage.map(|completion_tokens| Usage {
            prompt_tokens: 4,
            completion_tokens,
            cached_tokens: None,
        });
        let tokens_so_far = tokens.or(usage.map(|usage| usage.completion_tokens));
        Event { at, has_text: text, tokens_so_far, usage, server: None }
    }

    /// Pieces at 10, 20, … ms: text or not, tokens so far.
    fn came(pieces: &[(bool, Option<u64>)], usage: Option<u64>) -> Completion {
        let due = Instant::now();
        let mut completion = Completion::due_at(due);
        let mut at = due;
        for (text, tokens) in pieces {
            at += Duration::from_millis(10);
            completion.add(&event(at, *text, *tokens, None));
        }
        completion.add(&event(at, false, None, usage));
        completion
    }

    #[test]
    fn a_piece_with_two_tokens_counts_as_two_where_the_server_says_so() {
        let told =
            came(&[(true, Some(1)), (true, Some(3)), (false, Some(4)), (true, Some(5))], Some(5));
        assert_eq!(told.tokens(4, 5), Ok(5));
        // the second token came with the third: two are left behind it
        assert_eq!(told.after(2), Some((20_000_000, 2)));
        assert_eq!(
            told.report().between_tokens_nanoseconds,
            [10_000_000, 0, 10_000_000, 10_000_000]
        );
        assert_eq!((told.report().pieces, told.report().tokens), (3, 5));
    }

    #[test]
    fn pieces_are_not_taken_for_tokens() {
        let alike = came(&[(true, None), (true, None)], Some(2));
        assert_eq!(alike.tokens(4, 2), Ok(2));
        let other = came(&[(true, None), (true, None)], Some(3));
        assert!(other.tokens(4, 3).unwrap_err().contains("2 pieces and has 3 tokens"));
        let silent = came(&[(true, None)], None);
        assert!(silent.tokens(4, 1).unwrap_err().contains("does not count"));
        let none = came(&[(false, None)], Some(0));
        assert!(none.tokens(4, 3).unwrap_err().contains("no token"));
        let short = came(&[(true, Some(1)), (true, Some(2))], Some(2));
        assert!(short.tokens(4, 3).unwrap_err().contains("2 tokens, 3 were asked for"));
        assert!(short.tokens(5, 2).unwrap_err().contains("4 tokens in the prompt, 5 were sent"));
    }
}
