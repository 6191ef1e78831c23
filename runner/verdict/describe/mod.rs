//! What is described beside a decision.

mod pairs_by_round;

pub(super) use pairs_by_round::{DescribeInputs, describe};
