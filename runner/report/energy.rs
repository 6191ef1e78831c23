//! What tables say of energies: where they come from, and what more of them means.

use crate::manifest::Metric;
use crate::record::Record;
use crate::verdict::EnergyEvidence;

/// The counters that were read, and what their sum holds; nothing where no metric asks.
pub(super) fn counters(record: &Record) -> Option<String> {
    match record.sealed.facts.energy.as_ref()? {
        EnergyEvidence::Read { counters, shortest_milliseconds } => Some(format!(
            "energy: {} around each timed request of {shortest_milliseconds} ms or more, with all \
             that drew on {} meanwhile, idle workers too",
            counters.join(" and "),
            if counters.len() == 1 { "it" } else { "them" }
        )),
        EnergyEvidence::Unknown { .. } => None,
    }
}

/// Why a secondary energy has no figure.
pub(super) fn unknown(record: &Record) -> Option<String> {
    let key = Metric::JoulesPerToken.key();
    if !record.plan.metric.secondary.contains(&Metric::JoulesPerToken) {
        return None;
    }
    let figures = &record.sealed.analysis.secondary;
    match record.sealed.facts.energy.as_ref() {
        Some(EnergyEvidence::Unknown { why }) => Some(format!("unknown: {why}")),
        Some(EnergyEvidence::Read { shortest_milliseconds, .. })
            if !figures.iter().any(|figure| figure.metric == key) =>
        {
            Some(format!(
                "unknown: no block in which every request had a reading; one must last \
                 {shortest_milliseconds} ms or more"
            ))
        }
        Some(EnergyEvidence::Read { .. }) => None,
        None => Some("unknown: the run ended before the counters were looked for".to_owned()),
    }
}

/// What a comparison's rates are: more of it is better.
pub(super) fn rate_word(metric: &str) -> &'static str {
    if metric == Metric::JoulesPerToken.key() { "tokens for a joule" } else { "speed" }
}
