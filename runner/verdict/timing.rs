//! When a comparison's samples are looked at.

use super::rules::Rules;
use crate::manifest::{Plan, Stop};
use crate::rule::{self, Look};

/// Once, or at the looks of the registered rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Timing {
    /// When the run has ended.
    Once,
    /// At each of these, in order; there is at least one.
    Looks(Vec<Look>),
}

impl Timing {
    /// The looks; none where the samples are looked at once.
    pub fn looks(&self) -> &[Look] {
        match self {
            Timing::Once => &[],
            Timing::Looks(looks) => looks,
        }
    }
}

/// The timing of a plan's rule when each of its comparisons has this confidence.
///
/// A rule whose looks cannot be computed (`check` refuses it) never looks early: its one look
/// after the last round is the fixed rule's.
pub(super) fn timing(rules: Rules, plan: &Plan, confidence_percent: f64) -> Timing {
    let sequential = match (rules, &plan.stop) {
        (Rules::One, _) | (Rules::Two, Stop::Fixed { .. }) => false,
        (Rules::Two, Stop::GroupSequential { .. } | Stop::ConfidenceSequence { .. }) => true,
    };
    let alpha = (100.0 - confidence_percent) / 100.0;
    match registered_looks(plan, alpha) {
        Some(looks) if sequential && !looks.is_empty() => Timing::Looks(looks),
        _ => Timing::Once,
    }
}

fn registered_looks(plan: &Plan, alpha: f64) -> Option<Vec<Look>> {
    let looks = rule::looks(&plan.stop, plan.design.rounds, alpha).ok();
    #[cfg(test)]
    let looks = looks.or_else(|| Some(super::test_looks::bonferroni(plan, alpha)));
    looks
}
