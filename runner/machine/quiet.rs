//! The verdict of each sensor, for `machine quiet`.

use serde::Serialize;

use super::facts::{Facts, Quota};
use super::gate::{GateLimits, STEAL_LIMIT_PERCENT, SUSPEND_LIMIT_MILLISECONDS};
use super::reading::Reading;
use super::watch::Watch;

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
}

/// One sensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SensorReading {
    /// Its name, as in the flags of samples.
    pub name: &'static str,
    /// What was read.
    pub value: Reading<f64>,
    /// Of the value and the limit.
    pub unit: &'static str,
    /// The most that is fit.
    pub limit: f64,
    /// The outcome.
    pub fit: Fit,
    /// What to do about it; only when it is not fit.
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
        let fit = match value {
            Reading::Known(value) if value <= limit => Fit::Fit,
            Reading::Known(_) => Fit::Unfit,
            Reading::Unknown(_) => Fit::Unknown,
        };
        let advice = (fit == Fit::Unfit).then(|| advice.into());
        SensorReading { name, value, unit, limit, fit, advice }
    }
}

/// Sensors that need a window. The window must be one in which our own processes are idle, else
/// the pressure is ours.
#[must_use]
pub fn report(watch: &Watch, limits: &GateLimits, facts: &Facts) -> Vec<SensorReading> {
    let busiest: Vec<String> = watch
        .foreign
        .iter()
        .take(3)
        .map(|process| format!("{} ({:.0} %)", process.name, process.cpu_percent))
        .collect();
    let busiest = if busiest.is_empty() {
        "wait until others are done".to_owned()
    } else {
        format!("stop or wait for {}", busiest.join(", "))
    };
    let on_metal = facts.hypervisor.known().is_some_and(|name| name == "none");
    let steal = match &watch.steal_percent {
        Reading::Unknown(_) if on_metal => Reading::Known(0.0),
        reading => reading.clone(),
    };
    vec![
        SensorReading::new(
            "others_cpu",
            watch.others_cpu_percent.clone(),
            "% of one processor",
            limits.others_cpu_percent,
            busiest.clone(),
        ),
        SensorReading::new(
            "pressure",
            watch.pressure_percent.clone(),
            "% of the time",
            limits.pressure_percent,
            busiest,
        ),
        SensorReading::new(
            "steal",
            steal,
            "% of one processor",
            STEAL_LIMIT_PERCENT,
            "other virtual machines take this one's time: measure elsewhere or at another hour",
        ),
        SensorReading::new(
            "swap",
            watch.swapped_pages.clone().map(|pages| pages as f64),
            "pages",
            0.0,
            "memory is short: close what is large, or use a smaller model",
        ),
        SensorReading::new(
            "suspend",
            watch.suspended_milliseconds.clone(),
            "ms",
            SUSPEND_LIMIT_MILLISECONDS,
            "the machine slept: keep it awake",
        ),
    ]
}

/// What does not change from one second to the next but makes a machine noisy: a lower-case
/// sentence each.
#[must_use]
pub fn standing(facts: &Facts) -> Vec<String> {
    let mut advice = Vec::new();
    if let Some(governor) = facts.governor.known()
        && governor.split(',').any(|name| name != "performance")
    {
        advice.push(format!(
            "the frequency governor is `{governor}`: `performance` holds the clock steadier"
        ));
    }
    if facts.turbo.known() == Some(&true) {
        advice.push("the clock may go above its base and fall back when it is warm".into());
    }
    if let Some(Quota::Cores(cores)) = facts.quota.known() {
        advice.push(format!(
            "the container is limited to {cores} cores: past that it is stopped for milliseconds"
        ));
    }
    if facts.smt.known() == Some(&true) {
        advice.push("two hardware threads share a core: a neighbour on it slows both".into());
    }
    advice
}
