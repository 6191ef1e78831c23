//! Bootstrap intervals of the mean over whole rounds.

use super::whole::DescribeInputs;
use crate::stats::{Bootstrap, Resampling, mean};

/// Resamples behind an interval. Rounds are few, so they are cheap; the ends of a 95 % interval
/// then move by a hundredth of its width from seed to seed.
const DRAWS: u32 = 4_000;

/// Resamples whole rounds, each by its plain mean. The seed is the registered one, its stream named
/// after the comparison. `None` where there is nothing to resample.
pub(super) fn resampled(inputs: &DescribeInputs<'_>, rounds: &[Vec<f64>]) -> Option<Bootstrap> {
    let clusters: Vec<&[f64]> = rounds.iter().map(Vec::as_slice).collect();
    let resampling = Resampling { draws: DRAWS, seed: stream_seed(inputs) };
    resampling.of_cluster_means(&clusters, mean).ok()
}

/// One seed for each comparison, from the registered one: the first eight bytes of BLAKE3.
pub(super) fn stream_seed(inputs: &DescribeInputs<'_>) -> u64 {
    let name = format!("{} {} {}", inputs.plan.design.order_seed, inputs.arm, inputs.condition);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..8]);
    // whole numbers of a record's JSON stay exact below 2^53
    u64::from_le_bytes(bytes) >> 11
}
