//! Messages between `runner` and a worker, protocol version 1.
//!
//! One JSON object a line: a [`Request`] on the worker's standard input, a [`Response`] on its
//! standard output, strictly in turn. Bulk data (logits) go by scratch file. Standard error is
//! free text. A worker whose standard input closes ends at once.

mod command;
mod facts;
mod observe;
mod peer;
mod primitive;
mod reply;
mod requantise;
mod rpc;
mod settings;
mod slots;
mod speculation;
mod weights;

pub use command::{
    Beginning, Command, DecodeRequest, Evaluation, Feed, LoadRequest, LogitsRequest,
    OperationsRequest, PrefillRequest, Request,
};
pub use facts::{
    BufferBytes, BufferKind, EngineFacts, ModelFacts, OperationCount, SourcePin, TensorTypeBytes,
};
pub use observe::{ObserveRequest, Observed, ObservedTensor, Replacement, Selection, TensorLayout};
pub use peer::{PeerReport, ServerFigures};
pub use primitive::{AttentionShape, MatrixShape, Primitive, PrimitiveRequest, PrimitiveTimed};
pub use reply::{
    Begun, Decoded, Greeting, Loaded, LogitsFile, Prefilled, Problem, ProblemKind, Reply, Response,
};
pub use requantise::{Form, RequantiseRequest, Requantised};
pub use rpc::{MOST_RPC_SERVERS, NoRpcServer, RpcServer, RpcServers, TensorPlacement};
pub use settings::{
    KvType, Numa, Priority, SETTING_KEYS, Settings, SettingsConflict, Toggle, UnknownSetting,
};
pub use slots::{SlotOutput, SlotsDecoded, SlotsRequest};
pub use speculation::{DraftAcceptance, DraftSource, SpeculationCounts};
pub use weights::{WeightTensor, WeightsFile, WeightsRequest};

/// The version spoken by this crate; the first message on either side names it.
pub const PROTOCOL_VERSION: u32 = 1;

/// A token id of the model's vocabulary.
pub type Token = i32;
