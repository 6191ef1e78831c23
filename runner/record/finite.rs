//! NaN and infinities never reach a file.

use toml::Value;

/// The key of the first number that is not finite.
pub(super) fn first_not_finite(value: &Value) -> Option<String> {
    walk("", value)
}

fn walk(path: &str, value: &Value) -> Option<String> {
    match value {
        Value::Float(number) if !number.is_finite() => Some(path.to_owned()),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| walk(&format!("{path}[{index}]"), item)),
        Value::Table(table) => table.iter().find_map(|(key, item)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            walk(&path, item)
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_found_by_its_key() {
        let tree: Value = toml::from_str("a = 1.0\n[[b]]\nc = [1.5, nan]").unwrap();
        assert_eq!(first_not_finite(&tree).as_deref(), Some("b[0].c[1]"));
        let good: Value = toml::from_str("a = 1.0\nb = [-0.0, 5e-324]").unwrap();
        assert_eq!(first_not_finite(&good), None);
    }
}
