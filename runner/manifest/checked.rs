//! A manifest's values after each was checked by itself, with defaults filled in. Faulty values
//! are absent.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::span::{Span, Spot};

/// A table of checked values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CheckedTable {
    /// Its header, or its key.
    pub span: Span,
    /// By key.
    pub values: BTreeMap<String, Checked>,
    /// Keys that were written, faulty ones too, with their places.
    pub written: BTreeMap<String, Span>,
}

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checked {
    /// Where the value stands; the table's place for a default.
    pub span: Span,
    /// The value.
    pub value: CheckedValue,
}

/// What a value can be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CheckedValue {
    Text(String),
    Whole(u64),
    Real(f64),
    List(Vec<Checked>),
    Table(CheckedTable),
    Tables(Vec<CheckedTable>),
}

impl CheckedValue {
    /// The value as JSON, where it is a text or a whole number.
    pub fn scalar_json(&self) -> Option<serde_json::Value> {
        match self {
            CheckedValue::Text(text) => Some(text.clone().into()),
            CheckedValue::Whole(number) => Some((*number).into()),
            _ => None,
        }
    }
}

impl CheckedValue {
    /// A setting's value as JSON: as above, or a list of such.
    pub fn setting_json(&self) -> Option<serde_json::Value> {
        match self {
            CheckedValue::List(list) => list.iter().map(|item| item.value.scalar_json()).collect(),
            value => value.scalar_json(),
        }
    }
}

impl CheckedTable {
    /// Whether a key was written, whatever its value.
    pub fn wrote(&self, key: &str) -> Option<Span> {
        self.written.get(key).cloned()
    }

    /// A text.
    pub fn text(&self, key: &str) -> Option<Spot<String>> {
        let checked = self.values.get(key)?;
        match &checked.value {
            CheckedValue::Text(text) => {
                Some(Spot { value: text.clone(), span: checked.span.clone() })
            }
            _ => None,
        }
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> Option<Spot<u64>> {
        let checked = self.values.get(key)?;
        match checked.value {
            CheckedValue::Whole(value) => Some(Spot { value, span: checked.span.clone() }),
            _ => None,
        }
    }

    /// A whole number that the language holds within u32.
    pub fn whole32(&self, key: &str) -> Option<Spot<u32>> {
        let spot = self.whole(key)?;
        Some(Spot { value: u32::try_from(spot.value).ok()?, span: spot.span })
    }

    /// A number.
    pub fn real(&self, key: &str) -> Option<Spot<f64>> {
        let checked = self.values.get(key)?;
        match checked.value {
            CheckedValue::Real(value) => Some(Spot { value, span: checked.span.clone() }),
            _ => None,
        }
    }

    /// One of an enum's texts.
    pub fn choice<T: DeserializeOwned>(&self, key: &str) -> Option<Spot<T>> {
        let spot = self.text(key)?;
        let value = serde_json::from_value(spot.value.into()).ok()?;
        Some(Spot { value, span: spot.span })
    }

    /// A list.
    pub fn list(&self, key: &str) -> Option<Spot<&[Checked]>> {
        let checked = self.values.get(key)?;
        match &checked.value {
            CheckedValue::List(list) => {
                Some(Spot { value: list.as_slice(), span: checked.span.clone() })
            }
            _ => None,
        }
    }

    /// A table in this table.
    pub fn table(&self, key: &str) -> Option<&CheckedTable> {
        match &self.values.get(key)?.value {
            CheckedValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// A list of tables; empty when there are none.
    pub fn tables(&self, key: &str) -> &[CheckedTable] {
        match self.values.get(key).map(|checked| &checked.value) {
            Some(CheckedValue::Tables(tables)) => tables,
            _ => &[],
        }
    }
}
