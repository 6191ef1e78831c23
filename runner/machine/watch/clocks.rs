//! What three clocks say of each other: whether the machine slept, and whether somebody set the wall
//! clock.

use super::snapshot::Clocks;
use crate::machine::reading::Reading;

const NO_BOOT_CLOCK: &str = "this platform has no clock that goes on in sleep";

/// Time asleep, milliseconds: the boot clock goes on in sleep, the monotonic one does not.
pub(super) fn suspended_milliseconds(before: Clocks, after: Clocks) -> Reading<f64> {
    boot_nanoseconds(before, after).map(|boot| {
        let monotonic = difference(before.monotonic_nanoseconds, after.monotonic_nanoseconds);
        (boot - monotonic).max(0) as f64 / 1e6
    })
}

/// By how much the wall clock was set, milliseconds; negative when it was set back. Against the boot
/// clock, so that sleep is no step. A clock that is only slowed or hastened (NTP) does not show: the
/// kernel does that to all three alike (adjtimex(2)).
pub(super) fn step_milliseconds(before: Clocks, after: Clocks) -> Reading<f64> {
    let wall = before.utc_nanoseconds.zip(after.utc_nanoseconds);
    Reading::from_option(wall, "the wall clock cannot be read").and_then(|(then, now)| {
        boot_nanoseconds(before, after).map(|boot| (difference(then, now) - boot) as f64 / 1e6)
    })
}

fn boot_nanoseconds(before: Clocks, after: Clocks) -> Reading<i128> {
    let boot = before.boottime_nanoseconds.zip(after.boottime_nanoseconds);
    Reading::from_option(boot.map(|(then, now)| difference(then, now)), NO_BOOT_CLOCK)
}

fn difference(before: u64, after: u64) -> i128 {
    i128::from(after) - i128::from(before)
}
