//! Sensors that need a window in which our own processes are idle, else the pressure is ours.

use super::finding::{Finding, Value};
use crate::machine::facts::Facts;
use crate::machine::gate::GateLimits;
use crate::machine::limits::{
    CLOCK_STEP_MILLISECONDS, MEMORY_PRESSURE_PERCENT, STEAL_PERCENT, SUSPEND_MILLISECONDS,
};
use crate::machine::reading::Reading;
use crate::machine::sensor::SensorReading;
use crate::machine::watch::Watch;

pub(super) fn findings(watch: &Watch, limits: &GateLimits, facts: &Facts) -> Vec<Finding> {
    let busiest = busiest(watch);
    let counted = |reading: &Reading<u64>| reading.clone().map(|count| count as f64);
    let limited: [(&'static str, Reading<f64>, &'static str, f64, &str); 9] = [
        (
            "others_cpu",
            watch.others_cpu_percent.clone(),
            "% of one processor",
            limits.others_cpu_percent,
            &busiest,
        ),
        (
            "pressure",
            watch.pressure_percent.clone(),
            "% of the time",
            limits.pressure_percent,
            &busiest,
        ),
        (
            "memory_pressure",
            watch.memory_pressure_percent.clone(),
            "% of the time",
            MEMORY_PRESSURE_PERCENT,
            "memory is short: close what is large, or use a smaller model",
        ),
        (
            "steal",
            steal(watch, facts),
            "% of one processor",
            STEAL_PERCENT,
            "other virtual machines take this one's time: measure elsewhere or at another hour",
        ),
        (
            "swap",
            counted(&watch.swapped_pages),
            "pages",
            0.0,
            "memory is short: close what is large, or use a smaller model",
        ),
        (
            "throttled",
            counted(&watch.throttle_events),
            "events",
            0.0,
            "the processor slows itself by heat or power: let it cool, clean the fan, turn turbo off",
        ),
        (
            "quota_throttled",
            counted(&watch.throttled_periods),
            "periods",
            0.0,
            "the container's quota stops its processes: raise the limit",
        ),
        (
            "suspend",
            watch.suspended_milliseconds.clone(),
            "ms",
            SUSPEND_MILLISECONDS,
            "the machine slept: keep it awake",
        ),
        (
            "clock_step",
            watch.clock_step_milliseconds.clone().map(f64::abs),
            "ms",
            CLOCK_STEP_MILLISECONDS,
            "somebody sets the wall clock: let the time service finish, or stop it",
        ),
    ];
    let mut findings: Vec<Finding> = limited
        .into_iter()
        .map(|(name, value, unit, limit, advice)| {
            Finding::at_most(SensorReading::new(name, value, unit, limit, advice))
        })
        .collect();
    let faults = counted(&watch.major_faults);
    // how our workers fare is read around blocks: here none of them runs
    let information = [
        ("major_faults", &faults, "pages"),
        ("context_switches", &watch.context_switches_per_second, "a second"),
    ];
    findings.extend(information.map(|(name, reading, unit)| {
        Finding::information(name, reading.clone().map(Value::Number), unit)
    }));
    findings
}

/// Where there is no hypervisor, nobody can steal.
fn steal(watch: &Watch, facts: &Facts) -> Reading<f64> {
    let on_metal = facts.hypervisor.known().is_some_and(|name| name == "none");
    match &watch.steal_percent {
        Reading::Unknown(_) if on_metal => Reading::Known(0.0),
        reading => reading.clone(),
    }
}

fn busiest(watch: &Watch) -> String {
    let busiest: Vec<String> = watch
        .foreign
        .iter()
        .take(3)
        .map(|process| format!("{} ({:.0} %)", process.name, process.cpu_percent))
        .collect();
    if busiest.is_empty() {
        "wait until others are done".to_owned()
    } else {
        format!("stop or wait for {}", busiest.join(", "))
    }
}
