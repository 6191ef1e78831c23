//! What stands around a record: its state, earlier looks at its question, amendments, deviations,
//! overrides. None of it is in the sealed table.

use serde_json::{Value, json};

use super::escape::{markdown_text, plain_text};
use super::rows::{counted, estimate, interval, name, reason_word};
use super::terminal::wrapped;
use crate::record::{
    Dated, Deviation, FigureState, Life, LooksBefore, Overruling, Record, verdict_word,
};
use crate::verdict::Verdict;

/// The heading over all of it.
const HEADING: &str = "Life of this record";

/// What has to stand above the figures, where they may not be quoted as they stand.
#[must_use]
pub fn life_banner(life: &Life) -> Option<String> {
    let whole =
        (!life.state.is_current()).then(|| format!("this record {}", life.state.predicate()));
    let single = life.comparisons.iter().map(|one| {
        format!("the figure of {} {}", name(&one.arm, &one.condition), one.state.predicate())
    });
    let all: Vec<String> = whole.into_iter().chain(single).collect();
    (!all.is_empty()).then(|| plain_text(&all.join("; ")))
}

/// Lines for a terminal of this width, under a heading; `None` where nothing stands around it.
#[must_use]
pub fn life_text(life: &Life, width: usize) -> Option<String> {
    let lines: Vec<String> = life_lines(life)
        .iter()
        .map(|line| wrapped(&format!("  {}", plain_text(line)), width, 4))
        .collect();
    (!lines.is_empty()).then(|| format!("{}:\n{}", HEADING.to_lowercase(), lines.join("\n")))
}

/// Lines for a Markdown page, under a heading; `None` where nothing stands around it.
#[must_use]
pub fn life_markdown(life: &Life) -> Option<String> {
    let lines = life_lines(life);
    let lines: String = lines.iter().map(|line| format!("- {}\n", markdown_text(line))).collect();
    (!lines.is_empty()).then(|| format!("\n## {HEADING}\n\n{lines}"))
}

/// The same for programs.
#[must_use]
pub fn life_json(life: &Life) -> Value {
    json!({
        "state": state_json(&life.state),
        "comparisons": life.comparisons.iter().map(|one| json!({
            "arm": one.arm, "condition": one.condition, "state": state_json(&one.state),
        })).collect::<Vec<_>>(),
        "experiment_number": life.before.finished.len() + life.before.unfinished.len() + 1,
        "before": {
            "finished": life.before.finished.iter().map(|(record, verdicts)| json!({
                "record": record,
                "verdicts": verdicts.iter().map(|one| verdict_word(*one)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "unfinished": life.before.unfinished,
            "pilots": life.before.pilots,
        },
        "amendments": life.amendments.iter().map(|one| json!({
            "at": one.when.at, "reason": one.body.reason, "impact": one.body.impact,
            "changed": one.body.changed, "manifest_hash": one.body.manifest_hash.to_string(),
        })).collect::<Vec<_>>(),
        "deviations": life.deviations.iter().map(|one| {
            let mut value = deviation_value(&one.body);
            if let Some(object) = value.as_object_mut() {
                object.insert("at".to_owned(), json!(one.when.at));
            }
            value
        }).collect::<Vec<_>>(),
        "overrides": life.overrulings.iter().map(|one| json!({
            "at": one.when.at, "arm": one.body.arm, "condition": one.body.condition,
            "verdict": verdict_word(one.body.verdict), "decision": one.body.decision,
            "reason": one.body.reason,
        })).collect::<Vec<_>>(),
        "floors": life.anchors.iter().map(|one| json!({
            "at": one.when.at, "floor": one.body.floor.to_string(), "arm": one.body.arm,
            "mechanism": one.body.mechanism,
        })).collect::<Vec<_>>(),
        "withdrawn": life.withdrawn.as_ref().map(|one| json!({
            "at": one.when.at, "reason": one.body.reason,
        })),
    })
}

/// A figure's state for programs.
#[must_use]
pub fn state_json(state: &FigureState) -> Value {
    match state {
        FigureState::Current => json!({ "state": "current" }),
        FigureState::Stale { at, machine, changed } => json!({
            "state": "stale", "at": at, "machine": machine,
            "changed": changed.iter().map(|fact| json!({
                "fact": fact.fact, "then": fact.then, "now": fact.now,
            })).collect::<Vec<_>>(),
        }),
        FigureState::Superseded { by } => json!({ "state": "superseded", "by": by.to_string() }),
        FigureState::Struck { at, cause, replacement } => json!({
            "state": "struck", "at": at, "cause": cause,
            "replacement": replacement.as_ref().map(ToString::to_string),
        }),
    }
}

/// What a deviation found: the registered outcome first.
#[must_use]
pub fn deviation_text(deviation: &Deviation, width: usize) -> String {
    let lines = deviation_lines(deviation);
    let lines: Vec<String> =
        lines.iter().map(|line| wrapped(&plain_text(line), width, 2)).collect();
    lines.join("\n")
}

/// The same for programs.
#[must_use]
pub fn deviation_json(record: &Record, deviation: &Deviation) -> Value {
    let mut value = deviation_value(deviation);
    if let Some(object) = value.as_object_mut() {
        let name = format!("{}/{}", record.sealed.id, record.sealed.run);
        object.insert("record".to_owned(), json!(name));
    }
    value
}

fn deviation_value(deviation: &Deviation) -> Value {
    json!({
        "exploratory": true,
        "reason": deviation.reason,
        "rules_version": deviation.rules_version,
        "manifest_hash": deviation.manifest_hash.to_string(),
        "changed_from_first_registration": deviation.changed,
        "outcomes": deviation.outcomes.iter().map(|one| json!({
            "arm": one.arm, "condition": one.condition,
            "registered_verdict": verdict_word(one.registered),
            "exploratory_verdict": verdict_word(one.verdict),
            "reason_code": reason_word(one.code), "reason": one.why,
        })).collect::<Vec<_>>(),
    })
}

/// All of it in lines, not escaped.
pub(super) fn life_lines(life: &Life) -> Vec<String> {
    let mut lines: Vec<String> = life_banner(life).into_iter().collect();
    lines.extend(before_line(&life.before));
    for Dated { when, body } in &life.amendments {
        lines.push(format!(
            "amended on {} before it was run: {}; impact: {}; changed: {}",
            day(&when.at),
            body.reason,
            body.impact,
            body.changed.join("; ")
        ));
    }
    for Dated { when, body } in &life.deviations {
        let mut of_one = deviation_lines(body).into_iter();
        lines.extend(of_one.next().map(|first| format!("on {}: {first}", day(&when.at))));
        lines.extend(of_one);
    }
    lines.extend(life.overrulings.iter().map(|one| overruled(&one.when.at, &one.body)));
    for Dated { when, body } in &life.anchors {
        let arm = name(&body.arm, &body.condition);
        lines.push(format!(
            "floor {} since {}: the distribution of {arm}; {}",
            body.floor,
            day(&when.at),
            body.mechanism
        ));
    }
    if let Some(Dated { when, body }) = &life.withdrawn {
        lines.push(format!("its registration was withdrawn on {}: {}", day(&when.at), body.reason));
    }
    lines
}

fn deviation_lines(deviation: &Deviation) -> Vec<String> {
    let registered: Vec<String> = deviation
        .outcomes
        .iter()
        .map(|one| format!("{} {}", name(&one.arm, &one.condition), verdict_word(one.registered)))
        .collect();
    let mut lines = vec![
        format!("deviation, exploratory: {}", deviation.reason),
        format!("registered, and what counts: {}", registered.join(", ")),
        format!("changed from the first registration: {}", deviation.changed.join("; ")),
    ];
    lines.extend(deviation.outcomes.iter().map(|one| {
        let effect = one.effect.as_ref().map_or_else(String::new, |effect| {
            format!(", {}, {}", estimate(effect), interval(Some(effect)))
        });
        format!(
            "exploratory: {} would be {} ({}){effect}: {}",
            name(&one.arm, &one.condition),
            verdict_word(one.verdict),
            reason_word(one.code),
            one.why
        )
    }));
    lines
}

fn overruled(at: &str, body: &Overruling) -> String {
    format!(
        "override of {} for {}: {}; because {}. The verdict stays {}",
        day(at),
        name(&body.arm, &body.condition),
        body.decision,
        body.reason,
        verdict_word(body.verdict)
    )
}

/// `experiment 3 on this question; before it: a/1 (void), b/2 (parked), 1 unfinished run, 2 pilots`.
fn before_line(before: &LooksBefore) -> Option<String> {
    if before.count() == 0 {
        return None;
    }
    let number = before.finished.len() + before.unfinished.len() + 1;
    let mut parts: Vec<String> = before
        .finished
        .iter()
        .map(|(record, verdicts)| format!("{record} ({})", counted_verdicts(verdicts)))
        .collect();
    parts.extend(before.unfinished.iter().map(|run| format!("{run} (unfinished)")));
    if !before.pilots.is_empty() {
        parts.push(counted(u32::try_from(before.pilots.len()).unwrap_or(u32::MAX), "pilot"));
    }
    Some(format!("experiment {number} on this question; before it: {}", parts.join(", ")))
}

/// `2 parked, 1 void`.
pub(super) fn counted_verdicts(verdicts: &[Verdict]) -> String {
    let mut counts: std::collections::BTreeMap<Verdict, u32> = std::collections::BTreeMap::new();
    for verdict in verdicts {
        *counts.entry(*verdict).or_default() += 1;
    }
    let listed: Vec<String> = counts
        .iter()
        .map(|(verdict, count)| match count {
            1 if verdicts.len() == 1 => verdict_word(*verdict).to_owned(),
            count => format!("{count} {}", verdict_word(*verdict)),
        })
        .collect();
    if listed.is_empty() { "no verdict".to_owned() } else { listed.join(", ") }
}

fn day(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}
