//! The canary: the same small work again and again. What it takes on an idle machine is always
//! the same, so its spread is the machine's.

use std::hint::black_box;

use super::clock::Clock;
use super::read::{filled, sum};

/// Steps of a chain in which each waits for the one before: under two milliseconds at 3 GHz (a
/// shift, an exclusive or and a multiplication of 64 bits take five cycles together), whatever
/// the processor's width.
const STEPS: u32 = 1_000_000;
/// An odd multiplier without a pattern (Knuth's for 64 bits, of MMIX).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Memory that is read once: larger than a core's own caches, small enough for a millisecond or
/// two.
const MEMORY_BYTES: u64 = 16 << 20;

/// The canary with its memory.
#[derive(Debug)]
pub struct Canary {
    memory: Vec<u64>,
}

/// One run of the canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CanaryReading {
    /// The chain of computations.
    pub processor_nanoseconds: u64,
    /// One pass over the memory.
    pub memory_nanoseconds: u64,
}

impl Default for Canary {
    fn default() -> Canary {
        Canary::new()
    }
}

impl Canary {
    /// Makes its memory.
    #[must_use]
    pub fn new() -> Canary {
        Canary { memory: filled(MEMORY_BYTES / 8) }
    }

    /// Does the work once, on this thread.
    #[must_use]
    pub fn run(&self, clock: Clock<'_>) -> CanaryReading {
        let start = clock();
        black_box(chain(black_box(1)));
        let between = clock();
        black_box(sum(black_box(&self.memory)));
        let end = clock();
        CanaryReading {
            processor_nanoseconds: between.saturating_sub(start),
            memory_nanoseconds: end.saturating_sub(between),
        }
    }
}

/// Steps that no compiler can fold into fewer.
fn chain(from: u64) -> u64 {
    (0..STEPS).fold(from, |state, _| (state ^ (state >> 29)).wrapping_mul(MULTIPLIER))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Canary;

    #[test]
    fn both_halves_are_timed_apart() {
        let now = AtomicU64::new(0);
        let clock = || now.fetch_add(5, Ordering::SeqCst);
        let reading = Canary::new().run(&clock);
        assert_eq!((reading.processor_nanoseconds, reading.memory_nanoseconds), (5, 5));
    }
}
