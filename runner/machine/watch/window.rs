//! The difference of two snapshots.

use serde::Serialize;

use super::TICKS_PER_SECOND;
use super::processes::ForeignProcess;
use super::snapshot::Snapshot;
use crate::machine::reading::Reading;

/// What happened between two snapshots. Percentages of processor time are of one processor: two
/// busy ones are 200 %.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Watch {
    /// Length of the window on the monotonic clock, seconds.
    pub seconds: f64,
    /// Processor time of all processes but ours, and of the kernel for them.
    pub others_cpu_percent: Reading<f64>,
    /// How far that may be off, since the kernel counts in ticks of 10 ms.
    pub resolution_percent: Reading<f64>,
    /// Share of the window in which somebody waited for a processor.
    pub pressure_percent: Reading<f64>,
    /// The same over the last ten seconds, as the kernel averages it.
    pub pressure_last_ten_seconds_percent: Reading<f64>,
    /// Processor time that the hypervisor gave to other machines.
    pub steal_percent: Reading<f64>,
    /// Context switches a second, all processors together.
    pub context_switches_per_second: Reading<f64>,
    /// Pages that had to be read from disk.
    pub major_faults: Reading<u64>,
    /// Pages swapped in and out.
    pub swapped_pages: Reading<u64>,
    /// Time that the machine slept, milliseconds.
    pub suspended_milliseconds: Reading<f64>,
    /// Who it was, the busiest first. For the terminal only.
    #[serde(skip)]
    pub foreign: Vec<ForeignProcess>,
}

const BACKWARDS: &str = "a counter went backwards";

impl Watch {
    /// The difference. A window of no length has no rates: they are unknown.
    #[must_use]
    pub fn between(before: &Snapshot, after: &Snapshot) -> Watch {
        let nanoseconds =
            after.clocks.monotonic_nanoseconds.saturating_sub(before.clocks.monotonic_nanoseconds);
        let seconds = nanoseconds as f64 / 1e9;
        let rate = |amount: Reading<f64>| {
            amount.and_then(|amount| {
                if nanoseconds == 0 {
                    return Reading::unknown("the window has no length");
                }
                Reading::Known(amount / seconds)
            })
        };
        let cpu = both(&before.cpu, &after.cpu);
        let pressure = both(&before.pressure, &after.pressure);
        let memory = both(&before.memory, &after.memory);

        let steal = cpu.clone().and_then(|(before, after)| {
            if after.steal == 0 {
                return Reading::unknown("none was counted since boot; it may not be reported");
            }
            difference(before.steal, after.steal)
        });
        let resolution = cpu.clone().map(|(_, after)| {
            // A tick for each processor at its sampling, and one for our own sum.
            100.0 * f64::from(after.processors + 1) / TICKS_PER_SECOND
        });
        let processes = both(&before.processes, &after.processes);
        let foreign = processes
            .known()
            .filter(|_| nanoseconds > 0)
            .map(|(before, after)| after.foreign_since(before, seconds))
            .unwrap_or_default();
        Watch {
            seconds,
            others_cpu_percent: rate(others_ticks(before, after).map(percent_of_ticks)),
            resolution_percent: rate(resolution),
            pressure_percent: rate(pressure.clone().and_then(|(before, after)| {
                difference(before.total_microseconds, after.total_microseconds)
                    .map(|microseconds| 100.0 * microseconds as f64 / 1e6)
            })),
            pressure_last_ten_seconds_percent: pressure
                .map(|(_, after)| after.last_ten_seconds_percent),
            steal_percent: rate(steal.map(percent_of_ticks)),
            context_switches_per_second: rate(cpu.and_then(|(before, after)| {
                difference(before.context_switches, after.context_switches)
                    .map(|count| count as f64)
            })),
            major_faults: memory
                .clone()
                .and_then(|(before, after)| difference(before.major_faults, after.major_faults)),
            swapped_pages: memory
                .and_then(|(before, after)| difference(before.swapped_pages, after.swapped_pages)),
            suspended_milliseconds: suspended(before, after),
            foreign,
        }
    }
}

/// Ticks that are neither idle nor ours. Ours are counted exactly and the machine's by sampling, so
/// the difference can fall a little below zero: that is zero.
fn others_ticks(before: &Snapshot, after: &Snapshot) -> Reading<u64> {
    both(&before.cpu, &after.cpu).and_then(|(cpu_before, cpu_after)| {
        both(&before.processes, &after.processes).and_then(|(ours_before, ours_after)| {
            let Some(ours) = ours_after.our_ticks().checked_sub(ours_before.our_ticks()) else {
                return Reading::unknown("one of our processes went without being waited for");
            };
            difference(cpu_before.busy, cpu_after.busy).map(|busy| busy.saturating_sub(ours))
        })
    })
}

fn percent_of_ticks(ticks: u64) -> f64 {
    100.0 * ticks as f64 / TICKS_PER_SECOND
}

/// The boot clock goes on while the machine sleeps, the monotonic one does not.
fn suspended(before: &Snapshot, after: &Snapshot) -> Reading<f64> {
    let (Some(boot_before), Some(boot_after)) =
        (before.clocks.boottime_nanoseconds, after.clocks.boottime_nanoseconds)
    else {
        return Reading::unknown("this platform has no clock that goes on in sleep");
    };
    let monotonic =
        after.clocks.monotonic_nanoseconds.saturating_sub(before.clocks.monotonic_nanoseconds);
    let asleep = boot_after.saturating_sub(boot_before).saturating_sub(monotonic);
    Reading::Known(asleep as f64 / 1e6)
}

fn both<T: Clone>(before: &Reading<T>, after: &Reading<T>) -> Reading<(T, T)> {
    before.clone().and_then(|before| after.clone().map(|after| (before, after)))
}

fn difference(before: u64, after: u64) -> Reading<u64> {
    Reading::from_option(after.checked_sub(before), BACKWARDS)
}
