//! JSON forms. A number that is not there is null, and a reason stands beside it.

use serde_json::{Map, Value, json};

use super::drafts;
use super::json_description::description_figures;
use super::rows::unit_of;
use crate::record::{Finding, Listing, Record, RunState, Severity, SummaryState};
use crate::verdict::{Comparison, Effect};

/// A record, whole: `show --json`.
#[must_use]
pub fn record_json(record: &Record) -> Value {
    let analysis = &record.sealed.analysis;
    let figures = |comparisons: &[Comparison]| -> Vec<Value> {
        comparisons.iter().map(comparison_figures).collect()
    };
    json!({
        "record": record.sealed,
        "title": record.plan.title,
        "registered": {
            "at": record.registered.at,
            "commit": record.registered.commit,
            "state": record.registered.state,
        },
        "provenance": record.provenance,
        "figures": {
            "comparisons": figures(&analysis.comparisons),
            "described": figures(&analysis.described),
            "speculation": drafts::json(record),
        },
    })
}

/// Factors instead of logarithms, each null with a reason where there is none.
fn comparison_figures(comparison: &Comparison) -> Value {
    let mut object = Map::new();
    object.insert("arm".to_owned(), json!(comparison.arm));
    object.insert("condition".to_owned(), json!(comparison.condition));
    object.insert("metric".to_owned(), json!(comparison.metric));
    object.insert("unit".to_owned(), json!(unit_of(&comparison.metric)));
    let why = &comparison.reason.text;
    insert_effect(&mut object, "paired", comparison.effect.as_ref(), why);
    insert_effect(&mut object, "pooled", comparison.pooled.as_ref(), why);
    object.extend(description_figures(comparison));
    Value::Object(object)
}

fn insert_effect(object: &mut Map<String, Value>, key: &str, effect: Option<&Effect>, why: &str) {
    let value = match effect {
        Some(effect) => effect_json(effect, why),
        None => {
            object.insert(format!("{key}_reason"), json!(why));
            Value::Null
        }
    };
    object.insert(key.to_owned(), value);
}

fn effect_json(effect: &Effect, why: &str) -> Value {
    let factor = |log: Option<f64>| log.map(libm::exp).filter(|factor| factor.is_finite());
    let mut value = json!({
        "ratio_to_off": factor(Some(effect.log_ratio)),
        "lo": factor(effect.lo),
        "hi": factor(effect.hi),
        "confidence_percent": effect.confidence_percent,
        "units": effect.n,
    });
    let incomplete = ["ratio_to_off", "lo", "hi"].iter().any(|key| value[*key].is_null());
    if let (true, Value::Object(object)) = (incomplete, &mut value) {
        object.insert("reason".to_owned(), json!(why));
    }
    value
}

/// All that results/ holds: `list --json`.
#[must_use]
pub fn listing_json(listing: &Listing) -> Value {
    let rows = listing.summaries.iter().map(|summary| {
        let mut row = json!({
            "id": summary.id,
            "title": summary.title,
            "run": summary.run,
            "registered_at": summary.registered.as_ref().map(|registered| &registered.at),
            "registered_state": summary.registered.as_ref().map(|registered| registered.state),
            "amendments": summary.amendments,
            "withdrawn": summary.withdrawn,
        });
        let state = match &summary.state {
            SummaryState::RegisteredOnly => json!({"state": "registered"}),
            SummaryState::Searched(found) => json!({"state": "searched", "found": found}),
            SummaryState::Unfinished(RunState::UnfinishedWithBlocks) => {
                json!({"state": "unfinished", "has_samples": true})
            }
            SummaryState::Unfinished(_) => json!({"state": "unfinished", "has_samples": false}),
            SummaryState::Unreadable { why } => json!({"state": "unreadable", "reason": why}),
            SummaryState::Newer(head) => json!({
                "state": "newer",
                "format_version": head.format_version,
                "attempt": head.attempt,
                "comparisons": head.comparisons.iter().map(|comparison| json!({
                    "arm": comparison.arm,
                    "condition": comparison.condition,
                    "verdict": comparison.verdict,
                })).collect::<Vec<Value>>(),
            }),
            SummaryState::Finished(finished) => json!({
                "state": "finished",
                "attempt": finished.attempt,
                "rules_version": finished.rules_version,
                "started": finished.started,
                "commit": finished.commit,
                "repository": finished.state,
                "machine": finished.machine,
                "unpinned": finished.unpinned,
                "extent": finished.extent,
                "model": finished.model,
                "work": finished.work,
                "class": finished.class,
                "depth_tokens": finished.depths,
                "backends": finished.backends,
                "registration_at_start": finished.registration_at_start,
                "figure": super::life::state_json(&finished.figure),
                "comparisons": finished.rows.iter().map(|row| {
                    let mut object = Map::new();
                    object.insert("arm".to_owned(), json!(row.arm));
                    object.insert("condition".to_owned(), json!(row.condition));
                    object.insert("metric".to_owned(), json!(row.metric));
                    object.insert("verdict".to_owned(), json!(row.verdict));
                    object.insert("reason".to_owned(), json!(row.reason));
                    object.insert("rounds".to_owned(), json!(row.n.0));
                    object.insert("blocks".to_owned(), json!(row.n.1));
                    object.insert("figure".to_owned(), super::life::state_json(&row.figure));
                    let why = super::rows::reason_word(row.reason);
                    insert_effect(&mut object, "paired", row.effect.as_ref(), &why);
                    insert_effect(&mut object, "pooled", row.pooled.as_ref(), &why);
                    Value::Object(object)
                }).collect::<Vec<Value>>(),
            }),
        };
        if let (Value::Object(row), Value::Object(state)) = (&mut row, state) {
            row.extend(state);
        }
        row
    });
    json!({ "results": rows.collect::<Vec<Value>>() })
}

/// What a verification said: `record verify --json`.
#[must_use]
pub fn findings_json(findings: &[Finding]) -> Value {
    let said = findings.iter().map(|finding| {
        let severity = match finding.severity {
            Severity::Failed => "failed",
            Severity::Unchecked => "unchecked",
            Severity::Note => "note",
        };
        json!({ "severity": severity, "file": finding.file, "what": finding.what })
    });
    json!({
        "passes": crate::record::passes(findings),
        "findings": said.collect::<Vec<Value>>(),
    })
}
