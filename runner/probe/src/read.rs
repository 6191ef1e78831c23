//! Reading memory.

use std::hint::black_box;

use pulp::{Simd, WithSimd};

use super::clock::{Clock, rate};
use super::repeat::repeat;

/// A repetition reads at least so much, so that it lasts milliseconds and not microseconds.
const LEAST_READ_BYTES: u64 = 64 << 20;

const WORD_BYTES: u64 = 8;

/// Bytes a second that `threads` threads together read of a working set of so many bytes, each
/// its own part of it, over and over: one value a repetition.
///
/// Every byte is loaded and enters a sum. What fits a cache is read from there, so the figure is
/// that of the working set's size.
#[must_use]
pub fn read(
    clock: Clock<'_>,
    working_set_bytes: u64,
    threads: u32,
    budget_nanoseconds: u64,
) -> Vec<f64> {
    let threads = threads.max(1);
    let words = (working_set_bytes / u64::from(threads) / WORD_BYTES).max(1);
    let passes = (LEAST_READ_BYTES / u64::from(threads) / (words * WORD_BYTES)).max(1);
    let bytes = (words * WORD_BYTES * passes * u64::from(threads)) as f64;
    let make = || filled(words);
    let work = |data: &mut Vec<u64>| {
        for _ in 0..passes {
            black_box(sum(black_box(data.as_slice())));
        }
    };
    let times = repeat(clock, threads, budget_nanoseconds, &make, &work);
    times.into_iter().filter_map(|time| rate(bytes, time)).collect()
}

/// Memory whose every page was written: one that never was is a single page of zeros.
pub(crate) fn filled(words: u64) -> Vec<u64> {
    (0..words).collect()
}

/// The sum of all words, with the widest loads that the processor has.
pub(crate) fn sum(data: &[u64]) -> u64 {
    pulp::Arch::new().dispatch(Sum(data))
}

struct Sum<'data>(&'data [u64]);

/// Sums that do not wait for each other: as many as hide the latency of an addition.
const SUMS: usize = 8;

impl WithSimd for Sum<'_> {
    type Output = u64;

    // compiled anew for each instruction set, so it must be part of what calls it
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> u64 {
        let (wide, words) = S::as_simd_u64s(self.0);
        let (groups, few) = wide.as_chunks::<SUMS>();
        let mut sums = [simd.splat_u64s(0); SUMS];
        for group in groups {
            for (sum, value) in sums.iter_mut().zip(group) {
                *sum = simd.add_u64s(*sum, *value);
            }
        }
        // by value: sums whose address is known would be stored in each turn of the loop
        let zero = simd.splat_u64s(0);
        let total = sums.into_iter().fold(zero, |total, sum| simd.add_u64s(total, sum));
        let total = few.iter().fold(total, |total, value| simd.add_u64s(total, *value));
        let lanes = pulp::bytemuck::cast_slice::<S::u64s, u64>(std::slice::from_ref(&total));
        lanes.iter().chain(words).fold(0_u64, |sum, word| sum.wrapping_add(*word))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{filled, read, sum};

    #[test]
    fn every_word_enters_the_sum() {
        for words in [0, 1, 63, 64, 65, 1000] {
            assert_eq!(sum(&filled(words)), (0..words).sum::<u64>());
        }
    }

    #[test]
    fn a_rate_is_bytes_over_the_clocks_time() {
        // each reading of the clock is a millisecond later: 64 MiB in 1 ms
        let now = AtomicU64::new(0);
        let clock = || now.fetch_add(1_000_000, Ordering::SeqCst);
        let rates = read(&clock, 1 << 20, 1, 0);
        assert_eq!(rates.len(), 5);
        assert!(rates.iter().all(|rate| (*rate - 67_108_864e3).abs() < 1.0), "{rates:?}");
    }
}
