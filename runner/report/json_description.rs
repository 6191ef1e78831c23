//! JSON of what is described beside a decision: factors and percent instead of logarithms. A
//! number that is not there is null, and a reason stands beside it.

use serde_json::{Map, Value, json};

use super::details::{NOT_COMPARED, is_not_compared};
use crate::verdict::{
    ClassIntervals, Comparison, Description, EstimatorFigure, LookFigure, Outliers, PairingGain,
    RoundFigure, RunCourse, TestFigure,
};

const NO_INTERVAL: &str = "too few values, or no spread beyond what the clock resolves";
const NO_SPREAD: &str = "no spread beyond what the clock resolves";
const TOO_FEW: &str = "too few blocks or rounds, or no spread";

/// Looks, class intervals and description by key; nothing for a record that has none of them.
pub(super) fn description_figures(comparison: &Comparison) -> Map<String, Value> {
    let mut found = Map::new();
    if !comparison.looks.is_empty() {
        found.insert("looks".to_owned(), list(&comparison.looks, look));
    }
    if let Some(adjusted) = &comparison.adjusted {
        let ends = interval(Some(adjusted.log_ratio), Some(adjusted.lo), Some(adjusted.hi));
        found.insert("corrected_for_looking".to_owned(), Value::Object(ends));
    }
    if let Some(widths) = &comparison.class_intervals {
        found.insert("class_intervals".to_owned(), class(widths));
    }
    if let Some(description) = &comparison.description {
        found.insert("description".to_owned(), whole(description));
    }
    found
}

fn whole(description: &Description) -> Value {
    let mut found = Map::new();
    found.insert("rounds".to_owned(), list(&description.rounds, round));
    found.insert("estimators".to_owned(), list(&description.estimators, estimator));
    found.insert("tests".to_owned(), list(&description.tests, test));
    or_reason(&mut found, "pairing", description.pairing.as_ref().map(pairing), TOO_FEW);
    let spread = description.spread.as_ref().map(|spread| {
        let mut levels = Map::new();
        levels.insert("round_sd_percent".to_owned(), percent(spread.round_sd));
        levels.insert("block_sd_percent".to_owned(), percent(spread.block_sd));
        let chunk = spread.chunk_sd.map(percent);
        or_reason(&mut levels, "chunk_sd_percent", chunk, "the work is not cut into chunks");
        levels.insert("variance_below_zero".to_owned(), json!(spread.clipped));
        Value::Object(levels)
    });
    or_reason(&mut found, "spread", spread, TOO_FEW);
    or_reason(&mut found, "course", description.course.as_ref().map(course), TOO_FEW);
    let marked = description.outliers.as_ref().map(outliers);
    or_reason(&mut found, "outliers", marked, NO_SPREAD);
    Value::Object(found)
}

fn look(look: &LookFigure) -> Value {
    let mut found = interval(Some(look.log_ratio), look.lo, look.hi);
    found.insert("look".to_owned(), json!(look.look));
    found.insert("rounds".to_owned(), json!(look.rounds));
    found.insert("units".to_owned(), json!(look.units));
    found.insert("information".to_owned(), number(look.information));
    found.insert("nominal_p".to_owned(), number(look.nominal_p));
    found.insert("outcome".to_owned(), json!(look.outcome));
    let chance = look.chance_of_decision.map(number);
    or_reason(&mut found, "chance_of_decision", chance, "not asked at this look");
    Value::Object(found)
}

fn class(widths: &ClassIntervals) -> Value {
    json!({
        "rounds_half_width_percent": percent(widths.rounds_half_width),
        "inputs_half_width_percent": percent(widths.inputs_half_width),
        "both_half_width_percent": percent(widths.both_half_width),
        "inputs": widths.inputs,
    })
}

fn round(round: &RoundFigure) -> Value {
    let mut found = Map::new();
    found.insert("round".to_owned(), json!(round.round));
    found.insert("part".to_owned(), json!(round.part));
    found.insert("ratio_to_off".to_owned(), factor(round.value));
    let blocks = (!round.blocks.is_empty()).then(|| list(&round.blocks, |block| factor(*block)));
    or_reason(&mut found, "blocks", blocks, "too many for a record; the samples hold them");
    Value::Object(found)
}

fn estimator(figure: &EstimatorFigure) -> Value {
    let mut found = interval(Some(figure.log_ratio), figure.lo, figure.hi);
    found.insert("estimator".to_owned(), json!(figure.estimator));
    let decision = figure.decision.map(|decision| json!(decision));
    let why = if is_not_compared(figure) { NOT_COMPARED } else { NO_INTERVAL };
    or_reason(&mut found, "decision", decision, why);
    Value::Object(found)
}

fn test(figure: &TestFigure) -> Value {
    let mut found = Map::new();
    found.insert("test".to_owned(), json!(figure.test));
    found.insert("method".to_owned(), json!(figure.method));
    or_reason(&mut found, "p", figure.p.map(number), &figure.method);
    Value::Object(found)
}

fn pairing(gain: &PairingGain) -> Value {
    let mut found = Map::new();
    found.insert("paired_standard_error_percent".to_owned(), percent(gain.paired_standard_error));
    found.insert("pooled_standard_error_percent".to_owned(), percent(gain.pooled_standard_error));
    or_reason(&mut found, "correlation", gain.correlation.map(number), NO_SPREAD);
    or_reason(&mut found, "blocks_factor", gain.blocks_factor.map(number), NO_SPREAD);
    Value::Object(found)
}

fn course(course: &RunCourse) -> Value {
    let mut found = Map::new();
    found.insert("trend_percent".to_owned(), percent(course.trend));
    or_reason(&mut found, "trend_p", course.trend_p.map(number), TOO_FEW);
    let places = list(&course.places, |place| {
        json!({
            "place": place.place,
            "speed_percent": percent(place.log_rate),
            "samples": place.n,
        })
    });
    found.insert("places".to_owned(), places);
    or_reason(&mut found, "places_p", course.places_p.map(number), TOO_FEW);
    or_reason(&mut found, "lag_1", course.lag_1.map(number), TOO_FEW);
    or_reason(&mut found, "effective_rounds", course.effective_rounds.map(number), TOO_FEW);
    let shift = course.shift.as_ref().map(|shift| {
        json!({
            "series": shift.series,
            "after_block": shift.after_block,
            "size_percent": percent(shift.size),
            "p": number(shift.p),
        })
    });
    or_reason(&mut found, "shift", shift, "none found");
    Value::Object(found)
}

fn outliers(outliers: &Outliers) -> Value {
    json!({
        "threshold_deviations": number(outliers.threshold),
        "count": outliers.count,
        "of": outliers.of,
        "marked": outliers.marked,
    })
}

/// Ratio and both ends as factors, with a reason where one is not there.
fn interval(log_ratio: Option<f64>, lo: Option<f64>, hi: Option<f64>) -> Map<String, Value> {
    let mut found = Map::new();
    let parts = [("ratio_to_off", log_ratio), ("lo", lo), ("hi", hi)]
        .map(|(key, log)| (key.to_owned(), log.map_or(Value::Null, factor)));
    let missing = parts.iter().any(|(_, value)| value.is_null());
    found.extend(parts);
    if missing {
        found.insert("reason".to_owned(), json!(NO_INTERVAL));
    }
    found
}

/// The value, or null and `<key>_reason`.
fn or_reason(found: &mut Map<String, Value>, key: &str, value: Option<Value>, why: &str) {
    let value = value.unwrap_or(Value::Null);
    if value.is_null() {
        found.insert(format!("{key}_reason"), json!(why));
    }
    found.insert(key.to_owned(), value);
}

fn list<T>(items: &[T], form: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(form).collect())
}

fn factor(log: f64) -> Value {
    number(libm::exp(log))
}

fn percent(log: f64) -> Value {
    number(libm::expm1(log) * 100.0)
}

/// Null when it is not finite.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}
