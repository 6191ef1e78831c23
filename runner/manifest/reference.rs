//! The generated parts of `docs/manifest.md`: one table of keys a table of the language, and
//! the codes of faults.

use super::code::Code;
use super::language::{Key, Literal, Need, Shape, Table, is_setting, language};

/// The line behind which a generated part stands, and the one that ends it.
const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end of generated -->";

/// The reference with all its generated parts renewed. A part is begun by a line
/// `<!-- generated: NAME -->` (a table's title, `settings` or `codes`) and ended by
/// `<!-- end of generated -->`.
#[must_use]
pub fn renew_reference(document: &str) -> String {
    let mut renewed = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        renewed.push('\n');
        let name = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(name) = name {
            renewed.push_str(&part(name));
            for old in lines.by_ref() {
                if old == END {
                    break;
                }
            }
            renewed.push_str(END);
            renewed.push('\n');
        }
    }
    renewed
}

/// Names of all generated parts.
#[must_use]
pub fn reference_parts() -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    sections(language(), &mut |table| {
        if !parts.iter().any(|part| part == table.title) {
            parts.push(table.title.to_owned());
        }
    });
    parts.extend(["settings".to_owned(), "codes".to_owned()]);
    parts
}

/// Tables that have a section of their own: those with a header in TOML.
fn sections<'table>(table: &'table Table, visit: &mut dyn FnMut(&'table Table)) {
    visit(table);
    for key in &table.keys {
        if let Shape::Table(inner) | Shape::Tables(inner) | Shape::Named(_, inner) = &key.shape
            && inner.title.starts_with('[')
        {
            sections(inner, visit);
        }
    }
}

fn part(name: &str) -> String {
    match name {
        "codes" => codes(),
        "settings" => settings(),
        title => {
            let mut text = String::new();
            sections(language(), &mut |table| {
                if table.title == title && text.is_empty() {
                    text = section(table);
                }
            });
            text
        }
    }
}

fn section(table: &Table) -> String {
    let mut text = format!("\n{}\n\n{HEAD}", table.doc);
    rows(table, "", None, &mut text);
    text.push('\n');
    text
}

const HEAD: &str = "| key | value | needed | meaning |\n|---|---|---|---|\n";

fn rows(table: &Table, prefix: &str, within: Option<&str>, text: &mut String) {
    for key in table.keys.iter().filter(|key| !is_setting(&key.name)) {
        let name = format!("{prefix}{}", key.name);
        match &key.shape {
            Shape::Table(inner) if inner.title.starts_with('[') => {
                text.push_str(&row(&name, &format!("table `{}`", inner.title), key));
            }
            Shape::Named(_, inner) if inner.title.starts_with('[') => {
                text.push_str(&row(&name, &format!("tables `{}`", inner.title), key));
            }
            Shape::Tables(inner) => {
                text.push_str(&row(&name, &format!("tables `{}`", inner.title), key));
            }
            Shape::Table(inner) => {
                let within = if key.need == Need::Required { within } else { Some(name.as_str()) };
                rows(inner, &format!("{name}."), within, text);
            }
            Shape::Variables => {
                text.push_str(&row(&format!("{name}.<NAME>"), "a line of text", key));
            }
            Shape::Named(_, inner) => {
                let within = within.or(Some(name.as_str()));
                rows(inner, &format!("{name}.<name>."), within, text);
            }
            shape => {
                let row = row(&name, &escape(&shape.wanted()), key);
                match within {
                    // Needed only where its table is written at all.
                    Some(within) => {
                        text.push_str(&row.replacen("| yes |", &format!("| with `{within}` |"), 1))
                    }
                    None => text.push_str(&row),
                }
            }
        }
    }
    if table.keys.iter().any(|key| is_setting(&key.name)) {
        text.push_str(
            "| [settings](#settings) | see there | optional | Each as a key of its own. |\n",
        );
    }
}

fn settings() -> String {
    let mut text = format!("\n{HEAD}");
    sections(language(), &mut |table| {
        if table.title == "[engine]" {
            for key in table.keys.iter().filter(|key| is_setting(&key.name)) {
                text.push_str(&row(&key.name, &escape(&key.shape.wanted()), key));
            }
        }
    });
    text.push('\n');
    text
}

fn row(name: &str, wanted: &str, key: &Key) -> String {
    let need = match &key.need {
        Need::Required => "yes".to_owned(),
        Need::Optional => "optional".to_owned(),
        Need::Default(Literal::Text(text)) => format!("`\"{text}\"` when absent"),
        Need::Default(Literal::Whole(number)) => format!("`{number}` when absent"),
        Need::Default(Literal::Real(number)) => format!("`{number}` when absent"),
        Need::AllDefaults => "optional".to_owned(),
    };
    let mut doc = escape(&key.doc);
    if let Shape::OneOf(choices) = &key.shape
        && choices.len() > 1
    {
        let said: Vec<String> = choices
            .iter()
            .filter(|choice| !choice.doc.is_empty())
            .map(|choice| {
                format!("`{}`: {}", choice.text, escape(choice.doc.trim_end_matches('.')))
            })
            .collect();
        if !said.is_empty() {
            doc.push_str(&format!(" {}.", said.join("; ")));
        }
    }
    format!("| `{name}` | {wanted} | {need} | {doc} |\n")
}

fn codes() -> String {
    let mut text = "\n| code | meaning |\n|---|---|\n".to_owned();
    for code in Code::ALL {
        text.push_str(&format!("| `{}` | {} |\n", code.text, escape(code.meaning)));
    }
    text.push('\n');
    text
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regenerate with `UPDATE_REFERENCE=1 cargo test -p runner reference`.
    #[test]
    fn the_committed_reference_is_up_to_date_and_complete() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/manifest.md");
        let committed = std::fs::read_to_string(path).unwrap();
        let expected = renew_reference(&committed);
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(path, &expected).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap();
        assert!(
            committed == expected,
            "docs/manifest.md is out of date: run `UPDATE_REFERENCE=1 cargo test -p runner reference`"
        );
        for part in reference_parts() {
            assert!(committed.contains(&format!("{BEGIN}{part} -->")), "no part `{part}`");
        }
    }

    #[test]
    fn a_stale_part_is_replaced_and_the_rest_is_kept() {
        let document = format!("before\n{BEGIN}[metric] -->\nstale\n{END}\nafter\n");
        let renewed = renew_reference(&document);
        assert!(renewed.starts_with("before\n"));
        assert!(renewed.ends_with("after\n"));
        assert!(!renewed.contains("stale"));
        assert!(renewed.contains("| `primary` |"));
        assert_eq!(renew_reference(&renewed), renewed);
    }
}
