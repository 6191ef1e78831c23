//! From a plan to a schedule, its cost and what it can resolve.

mod schedule;

pub use schedule::{Block, Round, Schedule};
