//! A reading against its limit.

use serde::Serialize;

use super::reading::Reading;

/// Whether a reading is within its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// It is.
    Fit,
    /// It is not.
    Unfit,
    /// There is no reading. Never taken for fit.
    Unknown,
    /// It has no limit: it is shown so that a reader knows it.
    Information,
}

/// A number that a sensor of the gate gave.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorReading {
    /// Its name, as in the flags of samples.
    pub name: &'static str,
    /// What was read.
    pub value: Reading<f64>,
    /// Of the value and the limit.
    pub unit: &'static str,
    /// The most that is fit.
    pub limit: f64,
    /// The most that opens a gate that is shut, where that was asked.
    pub opens_at: Option<f64>,
    /// The outcome.
    pub fit: Fit,
    /// What to do about it; only when it is over the limit itself.
    pub advice: Option<String>,
}

impl SensorReading {
    /// A sensor with its limit.
    pub(super) fn new(
        name: &'static str,
        value: Reading<f64>,
        unit: &'static str,
        limit: f64,
        advice: impl Into<String>,
    ) -> SensorReading {
        let fit = held_against(&value, limit);
        let advice = (fit == Fit::Unfit).then(|| advice.into());
        SensorReading { name, value, unit, limit, opens_at: None, fit, advice }
    }

    /// The same against what opens a gate that is shut.
    pub(super) fn opening_at(mut self, opens_at: f64) -> SensorReading {
        self.fit = held_against(&self.value, opens_at);
        self.opens_at = Some(opens_at);
        self
    }
}

fn held_against(value: &Reading<f64>, limit: f64) -> Fit {
    match value {
        Reading::Known(value) if *value <= limit => Fit::Fit,
        Reading::Known(_) => Fit::Unfit,
        Reading::Unknown(_) => Fit::Unknown,
    }
}
