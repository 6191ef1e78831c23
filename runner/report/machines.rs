//! What several machines gave for one experiment, beside each other. Each has its own verdict; of the
//! difference between machines there is none.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::rows::{estimate, interval, name, reason_word};
use super::terminal::{Style, new_table, trimmed, verdict_cell, wrapped};
use crate::record::{Record, verdict_word};
use crate::verdict::Comparison;

const NOTE: &str = "the pairs of a row were measured on one machine; of the difference between machines \
                    there is no verdict";

/// What a record was measured on: a machine, and the partition of a cluster that it stands in.
fn place(record: &Record) -> (String, Option<String>) {
    let facts = &record.provenance.start.machine;
    let machine = facts.get("machine").map_or("unknown", String::as_str).to_owned();
    let partition = record.provenance.scheduler.as_ref().map(|one| one.partition.clone());
    (machine, partition)
}

/// Every comparison by machine; `None` where all records are of one. Ends with a newline.
#[must_use]
pub fn by_machine_text(records: &[Record], width: usize, style: Style) -> Option<String> {
    let ordered = ordered(records)?;
    let mut table = new_table(width, style);
    table.set_header(vec!["machine", "run", "comparison", "ratio", "verdict"]);
    for record in ordered {
        for comparison in &record.sealed.analysis.comparisons {
            let figure = comparison.effect.as_ref().map_or_else(
                || "no figure".to_owned(),
                |effect| format!("{}\n{}", estimate(effect), interval(Some(effect))),
            );
            let verdict = verdict_word(comparison.verdict);
            let verdict = format!("{verdict}: {}", reason_word(comparison.reason.code));
            let run = match record.sealed.attempt {
                1 => record.sealed.run.to_string(),
                attempt => format!("{}\nattempt {attempt}", record.sealed.run),
            };
            let cells = [machine_words(record), run, name_of(comparison), figure];
            let mut row: Vec<comfy_table::Cell> =
                cells.map(|cell| comfy_table::Cell::new(plain_text(&cell))).to_vec();
            row.push(verdict_cell(&verdict, Some(comparison.verdict), style));
            table.add_row(row);
        }
    }
    let note = wrapped(NOTE, width, 2);
    Some(format!("by machine:\n{}\n{note}\n", trimmed(&table)))
}

/// The same for programs; null where all records are of one machine.
#[must_use]
pub fn by_machine_json(records: &[Record]) -> Value {
    let Some(ordered) = ordered(records) else { return Value::Null };
    let rows: Vec<Value> = ordered
        .into_iter()
        .flat_map(|record| {
            record.sealed.analysis.comparisons.iter().map(move |one| row(record, one))
        })
        .collect();
    json!({ "rows": rows, "verdict": null, "verdict_reason": NOTE })
}

fn row(record: &Record, comparison: &Comparison) -> Value {
    let (machine, partition) = place(record);
    let effect = comparison.effect.as_ref();
    let finite = |log: Option<f64>| log.map(libm::exp).filter(|factor| factor.is_finite());
    json!({
        "machine": machine,
        "processor": record.provenance.start.machine.get("cpu_model"),
        "partition": partition,
        "run": record.sealed.run,
        "attempt": record.sealed.attempt,
        "arm": comparison.arm,
        "condition": comparison.condition,
        "verdict": verdict_word(comparison.verdict),
        "reason": reason_word(comparison.reason.code),
        "ratio_to_off": finite(effect.map(|effect| effect.log_ratio)),
        "lo": finite(effect.and_then(|effect| effect.lo)),
        "hi": finite(effect.and_then(|effect| effect.hi)),
    })
}

/// By machine, then by time; `None` where there is one machine.
fn ordered(records: &[Record]) -> Option<Vec<&Record>> {
    let mut places: Vec<_> = records.iter().map(place).collect();
    places.sort();
    places.dedup();
    let mut ordered: Vec<&Record> = records.iter().collect();
    ordered.sort_by_key(|record| (place(record), record.sealed.run.clone()));
    (places.len() > 1).then_some(ordered)
}

fn machine_words(record: &Record) -> String {
    let fact = |name: &str| {
        record.provenance.start.machine.get(name).map_or("unknown", String::as_str).to_owned()
    };
    let (machine, partition) = place(record);
    let partition = partition.map(|name| format!("partition {name}\n")).unwrap_or_default();
    format!("{partition}{}\n{machine}", fact("cpu_model"))
}

fn name_of(comparison: &Comparison) -> String {
    name(&comparison.arm, &comparison.condition)
}
