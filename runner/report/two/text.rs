//! Both records for a terminal, and for programs.

use serde_json::{Value, json};

use super::facts::{About, Fact, facts};
use super::pairs::{Intervals, Pair, pairs};
use crate::record::{FigureState, Record, verdict_word};
use crate::report::escape::plain_text;
use crate::report::rows::{estimate, interval, name, reason_word};
use crate::report::terminal::{Style, new_table, trimmed, verdict_cell, wrapped};
use crate::verdict::Comparison;

const NO_VERDICT: &str = "no verdict on the difference: the two were not measured beside each other; an experiment with \
     both as arms would judge it";

/// Two records side by side. Ends with a newline.
#[must_use]
pub fn two_records_text(
    (first, first_state): (&Record, &FigureState),
    (second, second_state): (&Record, &FigureState),
    width: usize,
    style: Style,
) -> String {
    let mut out = Vec::new();
    for (label, record, state) in [("first ", first, first_state), ("second", second, second_state)]
    {
        out.push(wrapped(&format!("{label} {}: {}", place(record), record.plan.title), width, 2));
        if !state.is_current() {
            out.push(wrapped(&format!("  ! {}", state.said()), width, 4));
        }
    }
    let facts = facts(first, second);
    out.push(wrapped(&format!("the same: {}", same(&facts)), width, 2));
    let differing: Vec<&Fact> = facts.iter().filter(|fact| !fact.is_same()).collect();
    if !differing.is_empty() {
        let mut table = new_table(width, style);
        table.set_header(vec!["differs", "first", "second"]);
        for fact in &differing {
            let cells = [&fact.name, &fact.first, &fact.second];
            table.add_row(cells.map(|cell| plain_text(cell)));
        }
        out.push(trimmed(&table));
    }
    if let Some(warning) = warning(&differing) {
        out.push(wrapped(&warning, width, 2));
    }
    let mut table = new_table(width, style);
    table.set_header(vec!["comparison", "first", "second", "intervals"]);
    for pair in pairs(first, second) {
        let mut cells = vec![comfy_table::Cell::new(plain_text(&pair_name(&pair)))];
        for side in [pair.first, pair.second] {
            let text = side.map_or_else(|| "not in it".to_owned(), outcome);
            let verdict = side.map(|comparison| comparison.verdict);
            cells.push(verdict_cell(&text, verdict, style));
        }
        cells.push(comfy_table::Cell::new(pair.intervals().words()));
        table.add_row(cells);
    }
    out.push(trimmed(&table));
    out.push(wrapped(NO_VERDICT, width, 2));
    out.join("\n") + "\n"
}

/// The same for programs.
#[must_use]
pub fn two_records_json(first: &Record, second: &Record) -> Value {
    let facts = facts(first, second);
    let differing: Vec<&Fact> = facts.iter().filter(|fact| !fact.is_same()).collect();
    let side = |comparison: Option<&Comparison>| {
        let comparison = comparison?;
        let effect = comparison.effect.as_ref();
        let finite = |log: Option<f64>| log.map(libm::exp).filter(|factor| factor.is_finite());
        Some(json!({
            "arm": comparison.arm,
            "verdict": verdict_word(comparison.verdict),
            "reason": reason_word(comparison.reason.code),
            "ratio_to_off": finite(effect.map(|effect| effect.log_ratio)),
            "lo": finite(effect.and_then(|effect| effect.lo)),
            "hi": finite(effect.and_then(|effect| effect.hi)),
            "confidence_percent": effect.map(|effect| effect.confidence_percent),
        }))
    };
    let pairs: Vec<Value> = pairs(first, second)
        .iter()
        .map(|pair| {
            json!({
                "condition": pair.first.or(pair.second).map(|one| &one.condition),
                "first": side(pair.first),
                "second": side(pair.second),
                "intervals": match pair.intervals() {
                    Intervals::Overlap => Some("overlap"),
                    Intervals::Apart => Some("apart"),
                    Intervals::Unknown => None,
                },
                "unlike_arms": pair.unlike,
            })
        })
        .collect();
    json!({
        "first": place(first),
        "second": place(second),
        "same": facts.iter().filter(|fact| fact.is_same()).map(|fact| json!({
            "what": fact.name, "value": fact.first,
        })).collect::<Vec<Value>>(),
        "differs": differing.iter().map(|fact| json!({
            "what": fact.name, "first": fact.first, "second": fact.second,
        })).collect::<Vec<Value>>(),
        "warning": warning(&differing),
        "comparisons": pairs,
        "verdict": null,
        "verdict_reason": NO_VERDICT,
    })
}

/// What is the same, with its values; of machine and engine how much of it.
fn same(facts: &[Fact]) -> String {
    let same = facts.iter().filter(|fact| fact.is_same() && !fact.first.is_empty());
    let told = same.clone().filter(|fact| matches!(fact.about, About::Scope | About::Method));
    let mut parts: Vec<String> = told.map(|fact| format!("{} {}", fact.name, fact.first)).collect();
    let stack = facts.iter().filter(|fact| fact.about == About::Stack).count();
    let alike = same.filter(|fact| fact.about == About::Stack).count();
    parts.push(if alike == stack {
        format!("machine and engine ({stack} facts)")
    } else {
        format!("{alike} of {stack} facts of machine and engine")
    });
    parts.join("; ")
}

/// Says which other things may be behind a difference between the ratios.
fn warning(differing: &[&Fact]) -> Option<String> {
    let hidden: Vec<&str> = differing
        .iter()
        .filter(|fact| matches!(fact.about, About::Scope | About::Stack))
        .map(|fact| fact.name.as_str())
        .collect();
    let things = hidden.join(", ");
    (!hidden.is_empty()).then(|| {
        format!("warning: a difference between the ratios below may come from any of: {things}")
    })
}

fn place(record: &Record) -> String {
    format!("{}/{}", record.sealed.id, record.sealed.run)
}

fn pair_name(pair: &Pair<'_>) -> String {
    let named = |comparison: Option<&Comparison>| {
        comparison.map(|comparison| name(&comparison.arm, &comparison.condition))
    };
    let text = match (named(pair.first), named(pair.second)) {
        (Some(one), Some(other)) if one != other => format!("{one}, {other}"),
        (Some(one), _) => one,
        (None, other) => other.unwrap_or_default(),
    };
    match &pair.unlike {
        Some((one, other)) => format!("{text}: two things of one name ({one}; {other})"),
        None => text,
    }
}

fn outcome(comparison: &Comparison) -> String {
    let verdict =
        format!("{}: {}", verdict_word(comparison.verdict), reason_word(comparison.reason.code));
    match &comparison.effect {
        Some(effect) => {
            let interval = interval(Some(effect)).replace(", ", "\nat ");
            format!("{}\n{interval}\n{verdict}", estimate(effect))
        }
        None => format!("no figure\n{verdict}"),
    }
}
