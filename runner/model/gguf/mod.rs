//! A reader for the header of a GGUF file, versions 2 and 3, in plain Rust.
//!
//! The layout is that of `gguf.h` in ggml. Sizes found in the file are never trusted: nothing is
//! allocated before the file is known to be long enough to hold it, and counts are capped.

mod facts;
mod header;
mod source;
mod tensor_type;

pub use facts::{GgufFacts, inspect};
pub use header::{MetadataValue, TensorInfo};
