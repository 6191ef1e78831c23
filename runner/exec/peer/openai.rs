//! One request at a time: what a block asks of every arm. A thread reads the answer, so that the time
//! of each piece is that of its arrival, whatever the adapter does meanwhile.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use engine_protocol::Token;

use super::answer::Timed;
use super::completion::Completion;
use super::requests::Client;
use super::stream::{self, Event};

/// Longest wait for a piece: `exec` has a limit of its own, and ends the adapter by it.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Timed tokens that must come in pieces of their own, percent: scaled figures may be off by so little
/// that other noise covers it.
const LEAST_SHARE_PERCENT: u64 = 90;

/// A request that is under way.
#[derive(Debug)]
pub(super) struct Asked {
    completion: Completion,
    events: Receiver<Result<Option<Event>, String>>,
    prompt: usize,
    tokens: u32,
    ended: bool,
}

impl Asked {
    /// Sends a request now.
    pub(super) fn send(client: &Client, prompt: Vec<Token>, tokens: u32) -> Asked {
        Asked::send_due(client, prompt, tokens, Instant::now())
    }

    /// Sends a request now that was due then.
    pub(super) fn send_due(
        client: &Client,
        prompt: Vec<Token>,
        tokens: u32,
        due: Instant,
    ) -> Asked {
        let (send, events) = channel();
        let length = prompt.len();
        let client = client.clone();
        std::thread::spawn(move || {
            let mut lines = match client.complete(&prompt, tokens) {
                Ok(lines) => lines,
                Err(why) => {
                    let _ = send.send(Err(why));
                    return;
                }
            };
            loop {
                let event = stream::next(&mut lines);
                let last = !matches!(event, Ok(Some(_)));
                // whoever asked may have gone: then the connection is closed, and the server stops
                if send.send(event).is_err() || last {
                    return;
                }
            }
        });
        Asked { completion: Completion::due_at(due), events, prompt: length, tokens, ended: false }
    }

    /// Waits for the first token: nanoseconds since it was due.
    pub(super) fn first(&mut self) -> Result<u64, String> {
        while self.completion.first().is_none() && !self.ended {
            self.one()?;
        }
        match self.completion.first() {
            Some(at) => Ok(nanoseconds(at.duration_since(self.completion.due()))),
            None => Err("the server's answer holds no token".to_owned()),
        }
    }

    /// Waits for the end.
    pub(super) fn end(mut self) -> Result<Completion, String> {
        while !self.ended {
            self.one()?;
        }
        self.completion.tokens(self.prompt, self.tokens)?;
        Ok(self.completion)
    }

    fn one(&mut self) -> Result<(), String> {
        match self.events.recv_timeout(LONGEST) {
            Ok(Ok(Some(event))) => self.completion.add(&event),
            Ok(Ok(None)) => self.ended = true,
            Ok(Err(why)) => return Err(why),
            Err(_) => return Err("the server's answer broke off".to_owned()),
        }
        Ok(())
    }
}

/// The tokens behind the first `before`, timed; scaled to `asked` tokens where a piece with several
/// of them lies across the boundary.
pub(super) fn decoded(completion: &Completion, before: u64, asked: u32) -> Result<Timed, String> {
    let (nanoseconds, tokens) = completion
        .after(before)
        .ok_or("the answer came in one piece: there is no time between tokens")?;
    // a piece or two across the boundary are scaled away; an answer that was gathered first has no speed
    if tokens.saturating_mul(100) < u64::from(asked).saturating_mul(LEAST_SHARE_PERCENT) {
        return Err(format!(
            "the server gathers its answer: {tokens} of {asked} timed tokens came after the first piece, and the others with it"
        ));
    }
    Ok(Timed {
        nanoseconds: scaled(nanoseconds, tokens, u64::from(asked)),
        report: completion.report(),
    })
}

/// Time for `asked` tokens at the speed of `tokens` in `nanoseconds`.
pub(super) fn scaled(nanoseconds: u64, tokens: u64, asked: u64) -> u64 {
    if tokens == asked {
        return nanoseconds;
    }
    let scaled = u128::from(nanoseconds) * u128::from(asked) / u128::from(tokens.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of 10 ms each, with so many tokens when each was there.
    fn came(counts: &[u64]) -> Completion {
        let due = Instant::now();
        let mut completion = Completion::due_at(due);
        let mut at = due;
        for tokens in counts {
            at += Duration::from_millis(10);
            let event = Event {
                at,
                has_text: true,
                tokens_so_far: Some(*tokens),
                usage: None,
                server: None,
            };
            completion.add(&event);
        }
        completion
    }

    #[test]
    fn a_piece_across_the_start_is_scaled_and_a_gathered_answer_has_no_speed() {
        let each: Vec<u64> = (1..=22).collect();
        assert_eq!(decoded(&came(&each), 2, 20).unwrap().nanoseconds, 200_000_000);
        // the second token came with the third: 19 in 190 ms are 20 in 200 ms
        let crossing: Vec<u64> = std::iter::once(1).chain(3..=22).collect();
        assert_eq!(decoded(&came(&crossing), 2, 20).unwrap().nanoseconds, 200_000_000);
        let gathered = decoded(&came(&[1, 21, 22]), 2, 20).unwrap_err();
        assert!(gathered.contains("gathers its answer: 1 of 20"), "{gathered}");
        assert!(decoded(&came(&[22]), 2, 20).unwrap_err().contains("one piece"));
    }
}
