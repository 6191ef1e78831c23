//! What became of drafts, by arm and condition.

use engine_protocol::DraftAcceptance;
use serde_json::{Value, json};

use super::rows::name;
use crate::record::Record;
use crate::verdict::{ArmSpeculation, ContractFinding, condition_label, isolated};

/// Heads of the table.
pub(super) const HEADER: [&str; 6] = [
    "arm",
    "tokens kept an evaluation",
    "mean width",
    "accepted of drafted",
    "accepted by place in the draft",
    "drafter's tokens a kept one",
];

/// The heading of the table.
pub(super) const HEADING: &str = "What became of drafts, while timed";

/// Rows of the table, not escaped; none where nothing was drafted.
pub(super) fn rows(record: &Record) -> Vec<[String; 6]> {
    record
        .sealed
        .facts
        .speculation
        .iter()
        .map(|one| {
            let counts = &one.counts;
            [
                name(&one.arm, &label(record, one)),
                decimal(ratio(one.kept_tokens, counts.evaluations)),
                decimal(ratio(counts.evaluated_tokens, counts.evaluations)),
                format!("{} of {}", counts.accepted(), counts.drafted()),
                by_place(one),
                match counts.drafter_tokens {
                    0 => "none".to_owned(),
                    tokens => decimal(ratio(tokens, one.kept_tokens)),
                },
            ]
        })
        .collect()
}

/// What an arm is whose tokens are shown and not judged.
pub(super) fn called(record: &Record, finding: &ContractFinding) -> &'static str {
    let plan = &record.plan;
    let arm = plan.arms.iter().find(|arm| arm.name.as_str() == finding.arm);
    match arm.and_then(|arm| plan.drafting_of(arm)).map(|drafting| drafting.acceptance) {
        Some(DraftAcceptance::Greedy) => "an arm that drafts and is not judged: it",
        Some(DraftAcceptance::Nothing) | None => "a control that keeps no draft: it",
    }
}

/// Which of rollback and batching is exact, a sentence an arm.
pub(super) fn sentences(record: &Record) -> Vec<String> {
    isolated(&record.plan, &record.sealed.facts)
        .into_iter()
        .map(|isolated| isolated.sentence)
        .collect()
}

/// The same for programs.
pub(super) fn json(record: &Record) -> Value {
    let drafts: Vec<Value> = record
        .sealed
        .facts
        .speculation
        .iter()
        .map(|one| {
            let counts = &one.counts;
            json!({
                "arm": one.arm,
                "condition": label(record, one),
                "kept_tokens": one.kept_tokens,
                "evaluations": counts.evaluations,
                "evaluated_tokens": counts.evaluated_tokens,
                "kept_tokens_an_evaluation": ratio(one.kept_tokens, counts.evaluations),
                "mean_width_tokens": ratio(counts.evaluated_tokens, counts.evaluations),
                "acceptance_by_position": acceptance(one),
                "drafter_tokens": counts.drafter_tokens,
            })
        })
        .collect();
    json!({ "drafts": drafts, "isolation": isolated(&record.plan, &record.sealed.facts) })
}

fn label(record: &Record, one: &ArmSpeculation) -> String {
    let value = record.plan.condition_values().get(one.condition as usize).copied().flatten();
    condition_label(&record.plan, value)
}

/// Accepted of drafted at each place; none where nothing was drafted there.
fn acceptance(one: &ArmSpeculation) -> Vec<Option<f64>> {
    let counts = &one.counts;
    let accepted = counts.accepted_by_position.iter().copied().chain(std::iter::repeat(0));
    counts
        .drafted_by_position
        .iter()
        .zip(accepted)
        .map(|(drafted, accepted)| ratio(accepted, *drafted))
        .collect()
}

fn by_place(one: &ArmSpeculation) -> String {
    let places: Vec<String> = acceptance(one)
        .into_iter()
        .map(|share| match share {
            Some(share) => format!("{:.0} %", 100.0 * share),
            None => "none".to_owned(),
        })
        .collect();
    if places.is_empty() { "nothing was drafted".to_owned() } else { places.join(", ") }
}

fn ratio(over: u64, under: u64) -> Option<f64> {
    (under > 0).then(|| over as f64 / under as f64)
}

fn decimal(value: Option<f64>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{value:.2}"))
}
