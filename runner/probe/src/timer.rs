//! The timer itself.

use super::clock::Clock;

/// Steps between readings of the clock that follow each other at once, nanoseconds, for so many
/// readings; those that show no step are left out. The least is what the clock resolves, or what
/// reading it costs where that is more.
#[must_use]
pub fn timer_steps(clock: Clock<'_>, readings: u32) -> Vec<f64> {
    let mut before = clock();
    let mut steps = Vec::new();
    for _ in 0..readings {
        let now = clock();
        if now > before {
            steps.push((now - before) as f64);
        }
        before = now;
    }
    steps
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::timer_steps;

    #[test]
    fn a_clock_that_stands_still_has_no_steps() {
        assert!(timer_steps(&|| 7, 100).is_empty());
        let now = AtomicU64::new(0);
        let coarse = || now.fetch_add(1, Ordering::SeqCst) / 10 * 1_000_000;
        let steps = timer_steps(&coarse, 100);
        assert_eq!(steps.len(), 10);
        assert!(steps.iter().all(|step| *step == 1e6));
    }
}
