//! The fields of one test, whatever they were written in.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::failure::Failure;

/// A test's fields by name. Where all are texts (CSV, SQL), numbers are read from them.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    values: Map<String, Value>,
    /// As messages name it: `bench.json, test 3`.
    pub place: String,
}

impl Fields {
    pub(super) fn new(values: Map<String, Value>, place: String) -> Fields {
        Fields { values, place }
    }

    pub(super) fn of_texts(texts: Vec<(String, String)>, place: String) -> Fields {
        let values = texts.into_iter().map(|(name, text)| (name, Value::String(text)));
        Fields { values: values.collect(), place }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| !value.is_null())
    }

    /// A scalar as text; `None` where it is missing, null, empty, or no scalar.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.values.get(name)? {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// A count that must be there.
    pub(super) fn count(&self, name: &str) -> Result<u32, Failure> {
        let Some(text) = self.text(name) else {
            return Err(self.wrong(name, "is missing, or is no number"));
        };
        text.parse().map_err(|_| self.wrong(name, &format!("is no count: {text}")))
    }

    /// A count that older or newer versions leave out.
    pub(super) fn count_or_zero(&self, name: &str) -> Result<u32, Failure> {
        if self.has(name) { self.count(name) } else { Ok(0) }
    }

    /// A figure above zero that must be there.
    pub(super) fn figure(&self, name: &str) -> Result<f64, Failure> {
        let Some(text) = self.text(name) else {
            return Err(self.wrong(name, "is missing, or is no number"));
        };
        let figure: f64 =
            text.parse().map_err(|_| self.wrong(name, &format!("is no number: {text}")))?;
        above_zero(figure).map_err(|why| self.wrong(name, &why))
    }

    /// Figures above zero, at least one; `None` where the field is missing.
    pub(super) fn figures(&self, name: &str) -> Result<Option<Vec<f64>>, Failure> {
        let Some(items) = self.items(name)? else { return Ok(None) };
        let figure = |(index, item): (usize, &Value)| {
            let wrong = |why: &str| self.wrong(&format!("{name}[{index}]"), why);
            let figure = item.as_f64().ok_or_else(|| wrong(&format!("is no number: {item}")))?;
            above_zero(figure).map_err(|why| wrong(&why))
        };
        items.iter().enumerate().map(figure).collect::<Result<Vec<f64>, Failure>>().map(Some)
    }

    /// Whole nanoseconds above zero, at least one; `None` where the field is missing.
    pub(super) fn nanoseconds(&self, name: &str) -> Result<Option<Vec<u64>>, Failure> {
        let Some(items) = self.items(name)? else { return Ok(None) };
        let whole = |(index, item): (usize, &Value)| {
            let wrong = |why: &str| self.wrong(&format!("{name}[{index}]"), why);
            match item.as_u64() {
                Some(0) => Err(wrong("is zero: nothing takes no time")),
                Some(nanoseconds) => Ok(nanoseconds),
                None => Err(wrong(&format!("is no number of nanoseconds: {item}"))),
            }
        };
        items.iter().enumerate().map(whole).collect::<Result<Vec<u64>, Failure>>().map(Some)
    }

    fn items(&self, name: &str) -> Result<Option<&Vec<Value>>, Failure> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) if items.is_empty() => {
                Err(self.wrong(name, "is empty: the test has no sample"))
            }
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => Err(self.wrong(name, &format!("is no list: {other}"))),
        }
    }

    pub(super) fn wrong(&self, name: &str, why: &str) -> Failure {
        Failure::failed(format!("`{name}` {why}"))
            .at(&self.place)
            .hint("nothing was imported; the file must be as its tool wrote it")
    }
}

fn above_zero(figure: f64) -> Result<f64, String> {
    if !figure.is_finite() {
        return Err(format!("is no finite number: {figure}"));
    }
    if figure <= 0.0 {
        return Err(format!("is {figure}: it must be above zero"));
    }
    Ok(figure)
}

/// Facts that all tests state alike move out of the tests' settings.
pub(super) fn stated_alike(all: &[BTreeMap<String, String>]) -> BTreeMap<String, String> {
    let Some(first) = all.first() else { return BTreeMap::new() };
    let alike =
        first.iter().filter(|(key, value)| all.iter().all(|one| one.get(*key) == Some(value)));
    alike.map(|(key, value)| (key.clone(), value.clone())).collect()
}
