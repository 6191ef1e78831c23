//! What other engines told beside their times. They are described, never judged: they promise nothing
//! of their output.

use engine_protocol::PeerReport;
use serde::{Deserialize, Serialize};

use crate::manifest::{Load, Peer, PromptCache, Reads, StartUp};

/// One other engine at one condition value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerFacts {
    /// The arm.
    pub arm: String,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// How its figures come about: `server, client's clock`.
    pub kind: String,
    /// What its figures do not say, as lower-case fragments.
    pub cannot_promise: Vec<String>,
    /// Requests, or runs of a command.
    pub requests: u64,
    /// Tokens as it counts them; 0 where it does not tell.
    pub tokens: u64,
    /// Pieces in which they came.
    pub pieces: u64,
    /// From when a request was due until its first token, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_milliseconds: Option<Quantiles>,
    /// Between neighbouring tokens of a request, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between_tokens_milliseconds: Option<Quantiles>,
    /// From when a request was due until it was answered whole, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_milliseconds: Option<Quantiles>,
    /// What the server says of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerSide>,
    /// What was seen of kept prompts before timing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_cache: Option<PromptCacheFinding>,
}

/// Quantiles by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quantiles {
    pub n: u64,
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub max: f64,
}

/// A server's own figures, over all of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSide {
    /// Requests of which it told.
    pub requests: u64,
    /// Speed by its own clock and its own count; absent where it decoded nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode_tokens_per_second: Option<f64>,
    /// Mean time that it computed a prompt, milliseconds.
    pub prompt_milliseconds: f64,
    /// Tokens of prompts that it computed.
    pub prompt_tokens: u64,
    /// Tokens of prompts that it had kept.
    pub cached_tokens: u64,
}

/// A prompt once more, against prompts that were not seen before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptCacheFinding {
    /// What the manifest says.
    pub declared: PromptCache,
    /// Pairs of a fresh prompt and the same once more.
    pub pairs: u32,
    /// Of those, pairs whose repeated prompt was quicker.
    pub quicker_pairs: u32,
    /// Median over the pairs of the repeated prompt's time by the fresh one's.
    pub repeated_by_fresh: f64,
}

impl Quantiles {
    /// Of nanoseconds, in milliseconds; `None` of nothing.
    #[must_use]
    pub fn of(nanoseconds: &[u64]) -> Option<Quantiles> {
        let mut sorted = nanoseconds.to_vec();
        sorted.sort_unstable();
        let n = sorted.len();
        let at = |percent: usize| {
            let rank = (n * percent).div_ceil(100).max(1) - 1;
            sorted.get(rank).map(|value| *value as f64 / 1e6)
        };
        Some(Quantiles { n: n as u64, p50: at(50)?, p90: at(90)?, p99: at(99)?, max: at(100)? })
    }
}

impl PeerFacts {
    /// Sums up what a peer told.
    #[must_use]
    pub fn of(
        (arm, condition): (&str, u32),
        peer: &Peer,
        report: &PeerReport,
        prompt_cache: Option<PromptCacheFinding>,
    ) -> PeerFacts {
        let server = report.server.map(|server| ServerSide {
            requests: server.requests,
            decode_tokens_per_second: (server.decode_nanoseconds > 0
                && server.decoded_tokens > 0.0)
                .then(|| server.decoded_tokens * 1e9 / server.decode_nanoseconds as f64),
            prompt_milliseconds: server.prompt_nanoseconds as f64
                / 1e6
                / server.requests.max(1) as f64,
            prompt_tokens: server.prompt_tokens,
            cached_tokens: server.cached_tokens,
        });
        PeerFacts {
            arm: arm.to_owned(),
            condition,
            kind: peer.kind().to_owned(),
            cannot_promise: cannot_promise(peer).into_iter().map(str::to_owned).collect(),
            requests: report.requests,
            tokens: report.tokens,
            pieces: report.pieces,
            first_token_milliseconds: Quantiles::of(&report.first_token_nanoseconds),
            between_tokens_milliseconds: Quantiles::of(&report.between_tokens_nanoseconds),
            request_milliseconds: Quantiles::of(&report.request_nanoseconds),
            server,
            prompt_cache,
        }
    }
}

/// What the figures of another engine leave open.
fn cannot_promise(peer: &Peer) -> Vec<&'static str> {
    let mut open = vec![
        "its output is held against nothing",
        "bytes, memory and operations are not counted",
        match peer.argv() {
            [] => "which model a server that runs already has loaded is not known",
            _ => "that it loads the same file is its arguments' word",
        },
    ];
    match peer {
        Peer::Command(command) => {
            open.push("it is paired whole, and computes another text than the other arms");
            open.push(match &command.reads {
                Reads::WorkerProtocol => return Vec::new(),
                Reads::LlamaBench | Reads::Pattern { start_up: StartUp::OutsideTimer, .. } => {
                    "the clock is its own; loading the model lies outside of it"
                }
                Reads::Pattern { start_up: StartUp::InsideTimer, .. } => {
                    "the clock is its own; loading the model lies inside of it"
                }
            });
        }
        Peer::Openai(server) => {
            open.push("it is paired whole; HTTP, sampling and text lie inside the client's time");
            match server.load {
                Load::One => {}
                Load::Closed { .. } => open.push(
                    "several clients at once, prompts included: another regime than the other arms",
                ),
                Load::Open { .. } => open.push(
                    "requests on schedule, prompts and waiting included: another regime than the other arms",
                ),
            }
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_were_measured() {
        let hundred: Vec<u64> = (1..=100).rev().map(|value| value * 1_000_000).collect();
        let found = Quantiles::of(&hundred).unwrap();
        assert_eq!(
            (found.n, found.p50, found.p90, found.p99, found.max),
            (100, 50.0, 90.0, 99.0, 100.0)
        );
        let one = Quantiles::of(&[2_500_000]).unwrap();
        assert_eq!((one.p50, one.max), (2.5, 2.5));
        assert_eq!(Quantiles::of(&[]), None);
    }
}
