//! Which keys of a manifest changed.

use serde_json::Value;

use crate::manifest::Plan;

/// `key: before -> after` for each value that differs, in the plan's order. Arms are named.
pub(super) fn changed_keys(before: &Plan, after: &Plan) -> Vec<String> {
    let (Ok(before), Ok(after)) = (serde_json::to_value(before), serde_json::to_value(after))
    else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    compare(String::new(), Some(&before), Some(&after), &mut changes);
    changes
}

fn compare(path: String, before: Option<&Value>, after: Option<&Value>, out: &mut Vec<String>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                compare(joined(&path, key), old.get(key), new.get(key), out);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for index in 0..old.len().max(new.len()) {
                let (one, other) = (old.get(index), new.get(index));
                compare(format!("{path}[{}]", place(index, one, other)), one, other, out);
            }
        }
        _ => out.push(format!("{path}: {} -> {}", shown(before), shown(after))),
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// An arm's name where there is one, else the index.
fn place(index: usize, before: Option<&Value>, after: Option<&Value>) -> String {
    let name = |value: Option<&Value>| {
        value.and_then(|value| value.get("name")).and_then(Value::as_str).map(str::to_owned)
    };
    name(before).or_else(|| name(after)).unwrap_or_else(|| index.to_string())
}

/// Long values are cut: the message names the key, the files hold the rest.
fn shown(value: Option<&Value>) -> String {
    const LONGEST: usize = 60; // characters; keeps a message of several keys readable
    let text = match value {
        None | Some(Value::Null) => return "(none)".to_owned(),
        Some(value) => value.to_string(),
    };
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
