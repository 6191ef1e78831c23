//! Times: UTC for people, a monotonic clock for durations, and whether the machine slept.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, SecondsFormat, Utc};

/// Now in UTC, RFC 3339 with milliseconds.
pub(super) fn utc_now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A name for a run that starts now, `20261129-174501`, that no folder in `folder` has: the second
/// of one second is `20261129-174501-2`.
pub(super) fn run_name(folder: &Path) -> String {
    let now: DateTime<Utc> = Utc::now();
    let first = now.format("%Y%m%d-%H%M%S").to_string();
    if !folder.join(&first).exists() {
        return first;
    }
    let later = (2_u32..).map(|number| format!("{first}-{number}"));
    later.into_iter().find(|name| !folder.join(name).exists()).unwrap_or(first)
}

/// The same, where runs of other machines may be named at the same second: whoever makes the folder of
/// that name in `taken` first has it. Without that folder nobody else names runs.
pub(super) fn taken_run_name(folder: &Path, taken: &Path) -> String {
    if !taken.is_dir() {
        return run_name(folder);
    }
    let first = Utc::now().format("%Y%m%d-%H%M%S").to_string();
    let later = (2..=9999_u32).map(|number| format!("{first}-{number}"));
    let mut names = std::iter::once(first.clone()).chain(later);
    let free = names.find(|name| {
        !folder.join(name).exists()
            // a folder that cannot be made for another reason takes no name away
            && !std::fs::create_dir(taken.join(name))
                .is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    });
    free.unwrap_or(first)
}

/// The run's monotonic clock: one for each time that the run is started or resumed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentClock {
    started: Instant,
}

impl SegmentClock {
    /// Starts now.
    pub(super) fn start() -> SegmentClock {
        SegmentClock { started: Instant::now() }
    }

    /// Nanoseconds since the start of the segment.
    pub(super) fn nanoseconds(self) -> u64 {
        nanoseconds(self.started.elapsed())
    }
}

/// A duration in nanoseconds, saturating after 584 years.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The monotonic clock, from an origin that is the same for the whole process.
pub(super) fn monotonic() -> Duration {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed()
}

/// The wall clock, nanoseconds since 1970; `None` where it is set before that.
pub(super) fn utc_nanoseconds() -> Option<u64> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(nanoseconds(since))
}

/// How long this machine has slept since it was started: boot time minus monotonic time.
/// `None` where the platform has no such clock. It never falls, and rises only by a suspend.
#[cfg(target_os = "linux")]
pub(super) fn slept() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let reading = |clock| {
        let time = clock_gettime(clock);
        let seconds = u64::try_from(time.tv_sec).ok()?;
        let rest = u32::try_from(time.tv_nsec).ok()?;
        Some(Duration::new(seconds, rest))
    };
    Some(reading(ClockId::Boottime)?.saturating_sub(reading(ClockId::Monotonic)?))
}

/// How long this machine has slept: not known on this platform.
#[cfg(not(target_os = "linux"))]
pub(super) fn slept() -> Option<Duration> {
    None
}
