//! A record with its samples as one JSON document.

use sample_table::SampleRow;
use serde_json::{Value, json};

use crate::record::{Life, Record};
use crate::report::json::record_json;
use crate::report::life::life_json;

/// Columns of the samples with their types, in the order of every form that they are written in.
pub const SAMPLE_COLUMNS: [(&str, &str); 14] = [
    ("condition", "u32"),
    ("round", "u32"),
    ("segment", "u32"),
    ("block", "u32"),
    ("chunk", "u32"),
    ("place", "u32"),
    ("arm", "text"),
    ("input", "text"),
    ("work", "text"),
    ("tokens", "u32"),
    ("nanoseconds", "u64"),
    ("started_nanoseconds", "u64"),
    ("state", "text"),
    ("flags", "text"),
];

/// Columns that stand behind those where any row has an energy.
const ENERGY_COLUMNS: [(&str, &str); 2] = [("microjoules", "u64"), ("energy_tokens", "u32")];

/// The columns of these rows.
pub(super) fn columns_of(rows: &[SampleRow]) -> Vec<(&'static str, &'static str)> {
    let has_energy = rows.iter().any(|row| row.energy.is_some());
    let energy = ENERGY_COLUMNS.iter().filter(|_| has_energy);
    SAMPLE_COLUMNS.iter().chain(energy).copied().collect()
}

/// A row as one flat object.
fn flat(row: &SampleRow) -> Value {
    let mut json = json!(row);
    if let (Some(object), Some(energy)) = (json.as_object_mut(), row.energy) {
        object.remove("energy");
        object.insert("microjoules".to_owned(), energy.microjoules.into());
        object.insert("energy_tokens".to_owned(), energy.tokens.into());
    }
    json
}

/// What `show --json` says of the record and its life, with `conditions`, `columns` and `samples`.
#[must_use]
pub fn samples_json(record: &Record, life: &Life, rows: &[SampleRow]) -> Value {
    let mut json = record_json(record);
    let conditions: Vec<Value> = (0..)
        .zip(record.plan.condition_values())
        .map(|(index, value): (u32, Option<u32>)| {
            let setting = record.plan.condition.as_ref().map(|condition| condition.setting);
            json!({ "condition": index, "setting": setting, "value": value })
        })
        .collect();
    let columns = columns_of(rows);
    let columns = columns.into_iter().map(|(name, kind)| json!({ "name": name, "type": kind }));
    if let Some(object) = json.as_object_mut() {
        object.insert("life".to_owned(), life_json(life));
        object.insert("conditions".to_owned(), Value::Array(conditions));
        object.insert("columns".to_owned(), Value::Array(columns.collect()));
        object.insert("samples".to_owned(), Value::Array(rows.iter().map(flat).collect()));
    }
    json
}
