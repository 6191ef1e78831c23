//! What was seen of the workers' processes: the memory guard, memory readings, warm-up, environment.

use super::rows::{counted, name};
use crate::record::Record;
use crate::stats::quantile;
use crate::verdict::{ArmWarmUp, GuardedLimit, MemoryReading, WarmUpOutcome, condition_label};

/// Heading of the memory readings.
pub(super) const MEMORY_HEADING: &str = "Memory as the system saw it, at the end of each round";

/// A megabyte, bytes.
const MEGABYTE: f64 = 1e6;

/// Lines on how the run went: limits that held, and arms that did not come to rest.
pub(super) fn run_lines(record: &Record) -> Vec<String> {
    let facts = &record.sealed.facts.processes;
    let mut lines: Vec<String> = facts.memory_guard.iter().map(guarded).collect();
    if let Some(why) = &facts.memory_unknown {
        lines.push(format!("memory of this machine is no limit, it is unknown: {why}"));
    }
    lines.extend(warm_ups(record));
    lines
}

fn guarded(limit: &GuardedLimit) -> String {
    format!(
        "memory computed from allocations: {} of {} ({}); the guard refused {} bytes first",
        megabytes(limit.computed_bytes),
        megabytes(limit.limit_bytes),
        limit.limit,
        limit.refused_bytes
    )
}

/// A line an arm and condition: how many pieces it took; then one for each time it did not settle.
fn warm_ups(record: &Record) -> Vec<String> {
    let all = &record.sealed.facts.processes.warm_up;
    let mut keys: Vec<(&str, u32)> =
        all.iter().map(|one| (one.arm.as_str(), one.condition)).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut lines = Vec::new();
    for (arm, condition) in keys {
        let own = || all.iter().filter(|one| one.arm == arm && one.condition == condition);
        let named = named(record, arm, condition);
        let settled = || own().filter(|one| one.outcome == WarmUpOutcome::Settled);
        let pieces = settled().map(|one| one.nanoseconds.len());
        let (least, most) = (pieces.clone().min(), pieces.max());
        let times = counted(u32::try_from(own().count()).unwrap_or(u32::MAX), "time");
        lines.push(match (least, most) {
            (Some(least), Some(most)) => format!(
                "warm-up of {named}: settled {} of {times}, after {least} to {most} pieces",
                settled().count()
            ),
            _ => format!("warm-up of {named}: settled 0 of {times}"),
        });
        lines.extend(own().filter_map(|one| unsettled(one, &named)));
    }
    lines
}

fn unsettled(one: &ArmWarmUp, named: &str) -> Option<String> {
    let what = match one.outcome {
        WarmUpOutcome::Settled => return None,
        WarmUpOutcome::DidNotSettle => "did not settle",
        WarmUpOutcome::Ended => "ended while warming up",
    };
    let series: Vec<String> =
        one.nanoseconds.iter().map(|time| format!("{:.3}", *time as f64 / 1e6)).collect();
    let pieces = counted(u32::try_from(series.len()).unwrap_or(u32::MAX), "piece");
    Some(format!(
        "warning: {named} {what} in round {} ({pieces}); milliseconds a piece: {}",
        one.round,
        series.join(", ")
    ))
}

fn named(record: &Record, arm: &str, condition: u32) -> String {
    let value = record.plan.condition_values().get(condition as usize).copied().flatten();
    name(arm, &condition_label(&record.plan, value))
}

/// A line an arm: what the operating system said, least, median and most over the rounds. Nothing is
/// judged by it.
pub(super) fn memory_lines(record: &Record) -> Vec<String> {
    let readings = &record.sealed.facts.processes.memory_readings;
    let arms = record.plan.arms.iter().map(|arm| arm.name.as_str());
    let of_arm = |arm: &str| {
        let own: Vec<&MemoryReading> = readings.iter().filter(|one| one.arm == arm).collect();
        if own.is_empty() {
            return None;
        }
        let computed = record.sealed.facts.memory.iter().find(|memory| memory.arm == arm);
        let computed = computed.map(|memory| {
            memory.buffers.iter().fold(0_u64, |sum, one| sum.saturating_add(one.bytes))
        });
        let part = |what: &str, of: fn(&MemoryReading) -> Option<u64>| {
            format!("{what} {}", over_rounds(own.iter().map(|one| of(one))))
        };
        let parts = [
            part("resident", |one| one.resident_bytes),
            part("proportional", |one| one.proportional_bytes),
            part("anonymous", |one| one.anonymous_bytes),
            part("of files", |one| one.file_bytes),
        ];
        let faults = own.iter().try_fold(0_u64, |sum, one| sum.checked_add(one.major_faults?));
        Some(format!(
            "{arm}: {}; major faults {}; computed {}",
            parts.join("; "),
            faults.map_or_else(|| "unknown".to_owned(), |faults| faults.to_string()),
            computed.map_or_else(|| "unknown".to_owned(), megabytes)
        ))
    };
    arms.filter_map(of_arm).collect()
}

/// `12.0 to 14.1 MB, median 13.0`
fn over_rounds(bytes: impl Iterator<Item = Option<u64>>) -> String {
    let known: Vec<f64> = bytes.flatten().map(|bytes| bytes as f64 / MEGABYTE).collect();
    let at = |share: f64| quantile(&known, share);
    match (at(0.0), at(0.5), at(1.0)) {
        (Some(least), Some(median), Some(most)) => {
            format!("{least:.1} to {most:.1} MB, median {median:.1}")
        }
        _ => "unknown".to_owned(),
    }
}

/// Registered variables, and names of those that reached no worker.
pub(super) fn environment_lines(record: &Record) -> Vec<String> {
    let Some(environment) = &record.provenance.environment else { return Vec::new() };
    let mut lines: Vec<String> = environment
        .set
        .iter()
        .map(|(arm, variables)| {
            let pairs: Vec<String> =
                variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("environment of {arm}: {}", pairs.join(", "))
        })
        .collect();
    if !environment.scrubbed.is_empty() {
        let names = environment.scrubbed.join(", ");
        lines.push(format!("variables that were set and did not reach the workers: {names}"));
    }
    lines
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / MEGABYTE)
}
