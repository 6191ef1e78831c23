//! What another engine tells beside its time.

use serde::{Deserialize, Serialize};

/// Of one timed piece of work, or of several, added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PeerReport {
    /// Requests, or runs of a command.
    pub requests: u64,
    /// Tokens that were generated, as the other engine counts them; 0 where it does not tell.
    #[serde(default)]
    pub tokens: u64,
    /// Pieces in which they came; a piece may hold several tokens, or a part of one.
    #[serde(default)]
    pub pieces: u64,
    /// Tokens of prompts that a server had kept from before, as it says; 0 where it does not tell.
    #[serde(default)]
    pub cached_tokens: u64,
    /// For each request, from when it was due until its first token was there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_token_nanoseconds: Vec<u64>,
    /// Between neighbouring tokens of a request. Tokens of one piece came together: the second has
    /// a time of 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between_tokens_nanoseconds: Vec<u64>,
    /// For each request, from when it was due until it was answered whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub request_nanoseconds: Vec<u64>,
    /// The server's own figures, where it tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerFigures>,
}

/// What a server says of its own work, added up over requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerFigures {
    /// Requests of which it told.
    pub requests: u64,
    /// Tokens of prompts that it computed.
    pub prompt_tokens: u64,
    /// Tokens of prompts that it had kept.
    pub cached_tokens: u64,
    /// Time that it computed prompts.
    pub prompt_nanoseconds: u64,
    /// Tokens that it counts in its own figure of speed.
    pub decoded_tokens: f64,
    /// Time of that figure.
    pub decode_nanoseconds: u64,
}

impl PeerReport {
    /// Adds what another piece of work told.
    pub fn add(&mut self, more: &PeerReport) {
        self.requests += more.requests;
        self.tokens += more.tokens;
        self.pieces += more.pieces;
        self.cached_tokens += more.cached_tokens;
        self.first_token_nanoseconds.extend(&more.first_token_nanoseconds);
        self.between_tokens_nanoseconds.extend(&more.between_tokens_nanoseconds);
        self.request_nanoseconds.extend(&more.request_nanoseconds);
        if let Some(more) = &more.server {
            self.server.get_or_insert_default().add(more);
        }
    }
}

impl ServerFigures {
    fn add(&mut self, more: &ServerFigures) {
        self.requests += more.requests;
        self.prompt_tokens += more.prompt_tokens;
        self.cached_tokens += more.cached_tokens;
        self.prompt_nanoseconds += more.prompt_nanoseconds;
        self.decoded_tokens += more.decoded_tokens;
        self.decode_nanoseconds += more.decode_nanoseconds;
    }
}
