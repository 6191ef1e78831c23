//! How far two rows of numbers are from each other: two rows of logits over one vocabulary, or
//! the same tensor of two engines.
//!
//! Rows are read as `f32` and summed as `f64`, in a fixed number of lanes whose sums are added in
//! a fixed order, so the same rows give the same bits on every platform. Nothing is forgiven: a
//! value that is not finite, a row of zeros, rows of unlike lengths are faults that say where.

mod bytes;
mod exponential;
mod fault;
mod lanes;
mod logits;
mod survey;
mod values;

#[cfg(test)]
mod reference_tests;

pub use bytes::floats_of_bytes;
pub use fault::{RowFault, Side};
pub use logits::{LogitDivergence, Softmax, compare_logits, softmax};
pub use survey::Top;
pub use values::{ValueDivergence, compare_values};
