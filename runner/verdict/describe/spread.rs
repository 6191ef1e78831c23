//! Where the spread comes from.

use super::pending::nested_variance;
use super::units::Unit;
use super::whole::DescribeInputs;
use crate::verdict::description::NestedSpread;

/// Standard deviations of the log ratio by level. `None` under two rounds, or without a round of
/// two blocks.
pub(super) fn nested_spread(
    inputs: &DescribeInputs<'_>,
    units: &[Unit<'_>],
) -> Option<NestedSpread> {
    nested_variance(inputs, units)
}
