//! What `record stale` found.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::rows::counted;
use super::terminal::wrapped;
use crate::record::{StaleCheck, StaleChecks, StaleStep};

/// What was found and marked, and what is to be measured again, for a terminal of this width.
#[must_use]
pub fn stale_text(found: &StaleChecks, width: usize) -> String {
    let mut lines = Vec::new();
    for check in &found.checks {
        let word = match check.step() {
            StaleStep::Nothing if check.waits() => "stale already",
            StaleStep::Nothing => continue,
            StaleStep::MarkStale => "stale",
            StaleStep::MarkSuperseded => "superseded",
            StaleStep::MarkCurrent => "current again",
        };
        let by = check.newer.as_ref().map_or_else(String::new, |newer| format!(" by {newer}"));
        let line = format!("{word}{by}: {}: {}", check.record, changes(check));
        lines.push(wrapped(&plain_text(&line), width, 4));
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let current = found.checks.iter().filter(|check| check.changed.is_empty()).count();
    lines.push(format!(
        "{} compared, {current} unchanged",
        counted(count(found.checks.len()), "record")
    ));
    if !found.of_other_machines.is_empty() {
        let others = counted(count(found.of_other_machines.len()), "record");
        lines.push(format!(
            "{others} of other machines, not compared (`--every-machine` compares them)"
        ));
    }
    for record in &found.unreadable {
        lines.push(format!("not readable: {record}; `runner record verify` says why"));
    }
    let not_compared = found.checks.iter().filter(|check| !check.not_compared.is_empty()).count();
    if not_compared > 0 {
        let records = counted(count(not_compared), "record");
        lines.push(format!(
            "{records}: the engine's facts were not compared (it is not built in here)"
        ));
    }
    let waiting: Vec<&StaleCheck> = found.checks.iter().filter(|check| check.waits()).collect();
    if !waiting.is_empty() {
        lines.push(
            "to be measured again, each under a new id with prior_access = \"seen\":".to_owned(),
        );
        for check in waiting {
            let line = format!("  experiments/{}.toml  {}", check.record.id, check.title);
            lines.push(wrapped(&plain_text(&line), width, 6));
        }
    }
    lines.join("\n")
}

/// The same for programs.
#[must_use]
pub fn stale_json(found: &StaleChecks) -> Value {
    json!({
        "records": found.checks.iter().map(|check| json!({
            "record": check.record.to_string(),
            "title": check.title,
            "machine": check.machine,
            "before": check.before.word(),
            "step": match check.step() {
                StaleStep::Nothing => "nothing",
                StaleStep::MarkStale => "mark_stale",
                StaleStep::MarkSuperseded => "mark_superseded",
                StaleStep::MarkCurrent => "mark_current",
            },
            "changed": check.changed,
            "not_compared": check.not_compared,
            "superseded_by": check.newer.as_ref().map(ToString::to_string),
            "measure_again": check.waits(),
        })).collect::<Vec<Value>>(),
        "of_other_machines": found.of_other_machines.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "unreadable": found.unreadable.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn changes(check: &StaleCheck) -> String {
    if check.changed.is_empty() {
        return "all that matters is as it was".to_owned();
    }
    let changes = check.changed.iter();
    let changes: Vec<String> =
        changes.map(|fact| format!("{} from {} to {}", fact.fact, fact.then, fact.now)).collect();
    changes.join("; ")
}
