//! One comparison as texts: what both kinds of table show.

use super::details::headline;
use super::figures::{confidence, p_value, percent_change, ratio, significant};
use super::notes::floor_cell;
use crate::manifest::Metric;
use crate::record::{Record, verdict_word};
use crate::verdict::{Agreement, Comparison, Effect, ReasonCode, Spread, Verdict};

/// The texts of a comparison. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub name: String,
    pub rounds: String,
    pub blocks: String,
    pub unit: String,
    /// `41.20 (40.1 to 42.3)`; the unit stands beside it.
    pub off: String,
    pub arm: String,
    pub ratio: String,
    pub interval: String,
    pub pooled: String,
    pub pooled_interval: String,
    pub rounds_agree: String,
    pub inputs_agree: String,
    pub holm: String,
    pub verdict: String,
    pub kind: Option<Verdict>,
    pub reason_code: String,
    pub reason: String,
    pub claim: String,
    /// The estimate with flagged blocks kept, where any were flagged.
    pub with_flagged: Option<String>,
    /// What stands right under the verdict: what pairing bought, who disagrees, looks, warnings.
    pub beside: Vec<String>,
    /// Off against off again, at the same condition.
    pub noise_floor: String,
}

const NONE: &str = "none";

/// Judged comparisons in manifest order, then those that are only described.
pub(super) fn rows(record: &Record) -> Vec<Row> {
    let analysis = &record.sealed.analysis;
    let mut rows: Vec<Row> =
        analysis.comparisons.iter().map(|comparison| row(record, comparison, true)).collect();
    rows.extend(analysis.described.iter().map(|comparison| row(record, comparison, false)));
    rows
}

fn row(record: &Record, comparison: &Comparison, judged: bool) -> Row {
    let unit = unit_of(&comparison.metric).to_owned();
    let claims = &record.sealed.claims;
    let claim = claims.iter().find(|claim| {
        judged && claim.arm == comparison.arm && claim.condition == comparison.condition
    });
    Row {
        name: name(&comparison.arm, &comparison.condition),
        rounds: counted(comparison.rounds, "round"),
        blocks: blocks(comparison),
        off: spread(comparison.off.as_ref()),
        arm: spread(comparison.treatment.as_ref()),
        unit,
        ratio: comparison.effect.as_ref().map_or_else(|| NONE.to_owned(), estimate),
        interval: interval(comparison.effect.as_ref()),
        pooled: comparison.pooled.as_ref().map_or_else(|| NONE.to_owned(), estimate),
        pooled_interval: interval(comparison.pooled.as_ref()),
        rounds_agree: agreement(comparison.rounds_agree),
        inputs_agree: agreement(comparison.inputs_agree),
        holm: comparison
            .holm_p
            .map_or_else(|| "no Holm p".to_owned(), |p| format!("Holm {}", p_value(p))),
        verdict: if judged { verdict_word(comparison.verdict) } else { "described" }.to_owned(),
        kind: judged.then_some(comparison.verdict),
        reason_code: reason_word(comparison.reason.code),
        reason: comparison.reason.text.clone(),
        claim: claim.map_or_else(|| comparison.claim.clone(), |claim| claim.sentence.clone()),
        with_flagged: comparison
            .effect_with_flagged
            .as_ref()
            .map(|effect| format!("{} {}", estimate(effect), interval(Some(effect)))),
        beside: energy_line(comparison).into_iter().chain(headline(comparison)).collect(),
        noise_floor: floor_cell(&record.sealed.analysis, &comparison.condition),
    }
}

/// What the ratio of an energy is, which falls where it is better.
fn energy_line(comparison: &Comparison) -> Option<String> {
    if comparison.metric != Metric::JoulesPerToken.key() {
        return None;
    }
    let effect = comparison.effect.as_ref()?;
    Some(format!(
        "energy: the ratio is off's over the arm's, so more is better; the arm's own energy a token: {}",
        percent_change(-effect.log_ratio)
    ))
}

fn blocks(comparison: &Comparison) -> String {
    let entered = counted(comparison.blocks, "block");
    match comparison.blocks_without_number {
        0 => entered,
        without => format!("{entered} ({without} more without a number)"),
    }
}

/// `arm`, or `arm at depth_tokens=512`.
pub(super) fn name(arm: &str, condition: &str) -> String {
    if condition.is_empty() { arm.to_owned() } else { format!("{arm} at {condition}") }
}

/// The unit of a metric by its key; the key itself when it is not known.
pub(super) fn unit_of(key: &str) -> &str {
    Metric::ALL.into_iter().find(|metric| metric.key() == key).map_or(key, |metric| metric.unit())
}

fn spread(spread: Option<&Spread>) -> String {
    spread.map_or_else(|| NONE.to_owned(), spread_text)
}

/// `41.20 (39.96 to 42.44)`.
pub(super) fn spread_text(spread: &Spread) -> String {
    let [median, q1, q3] = [spread.median, spread.q1, spread.q3].map(significant);
    format!("{median} ({q1} to {q3})")
}

/// `1.051x (+5.1 %)`.
pub(super) fn estimate(effect: &Effect) -> String {
    format!("{} ({})", ratio(effect.log_ratio), percent_change(effect.log_ratio))
}

/// `1.021x to 1.083x, 95 %`.
pub(super) fn interval(effect: Option<&Effect>) -> String {
    match effect.map(|effect| (effect.lo, effect.hi, effect.confidence_percent)) {
        Some((Some(lo), Some(hi), percent)) => {
            format!("{} to {}, {}", ratio(lo), ratio(hi), confidence(percent))
        }
        _ => "no interval".to_owned(),
    }
}

/// `1 round`, `16 rounds`.
pub(super) fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn agreement(agreement: Agreement) -> String {
    format!("{} of {}", agreement.agree, agreement.of)
}

/// The code as records spell it.
pub(super) fn reason_word(code: ReasonCode) -> String {
    match serde_json::to_value(code) {
        Ok(serde_json::Value::String(word)) => word,
        _ => format!("{code:?}"),
    }
}
