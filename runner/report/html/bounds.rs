//! How much of the machine's bounds each arm reached.

use super::super::rows::name;
use crate::record::Record;
use crate::verdict::BoundState;

/// A share of a bound, drawn as a bar. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoundView {
    pub arm: String,
    pub bound: String,
    pub value: String,
    pub largest: String,
    /// `61 %`, or why there is none.
    pub share: String,
    /// Of the bar, percent, at most 100.
    pub bar: Option<String>,
    pub state: &'static str,
}

/// A row for each arm and bound.
pub(super) fn bounds(record: &Record) -> Vec<BoundView> {
    record
        .sealed
        .analysis
        .bounds
        .iter()
        .map(|found| {
            let share = found.share_percent();
            BoundView {
                arm: name(&found.arm, &found.condition),
                bound: found.bound.largest_seen().to_owned(),
                value: found.bound.a_second(found.value),
                largest: found
                    .largest_seen
                    .map_or_else(|| "unknown".to_owned(), |largest| found.bound.a_second(largest)),
                share: share.map_or_else(|| "unknown".to_owned(), |share| format!("{share:.0} %")),
                bar: share.map(|share| format!("{:.1}", share.clamp(0.0, 100.0))),
                state: match found.state {
                    BoundState::Within => "within",
                    BoundState::OverLargestSeen => "over the largest seen",
                    BoundState::Passed => "PASSED",
                    BoundState::Unknown => "unknown",
                },
            }
        })
        .collect()
}
