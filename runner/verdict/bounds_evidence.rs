//! What a run's figures are held against: bounds of the machine, and what evaluations must read
//! and compute.

use serde::{Deserialize, Serialize};

/// All that the check of bounds needs beside the samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsEvidence {
    /// What the machine was seen to do at most; absent where nothing was stored for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineBounds>,
    /// For each arm and condition value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<ArmTraffic>,
    /// What is not known, and why: lower-case fragments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// That the check can fail, shown before the first block.
    pub proof: BoundsProof,
}

/// The largest figures of a machine's stored bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineBounds {
    /// The machine's name.
    pub machine: String,
    /// UTC, RFC 3339.
    pub measured_at: String,
    /// By working set, the smallest first.
    pub read: Vec<WorkingSetBandwidth>,
    /// Copying, by working set; each copied byte counts once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copy: Vec<WorkingSetBandwidth>,
    /// The largest over all types; absent where this machine has units that were not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_adds: Option<MultiplyAdds>,
}

/// The largest bandwidth of a working set, over all thread counts and repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkingSetBandwidth {
    /// Bytes that were worked on over and over, all threads together.
    pub working_set_bytes: u64,
    /// Bytes a second.
    pub largest_bytes_per_second: f64,
    /// With so many threads.
    pub threads: u32,
}

/// The largest rate of multiply-adds, over all types, thread counts and repetitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyAdds {
    /// Of what: `f32`, `i8 (twice i16)`, …
    pub operand: String,
    /// A second.
    pub largest_per_second: f64,
    /// With so many threads.
    pub threads: u32,
}

/// What an arm's evaluations must read and compute at a condition value: lower bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmTraffic {
    /// The arm.
    pub arm: String,
    /// Index of the condition's value; 0 without a condition.
    pub condition: u32,
    /// Unique bytes of weights that each evaluation reads, the output matrix left out.
    pub block_bytes: u64,
    /// Unique bytes of the output matrix.
    pub output_bytes: u64,
    /// Bytes of the KV cache at the condition's depth; 0 where less than all of it may be read.
    pub kv_bytes: u64,
    /// Multiply-adds of each token, the last block and the output left out.
    pub operations: u64,
    /// Multiply-adds of the last block and the output.
    pub last_operations: u64,
    /// Most tokens of one evaluation of a prompt; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micro_batch_tokens: Option<u32>,
    /// Most sequences that an evaluation may advance at once.
    pub sequences: u32,
}

/// A value that cannot be went through the check before the first block, and was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsProof {
    /// Bytes a second that were claimed.
    pub impossible_bytes_per_second: f64,
    /// The limit that they passed.
    pub limit_bytes_per_second: f64,
}

impl MachineBounds {
    /// The largest read bandwidth that bounds a working set: the largest that was seen of any as
    /// large as it or larger, and of the next smaller one that was measured. A smaller one is read
    /// no slower, so nothing true passes it. `None` for a working set smaller than all that were
    /// measured: it may lie in a cache that is faster than any figure here.
    #[must_use]
    pub fn read_of(&self, working_set_bytes: u64) -> Option<WorkingSetBandwidth> {
        greatest_of(&self.read, working_set_bytes)
    }

    /// The largest rate at which bytes of a working set were read and written, all counted: that of
    /// copying, each copied byte twice, or that of reading where it is greater.
    #[must_use]
    pub fn moved_of(&self, working_set_bytes: u64) -> Option<WorkingSetBandwidth> {
        let read = self.read_of(working_set_bytes)?;
        let copied = greatest_of(&self.copy, working_set_bytes).map(|row| WorkingSetBandwidth {
            largest_bytes_per_second: 2.0 * row.largest_bytes_per_second,
            ..row
        });
        match copied {
            Some(copied) if copied.largest_bytes_per_second > read.largest_bytes_per_second => {
                Some(copied)
            }
            _ => Some(read),
        }
    }
}

fn greatest_of(
    rows: &[WorkingSetBandwidth],
    working_set_bytes: u64,
) -> Option<WorkingSetBandwidth> {
    let measured = || rows.iter().map(|row| row.working_set_bytes);
    let next_smaller = measured().filter(|measured| *measured <= working_set_bytes).max()?;
    rows.iter().filter(|row| row.working_set_bytes >= next_smaller).copied().max_by(|one, other| {
        one.largest_bytes_per_second.total_cmp(&other.largest_bytes_per_second)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_set_has_the_bound_of_its_size_and_none_below_the_smallest() {
        let row = |working_set_bytes, largest_bytes_per_second| WorkingSetBandwidth {
            working_set_bytes,
            largest_bytes_per_second,
            threads: 2,
        };
        let bounds = MachineBounds {
            machine: "machine-1".to_owned(),
            measured_at: String::new(),
            // in no order, and with a draw that was slow
            read: vec![row(4_000_000, 40e9), row(1_000_000, 90e9), row(64_000_000, 41e9)],
            copy: vec![row(1_000_000, 45e9), row(64_000_000, 19e9)],
            multiply_adds: None,
        };
        let moved = |bytes| bounds.moved_of(bytes).map(|row| row.largest_bytes_per_second);
        // twice what was copied, or what was read where that is more
        assert_eq!(
            (moved(999_999), moved(1_000_000), moved(64_000_000)),
            (None, Some(90e9), Some(41e9))
        );
        let largest = |bytes| bounds.read_of(bytes).map(|row| row.largest_bytes_per_second);
        assert_eq!(largest(999_999), None);
        assert_eq!(largest(1_000_000), Some(90e9));
        assert_eq!(largest(3_999_999), Some(90e9));
        assert_eq!(largest(4_000_000), Some(41e9));
        assert_eq!(largest(u64::MAX), Some(41e9));
    }
}
