//! Model files: the catalogue, the header of a GGUF, the built-in tiny models, and the path from
//! a manifest's choice to a file whose hash was checked.

mod catalogue;
mod choose;
mod composition;
mod experts;
mod forms;
mod gguf;
mod hash;
mod memory;
mod resolve;
mod slice;
mod tiny;
mod tokenizer;
mod traffic;
mod wheel;

pub use catalogue::{Entry, Obtain, catalogue, find};
pub use choose::choose;
pub use composition::{Cut, described, primitive};
pub use experts::Experts;
pub use forms::{
    FormEngine, FormFile, FormSource, LEAST_SHARE_PERCENT, Making, Place, Sidecar, derivation,
    form_name, kept_form, kept_forms, place, read_form, share_percent, shares, type_name,
};
pub use gguf::{Document, Edit, GgufFacts, MetadataValue, TensorInfo, inspect, write_edited};
pub use hash::{Sha256Hex, Verification, file_hash};
pub use memory::{MemoryEstimate, memory_estimate};
pub use resolve::{ModelFile, ModelState, resolve, resolve_with, state};
pub use slice::{SliceFile, slice};
pub use tiny::{TINY_EXPERTS_NAME, TINY_NAME};
pub use tokenizer::TokenizerHash;
pub use traffic::{CacheShape, Traffic, traffic};
pub use wheel::unpack_wheel;
