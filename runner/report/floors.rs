//! Floors, and records held against them.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::figures::{confidence, percent_change, quantity};
use super::rows::name;
use super::terminal::wrapped;
use crate::record::{Floor, FloorCheck, FloorDistribution, FloorName, FloorOutcome};
use std::collections::BTreeMap;

/// All floors, for a terminal of this width.
#[must_use]
pub fn floors_text(floors: &BTreeMap<FloorName, Floor>, width: usize) -> String {
    if floors.is_empty() {
        return "no floor is set; `runner record anchor` sets one".to_owned();
    }
    let mut lines = Vec::new();
    for (floor, stands) in floors {
        let anchor = &stands.anchor;
        lines.push(format!(
            "{floor}: {}, {} of {}",
            distribution_text(&anchor.distribution, &anchor.unit),
            plain_text(&name(&anchor.arm, &anchor.condition)),
            stands.record
        ));
        let moved = match stands.moves {
            0 => "set".to_owned(),
            1 => "moved once, last".to_owned(),
            times => format!("moved {times} times, last"),
        };
        let day = stands.at.get(..10).unwrap_or(&stands.at);
        let line = format!("  {moved} on {day}: {}", plain_text(&anchor.mechanism));
        lines.push(wrapped(&line, width, 4));
        if !stands.state.is_current() {
            let line = format!("  ! its record {}", plain_text(&stands.state.predicate()));
            lines.push(wrapped(&line, width, 4));
        }
    }
    lines.join("\n")
}

/// The same for programs.
#[must_use]
pub fn floors_json(floors: &BTreeMap<FloorName, Floor>) -> Value {
    let all = floors.iter().map(|(floor, stands)| {
        json!({
            "floor": floor.to_string(),
            "record": stands.record.to_string(),
            "arm": stands.anchor.arm,
            "condition": stands.anchor.condition,
            "metric": stands.anchor.metric,
            "unit": stands.anchor.unit,
            "at": stands.at,
            "moves": stands.moves,
            "record_state": stands.state.word(),
            "mechanism": stands.anchor.mechanism,
            "distribution": stands.anchor.distribution,
        })
    });
    json!({ "floors": all.collect::<Vec<Value>>() })
}

/// A record held against a floor, for a terminal of this width.
#[must_use]
pub fn floor_check_text(floor: &Floor, record: &str, check: &FloorCheck, width: usize) -> String {
    let unit = &floor.anchor.unit;
    let mut lines = vec![format!(
        "{}: {} ({})",
        floor.anchor.floor,
        distribution_text(&floor.anchor.distribution, unit),
        floor.record
    )];
    if let Some(now) = &check.now {
        lines.push(format!("{record}: {}", distribution_text(now, unit)));
    }
    if let Some(interval) = &check.interval {
        lines.push(format!(
            "change {}, {} to {}, {}; unpaired, over rounds",
            percent_change(interval.difference),
            percent_change(interval.lo),
            percent_change(interval.hi),
            confidence(95.0)
        ));
    }
    let margin = check.margin_percent;
    lines.push(match &check.outcome {
        FloorOutcome::Holds => format!("holds: no fall of {margin} % or more"),
        FloorOutcome::Fell => format!("fell: by more than the margin of {margin} %"),
        FloorOutcome::Open => {
            format!("open: the interval crosses the margin of -{margin} %; more rounds would tell")
        }
        FloorOutcome::CannotJudge { why } => format!("cannot be judged: {}", plain_text(why)),
    });
    if let Some(percent) = check.could_show_percent {
        lines.push(format!("so many rounds tell a fall of {percent:.1} % or more from none"));
    }
    let lines: Vec<String> = lines.iter().map(|line| wrapped(line, width, 2)).collect();
    lines.join("\n")
}

/// The same for programs.
#[must_use]
pub fn floor_check_json(floor: &Floor, record: &str, check: &FloorCheck) -> Value {
    let (outcome, why) = match &check.outcome {
        FloorOutcome::Holds => ("holds", None),
        FloorOutcome::Fell => ("fell", None),
        FloorOutcome::Open => ("open", None),
        FloorOutcome::CannotJudge { why } => ("cannot_judge", Some(why)),
    };
    json!({
        "floor": floor.anchor.floor.to_string(),
        "floor_record": floor.record.to_string(),
        "record": record,
        "outcome": outcome,
        "reason": why,
        "margin_percent": check.margin_percent,
        "could_show_percent": check.could_show_percent,
        "log_change": check.interval.map(|interval| interval.difference),
        "lo": check.interval.map(|interval| interval.lo),
        "hi": check.interval.map(|interval| interval.hi),
        "then": floor.anchor.distribution,
        "now": check.now,
    })
}

/// `400.8 tokens/s (5 to 95 %: 370.1 to 436.8), 8 rounds`.
fn distribution_text(distribution: &FloorDistribution, unit: &str) -> String {
    let [low, _, median, _, high] = distribution.percentiles;
    format!(
        "{} (5th to 95th percentile {} to {}), {} rounds",
        quantity(median, unit),
        quantity(low, unit),
        quantity(high, unit),
        distribution.n
    )
}
