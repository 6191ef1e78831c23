//! Where the spread comes from.

use super::whole::DescribeInputs;
use crate::verdict::blocks::reading_of;
use crate::verdict::description::NestedSpread;
use crate::verdict::spread;

/// Standard deviations of the log ratio by level. `None` under two rounds, or without a round of
/// two blocks.
pub(super) fn nested_spread(inputs: &DescribeInputs<'_>) -> Option<NestedSpread> {
    let plan = inputs.plan;
    let off = plan.arms.get(plan.off())?.name.as_str();
    let reading = reading_of(plan, plan.metric.primary);
    spread::nested_spread(inputs.pairs, inputs.samples, reading, (off, inputs.arm))
}
