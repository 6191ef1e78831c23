//! The canonical form: one text for one meaning. `docs/canonical-form.md` is its contract.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;

use super::number::canonical_number;
use super::plan::Plan;

/// Version of the form; stands in its first member. Older ones stay readable for ever.
pub const CANONICAL_VERSION: u64 = 1;

macro_rules! blake3_name {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name([u8; 32]);

        impl $name {
            /// Of these bytes.
            #[must_use]
            pub fn of(bytes: &[u8]) -> $name {
                $name(*blake3::hash(bytes).as_bytes())
            }

            /// 64 lower-case hexadecimal digits.
            #[must_use]
            pub fn hex(&self) -> String {
                blake3::Hash::from_bytes(self.0).to_hex().to_string()
            }

            /// The first 12 digits, for people.
            #[must_use]
            pub fn short(&self) -> String {
                self.hex().chars().take(12).collect()
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<$name, String> {
                let lower_case = !text.chars().any(|c| c.is_ascii_uppercase());
                match blake3::Hash::from_hex(&text) {
                    Ok(hash) if lower_case => Ok($name(*hash.as_bytes())),
                    _ => Err(concat!($what, " has 64 lower-case hexadecimal digits").to_owned()),
                }
            }
        }

        impl From<$name> for String {
            fn from(hash: $name) -> String {
                hash.hex()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.hex())
            }
        }
    };
}

blake3_name!(
    /// BLAKE3 of a plan's canonical form: what registration freezes.
    ManifestHash, "a manifest's hash"
);
blake3_name!(
    /// BLAKE3 of what a question asks, whatever it is called: finds earlier runs.
    QuestionKey, "a question key"
);

/// The canonical text of a plan: JSON by RFC 8785 (sorted members, no white space), with the
/// members `canonical` (the version) and `plan`.
#[must_use]
pub fn canonical_form(plan: &Plan) -> String {
    // A plan is made of texts, numbers, lists and enums: its JSON always exists.
    let plan = serde_json::to_value(plan).unwrap_or_default();
    canonical_json(&serde_json::json!({ "canonical": CANONICAL_VERSION, "plan": plan }))
}

/// The hash that registration freezes.
#[must_use]
pub fn manifest_hash(plan: &Plan) -> ManifestHash {
    ManifestHash::of(canonical_form(plan).as_bytes())
}

/// Reads a canonical text back.
///
/// # Errors
/// When the text is not canonical, of a later version, or no plan.
pub fn from_canonical(text: &str) -> Result<Plan, Failure> {
    let document: Value = serde_json::from_str(text)
        .map_err(|error| Failure::failed(format!("the canonical manifest is not JSON: {error}")))?;
    match document["canonical"].as_u64() {
        Some(CANONICAL_VERSION) => {}
        Some(version) => {
            return Err(Failure::failed(format!(
                "the canonical manifest is of version {version}; this program reads version {CANONICAL_VERSION}"
            ))
            .hint("use a later version of this program"));
        }
        None => return Err(Failure::failed("the canonical manifest names no version")),
    }
    let plan: Plan = serde_json::from_value(document["plan"].clone()).map_err(|error| {
        Failure::failed(format!("the canonical manifest holds no plan: {error}"))
    })?;
    if canonical_form(&plan) != text {
        return Err(Failure::failed("the text is a manifest, but not in its canonical form")
            .hint("it was changed after it was frozen"));
    }
    Ok(plan)
}

/// JSON by RFC 8785.
pub(super) fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(is) => text.push_str(if *is { "true" } else { "false" }),
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => text.push_str(&canonical_number(real)),
            _ => text.push_str(&number.to_string()),
        },
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            // All names are ASCII, so bytes sort as UTF-16 does.
            let mut names: Vec<&String> = members.keys().collect();
            names.sort();
            text.push('{');
            for (index, name) in names.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(name, text);
                text.push(':');
                write(&members[name], text);
            }
            text.push('}');
        }
    }
}

/// RFC 8785, section 3.2.2.2: the short escapes, `\u00xx` for other control characters, and
/// every other character as it is.
fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\u{c}' => text.push_str("\\f"),
            '\r' => text.push_str("\\r"),
            c if c < ' ' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}
