//! What is described beside a decision, computed: every pair, other estimators, tests that assume
//! no distribution, what pairing bought, where the spread comes from, the course of the run.
//!
//! Everything is of the blocks that the decision was made on, and nothing here changes one.

mod course;
mod estimators;
mod no_effect;
mod outliers;
mod pairing;
mod resampled;
mod rounds;
mod spread;
mod units;
mod whole;

#[cfg(test)]
mod describe_tests;

pub(super) use whole::{DescribeInputs, describe};
