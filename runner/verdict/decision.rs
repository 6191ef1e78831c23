//! The decision: an interval held against the margins.

use super::analysis::{Effect, ReasonCode};
use crate::rule::{self, Decision};

/// What an effect's interval decides against `margin` (a log ratio, zero or above), as the code of
/// its reason. `None` without an interval.
pub(super) fn decide(effect: &Effect, margin: f64) -> Option<ReasonCode> {
    Some(match rule::decide(effect.lo?, effect.hi?, margin) {
        Decision::Win => ReasonCode::AboveMargin,
        Decision::Loss => ReasonCode::BelowMargin,
        Decision::Level => ReasonCode::WithinMargin,
        Decision::Undecided => ReasonCode::IntervalCrossesMargin,
    })
}

#[cfg(test)]
mod tests {
    use super::decide;
    use crate::verdict::{Effect, ReasonCode};

    fn decided(lo: f64, hi: f64, margin: f64) -> ReasonCode {
        let effect = Effect {
            log_ratio: (lo + hi) / 2.0,
            sd: 0.1,
            lo: Some(lo),
            hi: Some(hi),
            confidence_percent: 95.0,
            n: 8,
        };
        decide(&effect, margin).unwrap()
    }

    #[test]
    fn every_interval_has_exactly_one_outcome() {
        assert_eq!(decided(0.021, 0.05, 0.02), ReasonCode::AboveMargin);
        assert_eq!(decided(0.02, 0.05, 0.02), ReasonCode::IntervalCrossesMargin);
        assert_eq!(decided(-0.05, -0.021, 0.02), ReasonCode::BelowMargin);
        assert_eq!(decided(-0.02, 0.02, 0.02), ReasonCode::WithinMargin);
        assert_eq!(decided(-0.021, 0.02, 0.02), ReasonCode::IntervalCrossesMargin);
        assert_eq!(decided(-1.0, 1.0, 0.02), ReasonCode::IntervalCrossesMargin);
    }

    #[test]
    fn a_margin_of_zero_is_defined() {
        assert_eq!(decided(0.001, 0.002, 0.0), ReasonCode::AboveMargin);
        assert_eq!(decided(-0.001, 0.002, 0.0), ReasonCode::IntervalCrossesMargin);
        assert_eq!(decided(0.0, 0.0, 0.0), ReasonCode::WithinMargin);
    }
}
