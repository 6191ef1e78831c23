//! Reads what other tools write: one file a tool, pure functions of text.

mod batched_bench;
mod criterion;
mod csv;
mod fields;
mod format;
mod hyperfine;
mod json;
mod llama_bench;
mod read;
mod sql;

pub use format::Format;
pub use read::{ImportFile, read};
