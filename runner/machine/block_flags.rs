//! What flags a block: sensors that can be told from our own work while it goes on, and that do not
//! know which arm was running.

use std::collections::BTreeMap;

use super::limits::{
    CLOCK_STEP_MILLISECONDS, MEMORY_PRESSURE_PERCENT, STEAL_PERCENT, SUSPEND_MILLISECONDS,
};
use super::reading::Reading;
use super::sensor::{Fit, SensorReading};
use super::watch::Watch;

/// Names of the sensors that were over their limit in this window, in a fixed order.
pub(super) fn block_flags(watch: &Watch, others_cpu_percent: f64) -> Vec<&'static str> {
    let over =
        |reading: &Reading<f64>, limit: f64| reading.known().is_some_and(|value| *value > limit);
    let any = |reading: &Reading<u64>| reading.known().is_some_and(|count| *count > 0);
    // Ticks leave a doubt, large for a short block: only what is over it is a finding.
    let doubt = watch.resolution_percent.known().copied().unwrap_or(0.0);
    let step = watch.clock_step_milliseconds.clone().map(f64::abs);
    let found = [
        ("others_cpu", others(watch, others_cpu_percent).fit == Fit::Unfit),
        ("steal", over(&watch.steal_percent, STEAL_PERCENT + doubt)),
        ("memory_pressure", over(&watch.memory_pressure_percent, MEMORY_PRESSURE_PERCENT)),
        ("swap", any(&watch.swapped_pages)),
        ("throttled", any(&watch.throttle_events)),
        ("quota_throttled", any(&watch.throttled_periods)),
        ("suspend", over(&watch.suspended_milliseconds, SUSPEND_MILLISECONDS)),
        ("clock_step", over(&step, CLOCK_STEP_MILLISECONDS)),
    ];
    found.into_iter().filter(|(_, found)| *found).map(|(name, _)| name).collect()
}

/// Whether each sensor that may shut the gate or flag a block gave a reading.
pub(super) fn states(watch: &Watch) -> [(&'static str, bool); 9] {
    fn read<T>(reading: &Reading<T>) -> bool {
        reading.known().is_some()
    }
    [
        ("others_cpu", read(&watch.others_cpu_percent)),
        ("pressure", read(&watch.pressure_percent)),
        ("memory_pressure", read(&watch.memory_pressure_percent)),
        ("steal", read(&watch.steal_percent)),
        ("swap", read(&watch.swapped_pages)),
        ("throttled", read(&watch.throttle_events)),
        ("quota_throttled", read(&watch.throttled_periods)),
        ("suspend", read(&watch.suspended_milliseconds)),
        ("clock_step", read(&watch.clock_step_milliseconds)),
    ]
}

/// Information on a block, by name and unit; what could not be read is left out.
pub(super) fn block_readings(watch: &Watch) -> BTreeMap<&'static str, f64> {
    let faults = watch.major_faults.clone().map(|count| count as f64);
    let readings = [
        ("others_cpu_percent", &watch.others_cpu_percent),
        ("worker_cpu_percent", &watch.worker_cpu_percent),
        ("run_queue_wait_percent", &watch.run_queue_wait_percent),
        ("worker_switches_per_second", &watch.worker_switches_per_second),
        ("worker_migrations_per_second", &watch.worker_migrations_per_second),
        ("context_switches_per_second", &watch.context_switches_per_second),
        ("major_faults", &faults),
    ];
    let known = readings.into_iter().filter_map(|(name, reading)| Some((name, *reading.known()?)));
    known.filter(|(_, value)| value.is_finite()).collect()
}

/// Others' time less what the ticks leave in doubt, against the limit.
pub(super) fn others(watch: &Watch, limit: f64) -> SensorReading {
    let doubt = watch.resolution_percent.known().copied().unwrap_or(0.0);
    let value = watch.others_cpu_percent.clone().map(|percent| (percent - doubt).max(0.0));
    let busiest = watch.foreign.first().map_or_else(
        || "wait until others are done".to_owned(),
        |process| format!("stop or wait for {}", process.name),
    );
    SensorReading::new("others_cpu", value, "% of one processor", limit, busiest)
}
