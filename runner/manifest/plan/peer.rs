//! Another engine as an arm: a command, or a server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How another engine is reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Peer {
    /// A program that is started, with its arguments.
    Command(PeerCommand),
    /// A server that speaks the completions interface of OpenAI.
    Openai(PeerServer),
}

/// A program whose figures are read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerCommand {
    /// Program and arguments, handed over as they are: no shell reads them. An argument that is
    /// one of [`PLACEHOLDERS`] stands for its value.
    pub argv: Vec<String>,
    /// How its figures are read.
    pub reads: Reads,
}

/// How a command's figures are read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reads {
    /// It speaks the worker protocol: it is a worker like any other.
    WorkerProtocol,
    /// It is run once for each timed piece of work and prints what `llama-bench -o json` prints.
    LlamaBench,
    /// It is run once for each timed piece of work and prints a number.
    Pattern {
        /// A regular expression with a group `value`.
        pattern: String,
        /// What the number counts.
        unit: PeerUnit,
        /// Whether its own start lies inside the time that it reports.
        start_up: StartUp,
    },
}

/// Which way a command's figures are read, as the manifest names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadsName {
    /// It speaks the worker protocol (docs/protocol.md), and alternates in chunks like any worker.
    WorkerProtocol,
    /// It prints what `llama-bench -o json` prints: one test of the work's size.
    LlamaBench,
    /// It prints a number that `pattern` finds.
    Pattern,
}

/// What a printed number counts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PeerUnit {
    /// Timed tokens in each second.
    TokensPerSecond,
    /// Milliseconds for all timed tokens.
    Milliseconds,
    /// Seconds for all timed tokens.
    Seconds,
}

/// Whether a program's start lies inside its timer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StartUp {
    /// Its timer runs from its start: loading the model is in the figure.
    InsideTimer,
    /// Its timer starts when the model is loaded.
    OutsideTimer,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerServer {
    /// `HOST:PORT`.
    pub address: String,
    /// Program and arguments that start it; empty: it runs already, and goes on running.
    pub argv: Vec<String>,
    /// The name of the model in requests.
    pub model: String,
    /// Path that answers 200 once it is ready.
    pub ready_path: String,
    /// How long that may take.
    pub ready_seconds: u32,
    /// Whether a prompt that was seen before may be quicker.
    pub prompt_cache: PromptCache,
    /// How requests come.
    pub load: Load,
}

/// Whether a server keeps prompts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PromptCache {
    /// Every prompt is computed anew. Requests ask for it, and it is checked.
    Off,
    /// A repeated prompt may be quicker: figures of prompts are those of a warm cache.
    On,
}

/// How requests come to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Load {
    /// One after the other: what a block asks of the other arms.
    One,
    /// So many clients, each of which asks again as soon as it was answered.
    Closed {
        /// Side by side.
        clients: u32,
        /// Requests of a block, over all clients.
        requests: u32,
    },
    /// On a schedule that does not wait for answers, so that waiting is in the time.
    Open {
        /// Requests of a block.
        requests: u32,
        /// Mean rate, requests in a thousand seconds; gaps are drawn from an exponential
        /// distribution by the registered seed.
        requests_per_kilosecond: u32,
    },
}

/// The ways in which requests come, as the manifest names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadName {
    /// One request at a time: comparable with other arms.
    One,
    /// `clients` that each wait for their answer.
    Closed,
    /// Requests on schedule, `requests_per_second` on average, whether or not earlier ones were answered.
    Open,
}

/// Arguments that stand for a value of the run.
pub const PLACEHOLDERS: &[&str] = &[
    "{model}",
    "{threads}",
    "{context_tokens}",
    "{prompt_tokens}",
    "{decode_tokens}",
    "{prefill_tokens}",
    "{depth_tokens}",
    "{prompt_file}",
    "{host}",
    "{port}",
];

impl Peer {
    /// Program and arguments; empty for a server that is not started.
    #[must_use]
    pub fn argv(&self) -> &[String] {
        match self {
            Peer::Command(command) => &command.argv,
            Peer::Openai(server) => &server.argv,
        }
    }

    /// Whether its work can be cut into chunks; else it is paired whole.
    #[must_use]
    pub fn alternates(&self) -> bool {
        matches!(self, Peer::Command(PeerCommand { reads: Reads::WorkerProtocol, .. }))
    }

    /// Requests that are under way at the same time, or may be.
    #[must_use]
    pub fn load(&self) -> Load {
        match self {
            Peer::Command(_) => Load::One,
            Peer::Openai(server) => server.load,
        }
    }

    /// `command`, `openai`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Peer::Command(PeerCommand { reads: Reads::WorkerProtocol, .. }) => {
                "command, worker protocol"
            }
            Peer::Command(PeerCommand { reads: Reads::LlamaBench, .. }) => {
                "command, llama-bench JSON"
            }
            Peer::Command(PeerCommand { reads: Reads::Pattern { .. }, .. }) => {
                "command, printed number"
            }
            Peer::Openai(_) => "server, client's clock",
        }
    }

    /// The program's file name, or the server's address, with the first digits of a hash of all that
    /// is registered of it: two peers of one program have two names.
    #[must_use]
    pub fn name(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let hash = blake3::hash(&text).to_hex();
        let short = hash.get(..8).unwrap_or_default();
        let program = self.argv().first().map(String::as_str).unwrap_or_default();
        let file = program.rsplit('/').next().unwrap_or_default();
        let called = match self {
            Peer::Openai(server) if file.is_empty() => server.address.as_str(),
            _ => file,
        };
        format!("{called} ({short})")
    }
}
