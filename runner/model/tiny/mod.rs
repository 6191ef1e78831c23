//! `builtin-tiny`: a llama-architecture GGUF of a few megabytes, written from a fixed seed, so
//! that a fresh machine can run an experiment without a download.

mod half;
mod model;
mod vocabulary;
mod weights;
mod writer;

pub use model::TINY_NAME;
pub(super) use model::write_tiny;
