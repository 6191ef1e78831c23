//! Proof that a treatment ran where it should, and holds what it should: devices and buffer types.

use engine_protocol::{BufferBytes, OperationCount};

use super::analysis::{Reason, ReasonCode};
use super::evidence::RunFacts;
use crate::manifest::{Arm, BufferExpectation, DeviceExpectation};

/// What speaks against the arm's operations having run on the devices that it names.
pub(super) fn devices(arm: &Arm, facts: &RunFacts) -> Option<Reason> {
    if arm.expect_devices.is_empty() {
        return None;
    }
    let name = arm.name.as_str();
    let Some(seen) = facts.engagement.iter().find(|seen| seen.arm == name) else {
        return absent(facts, || format!("no observed run of arm `{name}` shows its devices"));
    };
    let against = |expected: &DeviceExpectation| {
        let count = counted(&seen.operations, Some(&expected.device));
        let all = counted(&seen.operations, None);
        let enough_of_all = expected.at_least_percent.is_none_or(|least| {
            // in wide numbers: counts are u64
            all > 0 && u128::from(count) * 100 >= u128::from(least) * u128::from(all)
        });
        let too_many = expected.at_most.is_some_and(|most| count > most);
        if count >= expected.at_least && enough_of_all && !too_many {
            return None;
        }
        Some(format!(
            "arm `{name}` ran {count} of {all} operations on `{}` in its observed run; expected {}; \
             {}",
            expected.device,
            bounds(expected.at_least, expected.at_most, expected.at_least_percent),
            by_device(&seen.operations)
        ))
    };
    arm.expect_devices.iter().find_map(against).map(not_applied)
}

/// What speaks against the arm's worker having held the buffers that it names.
pub(super) fn buffers(arm: &Arm, facts: &RunFacts) -> Option<Reason> {
    if arm.expect_buffers.is_empty() {
        return None;
    }
    let name = arm.name.as_str();
    let Some(memory) = facts.memory.iter().find(|memory| memory.arm == name) else {
        return absent(facts, || format!("the worker of arm `{name}` told nothing of its buffers"));
    };
    let against = |expected: &BufferExpectation| {
        let held = bytes(&memory.buffers, &expected.buffer);
        let too_many = expected.at_most_bytes.is_some_and(|most| held > most);
        if held >= expected.at_least_bytes && !too_many {
            return None;
        }
        Some(format!(
            "arm `{name}` holds {held} bytes in buffers of type `{}`; expected {}; {}",
            expected.buffer,
            bounds(expected.at_least_bytes, expected.at_most_bytes, None),
            by_type(&memory.buffers)
        ))
    };
    arm.expect_buffers.iter().find_map(against).map(not_applied)
}

fn not_applied(text: String) -> Reason {
    Reason::new(ReasonCode::TreatmentNotApplied, text)
}

/// A run that ended early has a better reason than what it did not come to.
fn absent(facts: &RunFacts, text: impl FnOnce() -> String) -> Option<Reason> {
    facts.end.is_regular().then(|| not_applied(text()))
}

/// Operations on a device, or on all of them.
fn counted(operations: &[OperationCount], device: Option<&str>) -> u64 {
    let here = operations.iter().filter(|one| device.is_none_or(|device| one.device == device));
    here.fold(0_u64, |sum, one| sum.saturating_add(one.count))
}

fn bytes(buffers: &[BufferBytes], buffer: &str) -> u64 {
    let here = buffers.iter().filter(|one| one.device == buffer);
    here.fold(0_u64, |sum, one| sum.saturating_add(one.bytes))
}

/// `at least 1 and at most 9`.
fn bounds(least: u64, most: Option<u64>, percent: Option<u32>) -> String {
    let mut parts = Vec::new();
    if least > 0 {
        parts.push(format!("at least {least}"));
    }
    if let Some(most) = most {
        parts.push(format!("at most {most}"));
    }
    if let Some(percent) = percent {
        parts.push(format!("at least {percent} % of them"));
    }
    parts.join(" and ")
}

/// What was found instead: `it ran on `CPU` (210)`.
fn by_device(operations: &[OperationCount]) -> String {
    let found = summed(operations.iter().map(|one| (one.device.as_str(), one.count)));
    if found.is_empty() { "it ran nothing".to_owned() } else { format!("it ran on {found}") }
}

fn by_type(buffers: &[BufferBytes]) -> String {
    let found = summed(buffers.iter().map(|one| (one.device.as_str(), one.bytes)));
    if found.is_empty() { "it holds none".to_owned() } else { format!("it holds {found}") }
}

/// Sums under each name, in order of arrival.
fn summed<'name>(all: impl Iterator<Item = (&'name str, u64)>) -> String {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    for (name, more) in all {
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.saturating_add(more),
            None => sums.push((name, more)),
        }
    }
    let parts: Vec<String> = sums.iter().map(|(name, sum)| format!("`{name}` ({sum})")).collect();
    parts.join(", ")
}
