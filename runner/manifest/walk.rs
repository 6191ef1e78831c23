//! Holds a TOML document against the description of the language: every fault that can be seen
//! by looking at one key alone.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::checked::{Checked, CheckedTable, CheckedValue};
use super::code::Code;
use super::diagnostics::Diagnostic;
use super::faults::Faults;
use super::language::{Key, Literal, NameRule, Need, Shape, Table, TextRule};
use super::scalar::{self, shorten};
use super::span::Span;
use super::suggest::unknown_key;

/// Checks a table; `span` is its header or key.
pub(super) fn table(
    document: &DeTable<'_>,
    span: &Span,
    language: &Table,
    faults: &mut Faults,
) -> CheckedTable {
    let mut checked =
        CheckedTable { span: span.clone(), values: BTreeMap::new(), written: BTreeMap::new() };
    for (name, value) in document {
        let text: &str = name.get_ref();
        checked.written.insert(text.to_owned(), name.span());
        if let Some(key) = language.key(text) {
            if let Some(value) = self::value(value, &name.span(), key, faults) {
                checked.values.insert(text.to_owned(), value);
            }
        } else {
            let fault = if faults.is_full() {
                Diagnostic::error(Code::UNKNOWN_KEY, name.span(), "")
            } else {
                unknown_key(text, name.span(), language)
            };
            faults.push(fault);
        }
    }
    for key in &language.keys {
        if !checked.written.contains_key(key.name.as_ref()) {
            absent(key, language, &mut checked, faults);
        }
    }
    checked
}

/// What a missing key comes to.
fn absent(key: &Key, language: &Table, checked: &mut CheckedTable, faults: &mut Faults) {
    let span = checked.span.clone();
    let value = match (&key.need, &key.shape) {
        (Need::Default(Literal::Text(text)), _) => CheckedValue::Text((*text).to_owned()),
        (Need::Default(Literal::Whole(number)), _) => CheckedValue::Whole(*number),
        (Need::Default(Literal::Real(number)), _) => CheckedValue::Real(*number),
        (Need::AllDefaults, Shape::Table(inner)) => {
            CheckedValue::Table(table(&DeTable::new(), &span, inner, faults))
        }
        (Need::Required, _) => {
            faults.push(missing(key, &span, language));
            return;
        }
        (Need::Optional | Need::AllDefaults, _) => return,
    };
    checked.values.insert(key.name.clone().into_owned(), Checked { span, value });
}

pub(super) fn missing(key: &Key, span: &Span, language: &Table) -> Diagnostic {
    match &key.shape {
        Shape::Table(inner) if inner.title.starts_with('[') => Diagnostic::error(
            Code::MISSING_TABLE,
            span.clone(),
            format!("the table `{}` is missing", inner.title),
        )
        .help(format!("add, for example:\n{}", key.example)),
        Shape::Tables(inner) => Diagnostic::error(
            Code::MISSING_TABLE,
            span.clone(),
            format!("there is no `{}`", inner.title),
        )
        .help(format!("add, for example:\n{}", key.example)),
        _ => Diagnostic::error(
            Code::MISSING_KEY,
            span.clone(),
            // For a table of dotted keys the example names the one that is meant.
            format!(
                "`{}` is missing from {}",
                key.example.split(" = ").next().unwrap_or(&key.name),
                titled(language)
            ),
        )
        .help(format!("add `{}`: {}", key.example, lower_first(&key.doc))),
    }
}

/// The table in running text.
pub(super) fn titled(language: &Table) -> String {
    if language.title.starts_with("the ") {
        language.title.to_owned()
    } else {
        format!("`{}`", language.title)
    }
}

fn lower_first(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut characters = text.chars();
    let second_is_upper = text.chars().nth(1).is_some_and(char::is_uppercase);
    match characters.next() {
        Some(first) if !second_is_upper => first.to_lowercase().chain(characters).collect(),
        _ => text.to_owned(),
    }
}

/// Most entries of any list: 64 arms are 64 resident workers.
pub(super) const MOST_ITEMS: usize = 64;

/// Checks a value against its key.
fn value(
    value: &Spanned<DeValue<'_>>,
    name: &Span,
    key: &Key,
    faults: &mut Faults,
) -> Option<Checked> {
    let span = value.span();
    if let Some(array) = value.get_ref().as_array()
        && array.len() > MOST_ITEMS
    {
        faults.push(
            Diagnostic::error(
                Code::OUT_OF_RANGE,
                span,
                format!("`{}` has {} entries; at most {MOST_ITEMS} fit", key.name, array.len()),
            )
            .help("split the experiment"),
        );
        return None;
    }
    let checked = match (&key.shape, value.get_ref()) {
        (Shape::Table(inner), DeValue::Table(document)) => {
            CheckedValue::Table(table(document, &place(name, &span), inner, faults))
        }
        (Shape::Tables(inner), DeValue::Array(array))
            if array.iter().all(|item| item.get_ref().is_table()) =>
        {
            let tables = array.iter().filter_map(|item| {
                let document = item.get_ref().as_table()?;
                Some(table(document, &item.span(), inner, faults))
            });
            CheckedValue::Tables(tables.collect())
        }
        (Shape::Named(rule, inner), DeValue::Table(document)) => {
            CheckedValue::Table(named(document, name, (key, *rule, inner), faults))
        }
        (Shape::Variables, DeValue::Table(document)) => {
            CheckedValue::Table(variables(document, name, key, faults))
        }
        (Shape::List { item, least }, DeValue::Array(array)) => {
            if array.len() < *least {
                faults.push(empty(key, &span));
                return None;
            }
            CheckedValue::List(list(array, |value| scalar::check(value, item, key, faults)))
        }
        (Shape::Rungs, DeValue::Array(array)) => {
            if array.is_empty() {
                faults.push(empty(key, &span));
                return None;
            }
            CheckedValue::List(list(array, |value| scalar::rung(value, key, faults)))
        }
        (shape, _) => {
            return scalar::check(value, shape, key, faults).map(|value| Checked { span, value });
        }
    };
    Some(Checked { span, value: checked })
}

/// The good values of a list: faulty ones are left out, and the others looked at further.
fn list(
    array: &DeArray<'_>,
    mut check: impl FnMut(&Spanned<DeValue<'_>>) -> Option<CheckedValue>,
) -> Vec<Checked> {
    array
        .iter()
        .filter_map(|value| Some(Checked { value: check(value)?, span: value.span() }))
        .collect()
}

/// Tables under free names.
fn named(
    document: &DeTable<'_>,
    span: &Span,
    (key, rule, inner): (&Key, NameRule, &Table),
    faults: &mut Faults,
) -> CheckedTable {
    let mut checked =
        CheckedTable { span: span.clone(), values: BTreeMap::new(), written: BTreeMap::new() };
    for (name, value) in document {
        let text: &str = name.get_ref();
        checked.written.insert(text.to_owned(), name.span());
        if !rule.holds(text) {
            faults.push(
                Diagnostic::error(
                    Code::BAD_NAME,
                    name.span(),
                    format!("{:?} is no name of {}", shorten(text), rule.what()),
                )
                .help(rule.looks()),
            );
        } else if let Some(document) = value.get_ref().as_table() {
            let place = place(&name.span(), &value.span());
            let value = CheckedValue::Table(table(document, &place, inner, faults));
            checked.values.insert(text.to_owned(), Checked { span: place, value });
        } else {
            faults.push(
                Diagnostic::error(
                    Code::WRONG_TYPE,
                    value.span(),
                    format!("`{text}` must have {}", keys_of(inner)),
                )
                .help(format!("write `{}`", example_for(key, text))),
            );
        }
    }
    checked
}

/// `at_least` or `at_most`
fn keys_of(table: &Table) -> String {
    let keys: Vec<String> = table.keys.iter().map(|key| format!("`{}`", key.name)).collect();
    keys.join(" or ")
}

/// The key's example with another name in it.
fn example_for(key: &Key, name: &str) -> String {
    let place = format!("{}.", key.name);
    let parts = key.example.split_once(&place);
    match parts.and_then(|(before, rest)| Some((before, rest.split_once('.')?.1))) {
        Some((before, rest)) => format!("{before}{place}{name}.{rest}"),
        None => key.example.clone().into_owned(),
    }
}

/// Texts under names of variables.
fn variables(document: &DeTable<'_>, span: &Span, key: &Key, faults: &mut Faults) -> CheckedTable {
    /// Longest name of a variable; the longest that any engine here reads has 40 letters.
    const LONGEST: usize = 64;
    let mut checked =
        CheckedTable { span: span.clone(), values: BTreeMap::new(), written: BTreeMap::new() };
    for (name, value) in document {
        let text: &str = name.get_ref();
        checked.written.insert(text.to_owned(), name.span());
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !text.chars().all(good) || text.len() > LONGEST {
            faults.push(
                Diagnostic::error(
                    Code::BAD_NAME,
                    name.span(),
                    format!("{:?} is no name of a variable", shorten(text)),
                )
                .help("letters, digits and `_`, 64 at most: for example `OMP_PROC_BIND`"),
            );
            continue;
        }
        if let Some(read) = scalar::check(value, &Shape::Text(TextRule::Line), key, faults) {
            checked.values.insert(text.to_owned(), Checked { span: value.span(), value: read });
        }
    }
    checked
}

fn empty(key: &Key, span: &Span) -> Diagnostic {
    Diagnostic::error(Code::EMPTY_LIST, span.clone(), format!("`{}` is empty", key.name))
        .help(format!("write, for example, `{}`", key.example))
}

/// A table is marked at its header or its key, not over its whole inline text.
fn place(name: &Span, value: &Span) -> Span {
    // The span of a `[table]` is its header, which holds the name.
    if value.start <= name.start && name.end <= value.end { value.clone() } else { name.clone() }
}
