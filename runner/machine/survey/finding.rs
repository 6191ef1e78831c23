//! What `machine quiet` says of a sensor.

use serde::Serialize;

use crate::machine::reading::Reading;
use crate::machine::sensor::{Fit, SensorReading};

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// In the finding's unit.
    Number(f64),
    /// A word or a short sentence.
    Words(String),
}

/// One sensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Its name; that of a flag where it flags blocks.
    pub name: &'static str,
    /// What was read, or why nothing was.
    pub value: Reading<Value>,
    /// Of a number.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    /// What is fit, in words: `at most 10`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The outcome.
    pub fit: Fit,
    /// What to do about it. Also given with information that a reader should heed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Finding {
    /// A number with a limit.
    pub(super) fn at_most(reading: SensorReading) -> Finding {
        Finding {
            name: reading.name,
            value: reading.value.map(Value::Number),
            unit: reading.unit,
            wanted: Some(format!("at most {}", reading.limit)),
            fit: reading.fit,
            advice: reading.advice,
        }
    }

    /// A word, judged: `unfit` gives the advice where it is not fit.
    pub(in crate::machine) fn judged(
        name: &'static str,
        value: Reading<String>,
        wanted: &str,
        unfit: impl FnOnce(&str) -> Option<String>,
    ) -> Finding {
        let advice = value.known().and_then(|word| unfit(word));
        let fit = match (&value, &advice) {
            (Reading::Unknown(_), _) => Fit::Unknown,
            (Reading::Known(_), Some(_)) => Fit::Unfit,
            (Reading::Known(_), None) => Fit::Fit,
        };
        let wanted = Some(wanted.to_owned());
        Finding { name, value: value.map(Value::Words), unit: "", wanted, fit, advice }
    }

    /// A word without a limit.
    pub(in crate::machine) fn words(name: &'static str, value: Reading<String>) -> Finding {
        Finding::information(name, value.map(Value::Words), "")
    }

    /// A value without a limit.
    pub(super) fn information(
        name: &'static str,
        value: Reading<Value>,
        unit: &'static str,
    ) -> Finding {
        let fit = if value.known().is_some() { Fit::Information } else { Fit::Unknown };
        Finding { name, value, unit, wanted: None, fit, advice: None }
    }

    /// The same with what a reader should heed.
    pub(super) fn advising(mut self, advice: Option<String>) -> Finding {
        self.advice = advice;
        self
    }
}
