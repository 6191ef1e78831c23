//! The native engine, ggml and llama, behind a narrow C shim: raw bindings, and how it was built.
//!
//! No struct of the engine crosses into Rust. What is safe is in the crate `engine`.

mod facts;
mod processor;

pub use facts::{Origin, Threading};
pub use processor::missing_cpu_features;

/// How the engine in this binary was built, written by the build script.
pub mod build_facts {
    use crate::{Origin, Threading};

    include!(concat!(env!("OUT_DIR"), "/build_facts.rs"));
}

#[rustfmt::skip]
#[expect(unsafe_code, reason = "declarations of C functions")]
#[expect(nonstandard_style, reason = "named as in C")]
#[expect(missing_docs, reason = "documented in shim.h")]
mod bindings;

pub use bindings::*;
