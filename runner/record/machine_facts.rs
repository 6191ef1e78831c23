//! The machine's facts as plain texts, whatever type states them.

use serde::Serialize;
use serde_json::Value;

use super::provenance::MachineFacts;

/// What stands for a fact that could not be read.
pub const UNKNOWN: &str = "unknown";

/// The fields of a serialisable struct as texts by name. A field of the form `{known: …}` counts
/// as its value; `{unknown: "why"}` becomes `unknown (why)`; nothing at all becomes `unknown`.
#[must_use]
pub fn machine_facts<T: Serialize>(facts: &T) -> MachineFacts {
    match serde_json::to_value(facts) {
        Ok(Value::Object(fields)) => {
            fields.into_iter().map(|(name, value)| (name, text(&value))).collect()
        }
        _ => MachineFacts::new(),
    }
}

/// The value that a fact has for comparisons: why it is unknown makes no difference.
pub(super) fn compared(value: Option<&String>) -> &str {
    match value {
        Some(value) if !value.starts_with(UNKNOWN) => value,
        _ => UNKNOWN,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => UNKNOWN.to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().filter(|_| number.is_f64()).map_or_else(
            || number.to_string(),
            |real| real.to_string(), // 2.0 is written `2`
        ),
        Value::Object(fields) if fields.len() == 1 => match fields.iter().next() {
            Some((key, known)) if key == "known" => text(known),
            Some((key, Value::String(why))) if key == UNKNOWN => format!("{UNKNOWN} ({why})"),
            _ => value.to_string(),
        },
        Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_become_texts() {
        let facts = serde_json::json!({
            "cpu_model": { "known": "Some CPU" },
            "microcode": { "unknown": "no such file" },
            "cores_usable": { "known": 0.5 },
            "cores": { "known": 2.0 },
            "turbo": { "known": false },
            "platform": "linux-x86_64",
            "nothing": null,
        });
        let facts = machine_facts(&facts);
        assert_eq!(facts["cpu_model"], "Some CPU");
        assert_eq!(facts["microcode"], "unknown (no such file)");
        assert_eq!(facts["cores_usable"], "0.5");
        assert_eq!(facts["cores"], "2");
        assert_eq!(facts["turbo"], "false");
        assert_eq!(facts["platform"], "linux-x86_64");
        assert_eq!(facts["nothing"], "unknown");
        assert_eq!(compared(facts.get("microcode")), "unknown");
        assert_eq!(compared(None), "unknown");
    }
}
