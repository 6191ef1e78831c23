//! Whether a program speaks the worker protocol: asked by anybody, of any program.
//!
//! Each group of checks starts processes of its own, so that one fault hides little of the rest.

mod bench;
mod check;
mod context;
mod decoding;
mod ending;
mod files;
mod greeting;
mod loading;
mod offers;
mod prefilling;
mod run;
mod seen;
mod talk;

pub use check::{Check, CheckOutcome};
pub use run::{Conformance, ConformanceAsk, conform};
