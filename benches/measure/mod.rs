//! Times a piece of work and prints one line a tab-separated name and seconds each.

use std::hint::black_box;
use std::time::Instant;

/// Prints, and gives, the least of `tries` times. The least is the work itself; what is above it is the
/// machine's.
pub fn measure<T>(name: &str, tries: u32, mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..tries {
        let start = Instant::now();
        black_box(work());
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{name}\t{least:.6}");
    least
}
