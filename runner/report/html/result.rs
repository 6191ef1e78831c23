//! One comparison as a row of the results, and what its verdict says in full.

use super::super::figures::{confidence, percent_change, ratio};
use super::super::rows::{Row, rows};
use super::state::{comparison_state, is_struck};
use super::verdict::Badge;
use crate::record::{Life, Record};
use crate::verdict::{Comparison, Effect};

/// A comparison's result. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResultRow {
    /// Address within the page.
    pub anchor: String,
    pub badge: Badge,
    /// `+5.1 %`.
    pub change: String,
    /// `+3.0 % to +7.3 %`.
    pub interval: String,
    /// `95 %`.
    pub confidence: String,
    /// `1.051x`.
    pub ratio: String,
    /// Whether the figure was struck.
    pub is_struck: bool,
    /// `current`, `stale`, `superseded`, `struck`.
    pub state: &'static str,
    /// The rest, as tables have it.
    pub row: Row,
}

/// Judged comparisons, then described ones, each with what it is of.
pub(super) fn results<'a>(record: &'a Record, life: &Life) -> Vec<(ResultRow, &'a Comparison)> {
    let analysis = &record.sealed.analysis;
    let comparisons = analysis.comparisons.iter().chain(&analysis.described);
    rows(record)
        .into_iter()
        .zip(comparisons)
        .enumerate()
        .map(|(place, (row, comparison))| (result(place, row, comparison, life), comparison))
        .collect()
}

fn result(place: usize, row: Row, comparison: &Comparison, life: &Life) -> ResultRow {
    let effect = comparison.effect.as_ref();
    let state = comparison_state(life, &comparison.arm, &comparison.condition);
    let none = || "none".to_owned();
    ResultRow {
        anchor: format!("c{}", place + 1),
        badge: row.kind.map_or_else(Badge::described, Badge::of),
        change: effect.map_or_else(none, |effect| percent_change(effect.log_ratio)),
        interval: interval_text(effect),
        confidence: effect.map_or_else(String::new, |one| confidence(one.confidence_percent)),
        ratio: effect.map_or_else(none, |effect| ratio(effect.log_ratio)),
        is_struck: is_struck(state),
        state: state.word(),
        row,
    }
}

/// `+3.0 % to +7.3 %`.
pub(super) fn interval_text(effect: Option<&Effect>) -> String {
    match effect.and_then(|effect| effect.lo.zip(effect.hi)) {
        Some((lo, hi)) => format!("{} to {}", percent_change(lo), percent_change(hi)),
        None => "no interval".to_owned(),
    }
}
