//! The clock that probes are timed by.

/// A monotonic clock: nanoseconds since a moment of its own. Read from several threads.
pub type Clock<'clock> = &'clock (dyn Fn() -> u64 + Sync);

/// A rate: an amount of work over a time in nanoseconds, a second. `None` for a time that the
/// clock did not resolve.
pub(crate) fn rate(amount: f64, nanoseconds: u64) -> Option<f64> {
    (nanoseconds > 0).then(|| amount / (nanoseconds as f64 * 1e-9))
}
