//! The difference of two snapshots.

use serde::Serialize;

use super::TICKS_PER_SECOND;
use super::clocks::{step_milliseconds, suspended_milliseconds};
use super::pressure::Pressure;
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
    /// Share of the window in which somebody waited for memory to be freed or read back.
    pub memory_pressure_percent: Reading<f64>,
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
    /// By how much the wall clock was set, milliseconds; negative when it was set back.
    pub clock_step_milliseconds: Reading<f64>,
    /// How often a core or package was slowed by heat or power; a package counts for each of its
    /// processors.
    pub throttle_events: Reading<u64>,
    /// Periods in which the container's quota stopped its processes.
    pub throttled_periods: Reading<u64>,
    /// Processor time of our workers, all threads together.
    pub worker_cpu_percent: Reading<f64>,
    /// Of the time in which a thread of our workers could run, the share in which it waited for a
    /// processor.
    pub run_queue_wait_percent: Reading<f64>,
    /// Context switches a second of our workers' threads.
    pub worker_switches_per_second: Reading<f64>,
    /// Moves of our workers' threads from one processor to another, a second.
    pub worker_migrations_per_second: Reading<f64>,
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
        let waited = |before: &Reading<Pressure>, after: &Reading<Pressure>| {
            rate(both(before, after).and_then(|(before, after)| {
                difference(before.total_microseconds, after.total_microseconds)
                    .map(|microseconds| 100.0 * microseconds as f64 / 1e6)
            }))
        };
        let cpu = both(&before.cpu, &after.cpu);
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
        let workers =
            both(&before.workers, &after.workers).map(|(before, after)| after.since(&before));
        Watch {
            seconds,
            others_cpu_percent: rate(others_ticks(before, after).map(percent_of_ticks)),
            resolution_percent: rate(resolution),
            pressure_percent: waited(&before.pressure, &after.pressure),
            pressure_last_ten_seconds_percent: both(&before.pressure, &after.pressure)
                .map(|(_, after)| after.last_ten_seconds_percent),
            memory_pressure_percent: waited(&before.memory_pressure, &after.memory_pressure),
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
            suspended_milliseconds: suspended_milliseconds(before.clocks, after.clocks),
            clock_step_milliseconds: step_milliseconds(before.clocks, after.clocks),
            throttle_events: both(&before.throttle_events, &after.throttle_events)
                .and_then(|(before, after)| difference(before, after)),
            throttled_periods: both(&before.throttled_periods, &after.throttled_periods)
                .and_then(|(before, after)| difference(before, after)),
            worker_cpu_percent: rate(
                workers.clone().map(|moves| 100.0 * moves.run_nanoseconds as f64 / 1e9),
            ),
            run_queue_wait_percent: workers.clone().and_then(|moves| {
                let could_run = moves.run_nanoseconds.saturating_add(moves.wait_nanoseconds);
                if could_run == 0 {
                    return Reading::unknown("no thread of our workers was ready to run");
                }
                Reading::Known(100.0 * moves.wait_nanoseconds as f64 / could_run as f64)
            }),
            worker_switches_per_second: rate(
                workers.clone().and_then(|moves| moves.switches).map(|count| count as f64),
            ),
            worker_migrations_per_second: rate(
                workers.and_then(|moves| moves.migrations).map(|count| count as f64),
            ),
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

fn both<T: Clone>(before: &Reading<T>, after: &Reading<T>) -> Reading<(T, T)> {
    before.clone().and_then(|before| after.clone().map(|after| (before, after)))
}

fn difference(before: u64, after: u64) -> Reading<u64> {
    Reading::from_option(after.checked_sub(before), BACKWARDS)
}
