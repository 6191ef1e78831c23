//! Samples below the blocks.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use sample_table::{SampleRow, SampleState};

use super::whole::DescribeInputs;
use crate::stats::PlacedValue;
use crate::verdict::blocks::{BlockKey, Quantity, reading_of};

/// One arm's reading within a chunk: its place, the arm's number, its log rate.
type Reading = (u32, u32, f64);

/// Log rates of every arm's samples in the comparison's blocks, each with its place in its chunk.
/// A chunk stands for the block of the model: its text is the same for all arms, and its speed
/// differs from the next one's. Neither the order of rows nor the numbers of chunks change a bit.
pub(super) fn placed(inputs: &DescribeInputs<'_>) -> Vec<PlacedValue> {
    let wanted: BTreeSet<BlockKey> = inputs.pairs.iter().map(|block| block.key).collect();
    let arm_of = |name: &str| inputs.plan.arms.iter().position(|arm| arm.name.as_str() == name);
    let reading = reading_of(inputs.plan, inputs.plan.metric.primary);
    let mut blocks = BTreeMap::<BlockKey, BTreeMap<u32, Vec<Reading>>>::new();
    for rows in inputs.samples.chunk_by(|left, right| key(left) == key(right)) {
        let Some(key) = rows.first().map(key).filter(|key| wanted.contains(key)) else { continue };
        let chunks = blocks.entry(key).or_default();
        for row in rows.iter().filter(|row| row.work == reading.work && has_rate(row)) {
            let rate = match reading.of {
                Quantity::Time => Some(f64::from(row.tokens) / row.nanoseconds as f64),
                Quantity::Energy => reading.rate_of(row).filter(|rate| rate.is_finite()),
            };
            if let (Some(arm), Some(rate)) = (arm_of(&row.arm), rate) {
                let value = libm::log(rate);
                chunks.entry(row.chunk).or_default().push((row.place, arm as u32, value));
            }
        }
    }
    let chunks = blocks.into_values().flat_map(|chunks| in_fixed_order(chunks.into_values()));
    (0..)
        .zip(chunks)
        .flat_map(|(block, readings)| {
            readings.into_iter().map(move |(place, arm, value)| PlacedValue {
                block,
                arm,
                place,
                value,
            })
        })
        .collect()
}

fn in_fixed_order(chunks: impl Iterator<Item = Vec<Reading>>) -> Vec<Vec<Reading>> {
    let order = |left: &Reading, right: &Reading| {
        (left.0, left.1).cmp(&(right.0, right.1)).then(left.2.total_cmp(&right.2))
    };
    let mut chunks: Vec<Vec<Reading>> = chunks.collect();
    for readings in &mut chunks {
        readings.sort_by(order);
    }
    chunks.sort_by(|left, right| {
        let first = left.iter().zip(right).map(|(one, other)| order(one, other));
        first.fold(Ordering::Equal, Ordering::then).then(left.len().cmp(&right.len()))
    });
    chunks
}

fn key(row: &SampleRow) -> BlockKey {
    BlockKey { condition: row.condition, round: row.round, segment: row.segment, block: row.block }
}

fn has_rate(row: &SampleRow) -> bool {
    row.state == SampleState::Timed && row.tokens > 0 && row.nanoseconds > 0
}
