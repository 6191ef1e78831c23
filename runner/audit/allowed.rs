//! The figures that a record says: what a sentence that cites it may say.

use serde_json::Value;

use super::figures::{Figure, figures};
use super::units::Quantity;
use crate::record::Record;

/// All figures of a record, with all the digits that they have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Allowed {
    /// In base units.
    known: Vec<(Quantity, f64)>,
    /// Numbers of the record whose unit is not known here.
    plain: Vec<f64>,
}

/// Keys of numbers in the metric's unit, or in that of a contract. Of others a record has thousands,
/// and one of them would always fit.
const LEVELS: [&str; 6] = ["median", "q1", "q3", "least", "greatest", "value"];

impl Allowed {
    /// Of a record: its analysis, its evidence, and the figures in its own texts.
    #[must_use]
    pub fn of(record: &Record, texts: &[&str]) -> Allowed {
        let mut allowed = Allowed::default();
        for value in [
            serde_json::to_value(&record.sealed.analysis),
            serde_json::to_value(&record.sealed.facts.contracts),
            serde_json::to_value(&record.sealed.claims),
            serde_json::to_value(&record.plan.decision),
        ]
        .into_iter()
        .flatten()
        {
            allowed.walk("", &value);
        }
        for text in texts {
            for line in text.lines() {
                allowed.texts(line);
            }
        }
        allowed
    }

    /// Whether one of them is what a figure says, within the digits that were written.
    #[must_use]
    pub fn has(&self, figure: &Figure) -> bool {
        let unit = figure.unit;
        self.known.iter().any(|(quantity, value)| *quantity == unit.quantity && figure.says(*value))
            || self.plain.iter().any(|value| figure.says(value * unit.scale))
    }

    fn texts(&mut self, line: &str) {
        for figure in figures(line, 0) {
            for reading in std::iter::once(figure.reading).chain(figure.other) {
                self.known.push((figure.unit.quantity, reading.value * figure.unit.scale));
            }
        }
    }

    fn walk(&mut self, key: &str, value: &Value) {
        match value {
            Value::Number(number) => {
                if let Some(number) = number.as_f64() {
                    self.number(key, number);
                }
            }
            Value::String(text) => self.texts(text),
            Value::Array(items) => items.iter().for_each(|item| self.walk(key, item)),
            Value::Object(table) => table.iter().for_each(|(key, item)| self.walk(key, item)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Of an effect its ratio and its change, and those of off over the arm.
    fn number(&mut self, key: &str, number: f64) {
        if matches!(key, "log_ratio" | "lo" | "hi") {
            for log_ratio in [number, -number] {
                self.known.push((Quantity::Ratio, libm::exp(log_ratio)));
                self.known.push((Quantity::Percent, libm::expm1(log_ratio) * 100.0));
            }
        } else if LEVELS.contains(&key) || key.ends_with("percent") {
            self.plain.push(number);
        }
    }
}
