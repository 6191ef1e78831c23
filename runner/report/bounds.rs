//! How much of the machine's bounds each arm reached, and what the canary showed.

use super::rows::{counted, name};
use crate::record::Record;
use crate::verdict::{ALLOWANCE, Bound, BoundReached, BoundState, BoundsEvidence, CanarySpread};

/// What to do where nothing is stored for the machine.
const MEASURE: &str = "bound unknown: run `runner machine bounds`";

/// A line for each arm and bound; nothing for a record without the evidence.
pub(super) fn bounds(record: &Record) -> Vec<String> {
    let Some(evidence) = &record.sealed.facts.bounds else { return Vec::new() };
    let mut lines = Vec::new();
    match &evidence.machine {
        None => lines.push(MEASURE.to_owned()),
        Some(machine) => {
            lines.extend(record.sealed.analysis.bounds.iter().filter_map(reached));
            let day = machine.measured_at.get(..10).unwrap_or("unknown");
            lines.push(format!("largest values seen: {}, measured {day}", machine.machine));
        }
    }
    lines.extend(evidence.unknown.iter().map(|what| format!("unknown: {what}")));
    lines.push(proof(evidence));
    lines
}

fn reached(found: &BoundReached) -> Option<String> {
    let name = name(&found.arm, &found.condition);
    let what = found.bound.largest_seen();
    let (Some(largest), Some(share)) = (found.largest_seen, found.share_percent()) else {
        // why the arithmetic bound is unknown stands once for all arms
        return (found.bound != Bound::MultiplyAdds).then(|| {
            format!(
                "{name}: bound unknown: the {} of {} are fewer than the smallest working set that \
                 was measured, and may lie in a faster cache",
                found.bound.amount(found.of_an_evaluation as f64),
                found.counted_in.single()
            )
        });
    };
    let figures = format!(
        "{:.0} % of {what} ({} of {}, {} {})",
        share,
        found.bound.a_second(found.value),
        found.bound.a_second(largest),
        found.bound.amount(found.of_an_evaluation as f64),
        found.counted_in.single(),
    );
    let greatest = || format!("{} in {}", found.bound.a_second(found.greatest), found.greatest_at);
    Some(match found.state {
        BoundState::Within | BoundState::Unknown => format!("{name} reaches {figures}"),
        BoundState::OverLargestSeen => format!(
            "warning: {name} reaches {figures}, and {}: more than was seen, less than {ALLOWANCE} \
             times that; measure the bounds again on a quiet machine",
            greatest()
        ),
        BoundState::Passed => format!("{name} PASSES its bound: {figures}; {}", greatest()),
    })
}

fn proof(evidence: &BoundsEvidence) -> String {
    let proof = &evidence.proof;
    format!(
        "shown able to fail before the first block: a made-up {} was refused (limit {})",
        Bound::ReadBandwidth.a_second(proof.impossible_bytes_per_second),
        Bound::ReadBandwidth.a_second(proof.limit_bytes_per_second),
    )
}

/// The machine's noise figure, on one line.
pub(super) fn canary(record: &Record) -> Option<String> {
    let canary = record.sealed.facts.canary.as_ref()?;
    Some(format!(
        "canary before each block: processor {}, memory {}, {}",
        half(&canary.processor),
        half(&canary.memory),
        counted(canary.processor.n, "reading")
    ))
}

fn half(spread: &CanarySpread) -> String {
    let milliseconds = |nanoseconds: f64| format!("{:.2}", nanoseconds * 1e-6);
    format!(
        "{} ms (quartiles {} to {}, spread {:.1} %)",
        milliseconds(spread.median),
        milliseconds(spread.q1),
        milliseconds(spread.q3),
        spread.spread_percent
    )
}
