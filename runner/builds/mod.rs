//! Builds of the engine by name.

mod catalogue;

pub use catalogue::{catalogue, find};
