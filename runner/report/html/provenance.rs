//! All of a record's provenance, as nested lists: whatever `provenance.toml` holds is shown, so that
//! a key of a later version is not left out.

use serde_json::Value;

use crate::record::Record;

/// A table of the provenance. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub heading: String,
    pub rows: Vec<(String, String)>,
}

/// What is asked for first stands first; what is not named here comes last, by name.
const ORDER: [&str; 9] =
    ["repository", "runner", "engines", "model", "forms", "workload", "regime", "start", "end"];

fn place(name: &str) -> usize {
    ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len())
}

/// Groups in a fixed order, then the hashes that hold the record together.
pub(super) fn groups(record: &Record) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut own = Vec::new();
    if let Ok(Value::Object(tables)) = serde_json::to_value(&record.provenance) {
        let mut tables: Vec<(String, Value)> = tables.into_iter().collect();
        tables.sort_by_key(|(name, _)| place(name));
        for (name, value) in tables {
            match value {
                Value::Array(tables) if tables.iter().any(Value::is_object) => {
                    for (place, table) in tables.into_iter().enumerate() {
                        let heading = format!("{} {}", words(&name), place + 1);
                        groups.push(group(heading, &table));
                    }
                }
                Value::Object(_) => groups.push(group(words(&name), &value)),
                scalar => flatten(&words(&name), &scalar, &mut own),
            }
        }
    }
    let sealed = &record.sealed;
    let mut hashes = vec![
        ("manifest".to_owned(), sealed.manifest_hash.to_string()),
        ("registration".to_owned(), sealed.registration.to_string()),
        ("sample rows".to_owned(), sealed.samples.rows_blake3.to_string()),
    ];
    hashes.extend(sealed.files.iter().map(|(name, hash)| (name.clone(), hash.to_string())));
    own.extend(hashes);
    groups.push(Group { heading: "hashes".to_owned(), rows: own });
    groups
}

fn group(heading: String, value: &Value) -> Group {
    let mut rows = Vec::new();
    flatten("", value, &mut rows);
    Group { heading, rows }
}

/// A row for each scalar and each list of them.
fn flatten(path: &str, value: &Value, rows: &mut Vec<(String, String)>) {
    let joined = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path} \u{203a} {name}"),
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(&joined(&words(name)), value, rows);
            }
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            for (place, item) in items.iter().enumerate() {
                flatten(&joined(&(place + 1).to_string()), item, rows);
            }
        }
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(text).collect();
            let all = if texts.is_empty() { "none".to_owned() } else { texts.join(" ") };
            rows.push((path.to_owned(), all));
        }
        scalar => rows.push((path.to_owned(), text(scalar))),
    }
}

fn words(key: &str) -> String {
    key.replace('_', " ")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
