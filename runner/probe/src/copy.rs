//! Copying memory.

use std::hint::black_box;

use super::clock::{Clock, rate};
use super::read::filled;
use super::repeat::repeat;

/// As for reading.
const LEAST_COPIED_BYTES: u64 = 32 << 20;
const WORD_BYTES: u64 = 8;

/// Bytes a second that `threads` threads together copy, one value a repetition. Source and target
/// together are the working set; each copied byte is read once and written once, and counts once.
#[must_use]
pub fn copy(
    clock: Clock<'_>,
    working_set_bytes: u64,
    threads: u32,
    budget_nanoseconds: u64,
) -> Vec<f64> {
    let threads = threads.max(1);
    let words = (working_set_bytes / 2 / u64::from(threads) / WORD_BYTES).max(1);
    let passes = (LEAST_COPIED_BYTES / u64::from(threads) / (words * WORD_BYTES)).max(1);
    let bytes = (words * WORD_BYTES * passes * u64::from(threads)) as f64;
    let make = || (filled(words), filled(words));
    let work = |(from, to): &mut (Vec<u64>, Vec<u64>)| {
        for _ in 0..passes {
            black_box(to.as_mut_slice()).copy_from_slice(black_box(from.as_slice()));
            black_box(&*to);
        }
    };
    let times = repeat(clock, threads, budget_nanoseconds, &make, &work);
    times.into_iter().filter_map(|time| rate(bytes, time)).collect()
}
