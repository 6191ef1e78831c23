//! The few lines that stand right under a verdict.

use super::super::energy::rate_word;
use super::{class_intervals, estimators, looks, pairing, warnings};
use crate::verdict::Comparison;

/// What pairing bought, which estimators disagree, the looks in short, and what should make a
/// reader careful. Empty for a record of rules version 1.
pub(in crate::report) fn headline(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(description) = &comparison.description {
        lines.extend(description.pairing.as_ref().map(pairing::line));
        lines.extend(estimators::sentence(&description.estimators));
    }
    lines.extend(looks::lines(&comparison.looks, comparison.adjusted.as_ref()));
    lines.extend(comparison.class_intervals.as_ref().map(class_intervals::line));
    if let Some(description) = &comparison.description {
        lines.extend(warnings::warnings(
            description,
            comparison.blocks,
            rate_word(&comparison.metric),
        ));
    }
    lines
}
