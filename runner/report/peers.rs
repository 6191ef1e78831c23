//! What other engines told, beside the times that stand in the table above.

use super::rows::name;
use crate::record::Record;
use crate::verdict::{PeerFacts, Quantiles, condition_label};

/// Heads of the table.
pub(super) const HEADER: [&str; 7] = [
    "arm",
    "requests",
    "tokens (pieces)",
    "first token, ms: p50, p90, p99",
    "between tokens, ms: p50, p90, p99",
    "tokens/s by the server's clock",
    "prompt by the server's clock, ms",
];

/// The heading of the table.
pub(super) const HEADING: &str = "Other engines, as they tell it";

/// Rows of the table, not escaped; none where no arm is another engine.
pub(super) fn rows(record: &Record) -> Vec<[String; 7]> {
    record
        .sealed
        .facts
        .peers
        .iter()
        .map(|one| {
            let server = one.server.as_ref();
            let speed = server.and_then(|server| server.decode_tokens_per_second);
            [
                called(record, one),
                one.requests.to_string(),
                match one.tokens {
                    0 => "not told".to_owned(),
                    tokens => format!("{tokens} ({})", one.pieces),
                },
                quantiles(one.first_token_milliseconds.as_ref()),
                quantiles(one.between_tokens_milliseconds.as_ref()),
                speed.map_or_else(|| "not told".to_owned(), |speed| format!("{speed:.2}")),
                server.map_or_else(
                    || "not told".to_owned(),
                    |server| format!("{:.2}", server.prompt_milliseconds),
                ),
            ]
        })
        .collect()
}

/// What each arm is, what its figures leave open, and what was seen of kept prompts.
pub(super) fn lines(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    for one in &record.sealed.facts.peers {
        if one.condition == 0 {
            lines.push(format!(
                "{} is another engine ({}), described and not judged: {}",
                one.arm,
                one.kind,
                one.cannot_promise.join("; ")
            ));
        }
        if let Some(seen) = one.prompt_cache.filter(|_| one.condition == 0) {
            lines.push(format!(
                "{}: a repeated prompt took {:.0} % of a fresh one's time (median of {} pairs, {} of them quicker), declared {}",
                one.arm,
                seen.repeated_by_fresh * 100.0,
                seen.pairs,
                seen.quicker_pairs,
                serde_json::to_value(seen.declared)
                    .ok()
                    .and_then(|word| Some(word.as_str()?.to_owned()))
                    .unwrap_or_default()
            ));
        }
        if let Some(server) = one.server.as_ref().filter(|server| server.cached_tokens > 0) {
            lines.push(format!(
                "{}: {} tokens of prompts were kept from before, {} were computed",
                called(record, one),
                server.cached_tokens,
                server.prompt_tokens
            ));
        }
        if let Some(whole) = &one.request_milliseconds {
            lines.push(format!(
                "{}: whole requests, ms: p50 {:.2}, p90 {:.2}, p99 {:.2}, longest {:.2}",
                called(record, one),
                whole.p50,
                whole.p90,
                whole.p99,
                whole.max
            ));
        }
    }
    lines
}

fn called(record: &Record, one: &PeerFacts) -> String {
    let value = record.plan.condition_values().get(one.condition as usize).copied().flatten();
    name(&one.arm, &condition_label(&record.plan, value))
}

fn quantiles(found: Option<&Quantiles>) -> String {
    match found {
        None => "not told".to_owned(),
        Some(found) => format!("{:.2}, {:.2}, {:.2}", found.p50, found.p90, found.p99),
    }
}
