//! Model files: the catalogue, the header of a GGUF, the built-in tiny model, and the path from
//! a manifest's choice to a file whose hash was checked.

mod catalogue;
mod choose;
mod forms;
mod gguf;
mod hash;
mod resolve;
mod slice;
mod tiny;
mod wheel;

pub use catalogue::{Entry, Obtain, catalogue, find};
pub use choose::choose;
pub use forms::{
    FormEngine, FormFile, FormSource, LEAST_SHARE_PERCENT, Making, Place, Sidecar, derivation,
    form_name, kept_form, kept_forms, place, read_form, share_percent, shares, type_name,
};
pub use gguf::{Document, Edit, GgufFacts, MetadataValue, TensorInfo, inspect, write_edited};
pub use hash::{Sha256Hex, Verification, file_hash};
pub use resolve::{ModelFile, ModelState, resolve, resolve_with, state};
pub use slice::slice;
pub use tiny::TINY_NAME;
pub use wheel::unpack_wheel;
