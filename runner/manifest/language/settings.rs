//! The keys of engine settings, read off the schema of `engine_protocol::Settings`, so that a
//! new setting is in the language as soon as it is in the protocol.

use engine_protocol::{SETTING_KEYS, Settings};

use super::describe::{Key, Need, Shape, TextRule, choices_of, one_line};

/// Whether a key names a setting.
pub fn is_setting(key: &str) -> bool {
    SETTING_KEYS.contains(&key)
}

/// Whether a key names a setting of speculative decoding.
pub fn is_of_drafts(key: &str) -> bool {
    is_setting(key) && key.starts_with("draft_")
}

/// Not a setting of the engine, but a ladder may have it: which file an arm loads.
pub const FORM_KEY: &str = "form";

/// Not a setting of the engine either: how many of the model's first layers an arm runs.
pub const LAYERS_KEY: &str = "layers";

/// The set that an arm works on.
pub const INPUTS_KEY: &str = "inputs";

/// What a ladder may vary: every setting, and the model's form.
pub fn ladder_keys() -> impl Iterator<Item = &'static str> + Clone {
    SETTING_KEYS.iter().copied().chain([FORM_KEY])
}

/// Every setting, in the order of the reference.
pub fn keys() -> Vec<Key> {
    let schema = schemars::schema_for!(Settings);
    let schema = schema.as_value();
    SETTING_KEYS
        .iter()
        .map(|name| {
            let property = &schema["properties"][*name];
            let shape = shape_of(property, schema);
            Key {
                name: (*name).into(),
                example: format!("{name} = {}", example_of(name, &shape)).into(),
                shape,
                need: Need::Optional,
                doc: one_line(property["description"].as_str().unwrap_or_default()).into(),
            }
        })
        .collect()
}

fn shape_of(property: &serde_json::Value, schema: &serde_json::Value) -> Shape {
    let reference = property["anyOf"]
        .as_array()
        .into_iter()
        .flatten()
        .find_map(|part| part["$ref"].as_str())
        .or_else(|| property["$ref"].as_str());
    if let Some(name) = reference.and_then(|path| path.rsplit('/').next()) {
        // the only setting that is a list
        if schema["$defs"][name]["type"] == "array" {
            return Shape::List { item: Box::new(Shape::Text(TextRule::Server)), least: 1 };
        }
        return Shape::OneOf(choices_of(&schema["$defs"][name]));
    }
    if property["pattern"].is_string() {
        return Shape::Text(TextRule::Mask);
    }
    let types = property["type"].as_array().into_iter().flatten();
    if types.chain([&property["type"]]).any(|name| name == "string") {
        return Shape::Text(TextRule::Line);
    }
    // Whole numbers of the protocol are u32.
    Shape::Whole {
        least: property["minimum"].as_u64().unwrap_or(0),
        most: property["maximum"].as_u64().unwrap_or(u64::from(u32::MAX)),
    }
}

fn example_of(name: &str, shape: &Shape) -> String {
    match (name, shape) {
        ("context_tokens", _) => "1024".to_owned(),
        ("batch_tokens" | "micro_batch_tokens", _) => "512".to_owned(),
        ("kv_key_type" | "kv_value_type", _) => "\"f16\"".to_owned(),
        ("priority", _) => "\"normal\"".to_owned(),
        (_, Shape::OneOf(choices)) => {
            format!("\"{}\"", choices.first().map_or("", |choice| choice.text.as_str()))
        }
        ("draft_model", _) => "\"builtin-tiny\"".to_owned(),
        ("rpc_servers", _) => "[\"127.0.0.1:50052\", \"127.0.0.1:50062\"]".to_owned(),
        (_, Shape::Text(_)) => "\"0x3\"".to_owned(),
        (_, Shape::Whole { least, .. }) => (*least).max(1).to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_doc_and_a_shape_that_accepts_its_example() {
        for key in keys() {
            assert!(!key.doc.is_empty(), "{}", key.name);
            let value = key.example.split(" = ").nth(1).unwrap();
            let value: serde_json::Value = serde_json::from_str(value).unwrap();
            Settings::single(&key.name, &value).unwrap();
            if let Shape::OneOf(choices) = &key.shape {
                for choice in choices {
                    Settings::single(&key.name, &choice.text.clone().into()).unwrap();
                }
                assert!(choices.len() > 1, "{}", key.name);
            }
        }
    }
}
