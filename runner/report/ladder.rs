//! A ladder with its rule: the headline, and the curve rung by rung.

use super::figures::{confidence, fine_change};
use super::rows::{estimate, interval, reason_word};
use crate::record::Record;
use crate::verdict::{Effect, LadderCode, LadderFinding, RungFigure, StepFigure};

/// The heading of the curves.
pub(super) const HEADING: &str = "The ladder against its rule";

/// Heads of a curve's columns.
pub(super) const HEADER: [&str; 4] = ["rung", "ratio to off", "step from the rung before", "rule"];

/// One curve with what it comes to. Not escaped.
pub(super) struct Curve {
    /// `at depth_tokens=512: …`, or without a condition the rule alone.
    pub title: String,
    pub rows: Vec<[String; 4]>,
}

/// What stands first of all, one line a condition value; nothing where no rule is registered.
pub(super) fn headlines(record: &Record) -> Vec<String> {
    record
        .sealed
        .analysis
        .ladder
        .iter()
        .map(|finding| {
            let code = word(&finding.reason.code);
            format!(
                "{}{} ({code}): {}",
                state(finding.reason.code),
                at(finding),
                finding.reason.text
            )
        })
        .collect()
}

/// Every curve, in order of condition value.
pub(super) fn curves(record: &Record) -> Vec<Curve> {
    let assumes = record.plan.ladder.as_ref().and_then(|ladder| ladder.stop.as_ref());
    let title = |finding: &LadderFinding| match assumes {
        Some(rule) => format!(
            "{}{}: stop where a {} buys under {} %; the curve is assumed {}",
            finding.setting,
            at(finding),
            rule.under.unit(),
            rule.under.percent(),
            word(&rule.assumes)
        ),
        None => format!("{}{}", finding.setting, at(finding)),
    };
    record
        .sealed
        .analysis
        .ladder
        .iter()
        .map(|finding| Curve {
            title: title(finding),
            rows: finding.places.iter().map(|place| row(finding, place)).collect(),
        })
        .collect()
}

fn state(code: LadderCode) -> &'static str {
    match code {
        LadderCode::LadderRuleStopsBeforeBest => "LADDER RULE CONTRADICTED",
        LadderCode::LadderRuleFindsBest => "ladder rule upheld",
        LadderCode::LadderRuleNeverStops => "ladder rule never stops",
        LadderCode::LadderUndecided => "ladder rule undecided",
        LadderCode::LadderNotEvaluated => "ladder rule not evaluated",
    }
}

fn at(finding: &LadderFinding) -> String {
    if finding.condition.is_empty() { String::new() } else { format!(" at {}", finding.condition) }
}

fn row(finding: &LadderFinding, place: &RungFigure) -> [String; 4] {
    let to_off = match (&place.effect, place.left_out) {
        (Some(effect), _) => format!("{}; {}", estimate(effect), interval(Some(effect))),
        (None, Some(_)) => "none".to_owned(),
        (None, None) => "off itself".to_owned(),
    };
    let mut marks = Vec::new();
    if finding.stops_at.as_ref() == Some(&place.arm) {
        marks.push("stops here".to_owned());
    }
    if finding.later_step.as_ref() == Some(&place.arm) {
        marks.push("a later step".to_owned());
    }
    if finding.best.as_ref() == Some(&place.arm) {
        marks.push("best".to_owned());
    }
    if let Some(code) = place.left_out {
        marks.push(format!("does not count: {}", reason_word(code)));
    }
    [
        place.value.clone(),
        to_off,
        place.step.as_ref().map_or_else(String::new, step),
        marks.join(", "),
    ]
}

/// `+1.00 % a doubling (over 3 doublings: +3.03 %; +0.90 to +5.20 %, 99.17 %)`.
fn step(step: &StepFigure) -> String {
    let whole = fine_change(step.effect.log_ratio);
    let ends = changes(&step.effect);
    match step.doublings {
        None => format!("{whole} ({ends})"),
        // Doublings of a ladder that goes up in twos are exactly one.
        Some(1.0) => format!("{whole} a doubling ({ends})"),
        Some(doublings) => {
            let bought = fine_change(libm::log1p(step.bought_percent / 100.0));
            format!("{bought} a doubling (over {}: {whole}; {ends})", counted(doublings))
        }
    }
}

fn counted(doublings: f64) -> String {
    // whole ones without decimals, others with two
    let text = format!("{doublings:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "1" { "1 doubling".to_owned() } else { format!("{text} doublings") }
}

fn changes(effect: &Effect) -> String {
    match (effect.lo, effect.hi) {
        (Some(lo), Some(hi)) => format!(
            "{} to {}, {}",
            fine_change(lo).trim_end_matches(" %"),
            fine_change(hi),
            confidence(effect.confidence_percent)
        ),
        _ => "no interval".to_owned(),
    }
}

fn word<T: serde::Serialize + std::fmt::Debug>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => format!("{value:?}"),
    }
}
