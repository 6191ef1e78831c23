//! What is seen across all processes: lines that are no answers, times that are reported.

use std::time::Duration;

use engine_protocol::{Problem, Reply, Response};

use super::check::{Check, Rule};
use crate::exec::clock::nanoseconds;

const ONLY_ANSWERS: Rule = Rule {
    name: "only_answers",
    asked: "standard output carries answers and nothing else",
    hint: "keep a private copy of standard output for answers, and point the public one at standard \
           error before anything else runs: libraries print",
};

const TIMES: Rule = Rule {
    name: "nanoseconds",
    asked: "times are over zero, and not over the time from request to answer as seen from here",
    hint: "take the difference of a monotonic clock around the computation alone, in nanoseconds; \
           read it after the device has been synchronised",
};

/// Seen so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    answers: usize,
    strays: Vec<String>,
    times: usize,
    wrong_times: Vec<String>,
    /// Bytes of standard error, of all processes that were looked at.
    pub(super) error_bytes: u64,
}

impl Seen {
    /// A line that is no answer.
    pub(super) fn stray(&mut self, excerpt: String) {
        self.strays.push(excerpt);
    }

    /// The last line that was no answer.
    pub(super) fn last_stray(&self) -> Option<&str> {
        self.strays.last().map(String::as_str)
    }

    /// An answer, and how long it took from here.
    pub(super) fn answer(&mut self, response: &Response, wall: Duration) {
        self.answers += 1;
        match &response.reply {
            Reply::Begun(begun) => self.time("begun", begun.nanoseconds, wall),
            Reply::Decoded(decoded) => self.time("decoded", decoded.nanoseconds, wall),
            Reply::Prefilled(prefilled) => self.time("prefilled", prefilled.nanoseconds, wall),
            Reply::Primitive(timed) => {
                let sum = timed.nanoseconds.iter().fold(0_u64, |sum, one| sum.saturating_add(*one));
                self.time("primitive", sum, wall);
            }
            _ => {}
        }
    }

    fn time(&mut self, what: &str, reported: u64, wall: Duration) {
        self.times += 1;
        let wall = nanoseconds(wall);
        if reported == 0 {
            self.wrong_times.push(format!("`{what}` reports 0 ns"));
        } else if reported > wall {
            self.wrong_times.push(format!(
                "`{what}` reports {reported} ns, and the answer was here {wall} ns after the request"
            ));
        }
    }

    /// The checks that all processes together answer.
    pub(super) fn checks(&self) -> Vec<Check> {
        let only_answers = match self.strays.as_slice() {
            [] if self.answers == 0 => ONLY_ANSWERS.not_made("there was no answer"),
            [] => ONLY_ANSWERS.pass(format!("{} answers", self.answers)),
            [first, ..] => ONLY_ANSWERS
                .fail(format!("{} lines are no answers; the first: {first}", self.strays.len())),
        };
        let times = match self.wrong_times.as_slice() {
            [] if self.times == 0 => TIMES.not_made("nothing was timed"),
            [] => TIMES.pass(format!("{} times", self.times)),
            [first, ..] => {
                TIMES.fail(format!("{} of {}: {first}", self.wrong_times.len(), self.times))
            }
        };
        vec![only_answers, times]
    }
}

/// A reply in a few words.
pub(super) fn in_words(reply: &Reply) -> String {
    match reply {
        Reply::Problem(Problem { kind, message }) => {
            let kind = serde_json::to_value(kind).unwrap_or_default();
            format!("problem `{}`: {message}", kind.as_str().unwrap_or_default())
        }
        other => {
            let text = serde_json::to_vec(other).unwrap_or_default();
            super::talk::excerpt(&text)
        }
    }
}
