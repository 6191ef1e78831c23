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
        (Rules::One, _) | (Rules::Two | Rules::Three, Stop::Fixed { .. }) => false,
        (
            Rules::Two | Rules::Three,
            Stop::GroupSequential { .. } | Stop::ConfidenceSequence { .. },
        ) => true,
    };
    let alpha = (100.0 - confidence_percent) / 100.0;
    if !sequential {
        return Timing::Once;
    }
    match rule::looks(&plan.stop, plan.design.rounds, alpha) {
        Ok(looks) if !looks.is_empty() => Timing::Looks(looks),
        Ok(_) | Err(_) => Timing::Once,
    }
}

#[cfg(test)]
mod tests {
    use super::{Rules, Timing, timing};
    use crate::design::test_plan::plan;
    use crate::manifest::{Spending, Stop};

    #[test]
    fn looks_that_cannot_be_computed_and_rules_1_never_look_early() {
        let mut sequential = plan(16, 4);
        for (places, rules, looks) in [
            (vec![8, 16], Rules::Two, 2),
            (vec![8, 16], Rules::One, 0),
            (vec![16, 8], Rules::Two, 0),
            (vec![2, 16], Rules::Two, 0),
            (vec![], Rules::Two, 0),
        ] {
            sequential.stop = Stop::GroupSequential {
                looks_at_rounds: places,
                spending: Spending::Pocock,
                futility_percent: None,
                cap_minutes: 20.0,
            };
            assert_eq!(timing(rules, &sequential, 95.0).looks().len(), looks);
        }
        assert_eq!(timing(Rules::Two, &plan(16, 4), 95.0), Timing::Once);
    }
}
