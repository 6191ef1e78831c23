//! The JSON schema of manifests, for editors: completion, docs on hover, faults while typing.

use serde_json::{Map, Value, json};

use super::language::{Key, Literal, Need, Shape, Table, TextRule, language};
use super::walk::MOST_ITEMS;

/// The schema, draft 7 (what TOML language servers read), with `x-taplo` hints. It is committed
/// as `docs/manifest.schema.json`.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = table(language());
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    schema["title"] = "experiment manifest".into();
    schema
}

fn table(table: &Table) -> Value {
    let properties: Map<String, Value> =
        table.keys.iter().map(|key| (key.name.clone().into_owned(), property(key))).collect();
    let required: Vec<&str> = table
        .keys
        .iter()
        .filter(|key| key.need == Need::Required)
        .map(|key| key.name.as_ref())
        .collect();
    let mut schema = json!({
        "type": "object",
        "description": table.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
        schema["x-taplo"] = json!({ "initKeys": required });
    }
    schema
}

fn property(key: &Key) -> Value {
    let mut schema = shape(&key.shape);
    let doc = match schema["description"].as_str() {
        // A table's own words say more than its key's.
        Some(doc) if !doc.is_empty() => doc.to_owned(),
        _ => key.doc.clone().into_owned(),
    };
    schema["description"] = doc.into();
    match &key.need {
        Need::Default(Literal::Text(text)) => schema["default"] = (*text).into(),
        Need::Default(Literal::Whole(number)) => schema["default"] = (*number).into(),
        Need::Default(Literal::Real(number)) => schema["default"] = (*number).into(),
        Need::Required | Need::Optional | Need::AllDefaults => {}
    }
    schema
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Text(rule) => text(*rule),
        Shape::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Real(range) => {
            let lower = if range.above { "exclusiveMinimum" } else { "minimum" };
            let upper = if range.below { "exclusiveMaximum" } else { "maximum" };
            json!({ "type": "number", lower: range.from, upper: range.to })
        }
        Shape::OneOf(choices) => {
            let texts: Vec<&str> = choices.iter().map(|choice| choice.text.as_str()).collect();
            let docs: Vec<&str> = choices.iter().map(|choice| choice.doc.as_str()).collect();
            let mut schema = json!({ "type": "string", "enum": texts });
            if docs.iter().any(|doc| !doc.is_empty()) {
                schema["x-taplo"] = json!({ "docs": { "enumValues": docs } });
            }
            schema
        }
        Shape::List { item, least } => {
            json!({ "type": "array", "items": self::shape(item), "minItems": least, "maxItems": MOST_ITEMS, "uniqueItems": true })
        }
        Shape::Rungs => json!({
            "type": "array",
            "items": { "type": ["string", "integer"] },
            "minItems": 1,
            "maxItems": MOST_ITEMS,
            "uniqueItems": true,
        }),
        Shape::Table(inner) => table(inner),
        Shape::Tables(inner) => json!({
            "type": "array",
            "items": table(inner),
            "maxItems": MOST_ITEMS,
            "description": inner.doc,
        }),
        Shape::Variables => json!({
            "type": "object",
            "additionalProperties": text(TextRule::Line),
        }),
        Shape::Named(_, inner) => json!({
            "type": "object",
            "additionalProperties": table(inner),
            "description": inner.doc,
        }),
    }
}

fn text(rule: TextRule) -> Value {
    match rule {
        TextRule::Line => json!({ "type": "string", "minLength": 1, "pattern": "^[^|\\r\\n]+$" }),
        TextRule::Prose => json!({ "type": "string", "minLength": 1 }),
        TextRule::Id => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$" }),
        TextRule::ArmName => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9._=-]{0,63}$" }),
        TextRule::Sha256 => json!({ "type": "string", "pattern": "^[0-9a-fA-F]{64}$" }),
        TextRule::Mask => json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{1,128}$" }),
        TextRule::Server => {
            json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9.-]{0,252}:[0-9]{1,5}$" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `None` where the key is not below the table.
    fn below<'schema>(schema: &'schema Value, path: &[&str]) -> Option<&'schema Value> {
        path.iter().try_fold(schema, |schema, key| {
            let schema = schema.get("items").unwrap_or(schema);
            schema.get("properties")?.get(key)
        })
    }

    #[test]
    fn the_schema_has_each_key_with_a_description() {
        fn look(table: &Table, schema: &Value) {
            for key in &table.keys {
                let property = below(schema, &[&key.name]).unwrap();
                assert!(!property["description"].as_str().unwrap().is_empty(), "{}", key.name);
                if let Shape::Table(inner) | Shape::Tables(inner) = &key.shape {
                    look(inner, property);
                }
            }
        }
        look(language(), &json_schema());
    }

    #[test]
    fn choices_of_a_plan_stand_in_the_schema_as_a_manifest_writes_them() {
        let schema = json_schema();
        let texts = |path: &[&str]| below(&schema, path).unwrap()["enum"].clone();
        assert_eq!(
            texts(&["arm", "role"]),
            json!(["off", "aa", "treatment", "control", "peer", "ceiling"])
        );
        assert_eq!(texts(&["engine", "flash_attention"]), json!(["on", "off"]));
        assert_eq!(below(&schema, &["engine", "threads"]).unwrap()["maximum"], 1024);
    }

    /// Regenerate with `runner schema > docs/manifest.schema.json`.
    #[test]
    fn the_committed_schema_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manifest.schema.json");
        let expected = format!("{:#}\n", json_schema());
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(path, &expected).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == expected,
            "docs/manifest.schema.json is out of date: run `runner schema > docs/manifest.schema.json`"
        );
    }
}
