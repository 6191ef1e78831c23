//! GGUF files, versions 2 and 3, in plain Rust: what their header says, and changed copies of them.
//!
//! The layout is that of `gguf.h` in ggml. Sizes found in the file are never trusted: nothing is
//! allocated before the file is known to be long enough to hold it, and counts are capped.

mod document;
mod edit;
mod facts;
mod header;
mod source;
mod tensor_type;

pub use document::Document;
pub use edit::{Edit, write_edited};
pub use facts::{GgufFacts, inspect};
pub use header::{MetadataValue, TensorInfo};
pub use tensor_type::bytes_of;
pub(super) use tensor_type::row_bytes;
