//! `builtin-tiny` and `builtin-tiny-experts`: llama-architecture GGUFs of a few megabytes and less,
//! written from a fixed seed, so that a fresh machine can run an experiment without a download.

mod feed_forward;
mod half;
mod matrix;
mod model;
mod shape;
mod vocabulary;
mod weights;
mod writer;

pub(super) use model::write_model;
pub(super) use shape::{TINY, TINY_EXPERTS};
pub use shape::{TINY_EXPERTS_NAME, TINY_NAME};
