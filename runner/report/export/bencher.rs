//! Bencher Metric Format: benchmarks with measures, each a value with a lower and an upper one.

use serde_json::{Map, Value, json};

use crate::record::{FigureState, Life, Record, verdict_word};
use crate::report::rows::{name, reason_word};
use crate::verdict::{Comparison, Effect, Spread, Verdict};

/// Measures, and what was left out of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Bencher {
    /// The document.
    pub json: Value,
    /// What is not in it, each with its reason: the format knows neither null nor verdicts.
    pub left_out: Vec<String>,
}

/// The measure of a comparison's paired effect.
const RATIO: &str = "ratio_to_off";

/// A record's figures: for each comparison `ratio_to_off` with its interval, and for each arm its
/// median with its quartiles. What is void proves nothing, and what was struck may not be quoted: both
/// are left out.
#[must_use]
pub fn bencher(record: &Record, life: &Life) -> Bencher {
    let mut benchmarks = Map::new();
    let mut left_out = Vec::new();
    let id = record.sealed.id.as_str();
    let off = record.plan.arms.get(record.plan.off()).map_or("off", |off| off.name.as_str());
    let analysis = &record.sealed.analysis;
    for comparison in analysis.comparisons.iter().chain(&analysis.described) {
        let arm = format!("{id}/{}", name(&comparison.arm, &comparison.condition));
        if proves_nothing(comparison.verdict) {
            let verdict = verdict_word(comparison.verdict);
            left_out.push(format!("{arm}: {verdict} ({})", reason_word(comparison.reason.code)));
            continue;
        }
        let state = state_of(life, comparison);
        if matches!(state, FigureState::Struck { .. }) {
            left_out.push(format!("{arm}: {}", state.said()));
            continue;
        }
        match comparison.effect.as_ref().and_then(ratio) {
            Some(measure) => insert(&mut benchmarks, &arm, RATIO, measure),
            None => left_out.push(format!("{arm}: no ratio ({})", comparison.reason.text)),
        }
        insert_spread(&mut benchmarks, &arm, comparison, comparison.treatment.as_ref());
        let off = format!("{id}/{}", name(off, &comparison.condition));
        insert_spread(&mut benchmarks, &off, comparison, comparison.off.as_ref());
    }
    Bencher { json: Value::Object(benchmarks), left_out }
}

fn state_of<'life>(life: &'life Life, comparison: &Comparison) -> &'life FigureState {
    let own = life
        .comparisons
        .iter()
        .find(|one| (&one.arm, &one.condition) == (&comparison.arm, &comparison.condition));
    own.map_or(&life.state, |own| &own.state)
}

fn proves_nothing(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Void | Verdict::Refused | Verdict::Incomplete => true,
        Verdict::Win | Verdict::Loss | Verdict::Level | Verdict::Parked | Verdict::Insufficient => {
            false
        }
    }
}

fn ratio(effect: &Effect) -> Option<Value> {
    measure(Some(libm::exp(effect.log_ratio)), effect.lo.map(libm::exp), effect.hi.map(libm::exp))
}

fn insert_spread(
    benchmarks: &mut Map<String, Value>,
    benchmark: &str,
    comparison: &Comparison,
    spread: Option<&Spread>,
) {
    let Some(spread) = spread else { return };
    if let Some(value) = measure(Some(spread.median), Some(spread.q1), Some(spread.q3)) {
        insert(benchmarks, benchmark, &comparison.metric, value);
    }
}

/// A value with what bounds it; `None` where the value is no number.
fn measure(value: Option<f64>, lower: Option<f64>, upper: Option<f64>) -> Option<Value> {
    let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
    let mut measure = json!({ "value": finite(value)? });
    if let Value::Object(object) = &mut measure {
        for (key, bound) in [("lower_value", lower), ("upper_value", upper)] {
            if let Some(bound) = finite(bound) {
                object.insert(key.to_owned(), json!(bound));
            }
        }
    }
    Some(measure)
}

fn insert(benchmarks: &mut Map<String, Value>, benchmark: &str, measure: &str, value: Value) {
    let entry = benchmarks.entry(benchmark).or_insert_with(|| json!({}));
    if let Value::Object(object) = entry {
        object.insert(measure.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::bencher;
    use crate::record::Life;
    use crate::report::example;

    #[test]
    fn a_win_has_its_ratio_with_the_interval_and_both_medians() {
        let record = example::win();
        let found = bencher(&record, &Life::default());
        let comparison = &record.sealed.analysis.comparisons[0];
        let arm = format!("{}/{}", record.sealed.id, comparison.arm);
        let measures = &found.json[arm.as_str()];
        let effect = comparison.effect.as_ref().unwrap();
        assert_eq!(measures["ratio_to_off"]["value"], libm::exp(effect.log_ratio));
        assert_eq!(measures["ratio_to_off"]["lower_value"], libm::exp(effect.lo.unwrap()));
        assert!(measures[comparison.metric.as_str()]["value"].is_number(), "{measures}");
        assert!(found.json[format!("{}/off", record.sealed.id)].is_object(), "{}", found.json);
    }

    #[test]
    fn what_is_not_finite_never_gets_into_it() {
        let mut record = example::win();
        let comparison = &mut record.sealed.analysis.comparisons[0];
        comparison.effect.as_mut().unwrap().log_ratio = f64::NAN;
        comparison.off.as_mut().unwrap().q1 = f64::INFINITY;
        let found = bencher(&record, &Life::default());
        assert!(found.left_out[0].contains("no ratio"), "{:?}", found.left_out);
        let text = found.json.to_string();
        assert!(!text.contains("null") && !text.contains("ratio_to_off"), "{text}");
    }
}
