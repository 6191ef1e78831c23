//! Goldens and dumps: what a reference computed, read from safetensors files and checked before
//! anything is held against it.
//!
//! Sizes found in a file are never trusted: nothing is taken from memory before the file is known
//! to hold it.

mod container;
mod discover;
mod dump;
mod facts;
mod file;
mod identity;
mod prompt;
mod values;

pub use container::Container;
pub use discover::{GoldenPlace, find_goldens};
pub use dump::{Dump, DumpTensor};
pub use facts::{GoldenFacts, Origin, SelfCheck};
pub use file::Golden;
pub use identity::{check_model, tokenizer_sha256};
pub use prompt::{GoldenPrompt, GreedyStep, HiddenState, LogitRow, TopRow};

#[cfg(test)]
mod tests;
