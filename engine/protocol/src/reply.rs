//! What a worker answers.

use serde::{Deserialize, Serialize};

use crate::{
    BufferBytes, EngineFacts, ModelFacts, Observed, OperationCount, PeerReport, PrimitiveTimed,
    Requantised, Settings, SlotOutput, SlotsDecoded, SpeculationCounts, TensorPlacement, Token,
    WeightsFile,
};

/// One line on the worker's standard output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The request's number.
    pub id: u64,
    /// The answer.
    pub reply: Reply,
}

/// The answers of protocol version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To `hello`.
    Greeting(Greeting),
    /// To `load`.
    Loaded(Loaded),
    /// To `tokenize`.
    Tokens(Vec<Token>),
    /// To `begin`.
    Begun(Begun),
    /// To `decode`.
    Decoded(Decoded),
    /// To `prefill`.
    Prefilled(Prefilled),
    /// To `logits`.
    Logits(LogitsFile),
    /// To `operations`.
    Operations(Vec<OperationCount>),
    /// To `observe`.
    Observed(Observed),
    /// To `weights`.
    Weights(WeightsFile),
    /// To `slots`, one output a prompt.
    Slots(Vec<SlotOutput>),
    /// To `requantise`.
    Requantised(Requantised),
    /// To `primitive`.
    Primitive(PrimitiveTimed),
    /// To `shutdown`.
    Ending,
    /// To anything that could not be done. The worker goes on listening.
    Problem(Problem),
}

/// Who is speaking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Greeting {
    /// The version that the worker speaks.
    pub protocol_version: u32,
    /// Name and version of the worker program.
    pub worker: String,
    /// The engine behind it.
    pub engine: EngineFacts,
}

/// A model in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// The model as the engine read it.
    pub model: ModelFacts,
    /// Settings as they are in effect, read back where the engine can tell.
    pub effective: Settings,
    /// Bytes by device, computed from allocations, not from the operating system.
    pub buffers: Vec<BufferBytes>,
    /// Backends that really hold or compute something, by name.
    pub backends: Vec<String>,
    /// Which tensors lie where; told only where the model is spread over servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placement: Vec<TensorPlacement>,
}

/// A prompt in the KV cache.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Begun {
    /// Tokens of the prompt that were evaluated.
    pub prompt_tokens: u32,
    /// From before the prompt's evaluation until after synchronisation; depth not included.
    pub nanoseconds: u64,
    /// Length of the sequence afterwards.
    pub position: u32,
}

/// A chunk of decoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decoded {
    /// Tokens that the sequence grew by while the clock ran, each counted once. As many as were asked
    /// for; an arm that drafts ends with the first verification that reaches them, and may have
    /// gone up to a draft beyond.
    pub timed_tokens: u32,
    /// The clock's difference: monotonic, read after synchronisation.
    pub nanoseconds: u64,
    /// Tokens the arm chose (greedy) after each evaluation, untimed ones included. Under `fed`
    /// they are what it would have chosen.
    pub chosen: Vec<Token>,
    /// Length of the sequence afterwards.
    pub position: u32,
    /// What became of drafts; absent where nothing was drafted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speculation: Option<SpeculationCounts>,
    /// What another engine tells beside its time; such a one may leave `chosen` empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<PeerReport>,
    /// Absent where one sequence was decoded. Everything else in the answer is about the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<SlotsDecoded>,
}

/// A timed prefill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prefilled {
    /// Tokens evaluated while the clock ran.
    pub timed_tokens: u32,
    /// The clock's difference: monotonic, read after synchronisation.
    pub nanoseconds: u64,
    /// The token chosen (greedy) after the last position; another engine may not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Token>,
    /// What another engine tells beside its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<PeerReport>,
}

/// Logits on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogitsFile {
    /// Where they are.
    pub path: String,
    /// Number of rows.
    pub positions: u32,
    /// Length of a row.
    pub vocabulary: u32,
    /// BLAKE3 of the file, hexadecimal.
    pub blake3: String,
}

/// Why a command could not be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// What sort of reason.
    pub kind: ProblemKind,
    /// A lower-case fragment for people.
    pub message: String,
}

/// The sorts of reason that the caller treats apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// The request was not of the protocol, or came out of turn.
    Protocol,
    /// This build or platform would ignore the setting, or lacks the capability.
    Unsupported,
    /// The model could not be read.
    Model,
    /// The context is too small for the request.
    Context,
    /// The engine failed while computing.
    Compute,
    /// A file could not be written.
    Scratch,
}
