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
    let columns = SAMPLE_COLUMNS.iter().map(|(name, kind)| json!({ "name": name, "type": kind }));
    if let Some(object) = json.as_object_mut() {
        object.insert("life".to_owned(), life_json(life));
        object.insert("conditions".to_owned(), Value::Array(conditions));
        object.insert("columns".to_owned(), Value::Array(columns.collect()));
        object.insert(
            "samples".to_owned(),
            Value::Array(rows.iter().map(|row| json!(row)).collect()),
        );
    }
    json
}
