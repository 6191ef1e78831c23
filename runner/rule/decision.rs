//! The decision: an interval held against the margins.

use serde::{Deserialize, Serialize};

/// What an interval says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It lies above the margin.
    Win,
    /// It lies below minus the margin.
    Loss,
    /// It lies within the margins.
    Level,
    /// None of these.
    Undecided,
}

/// `[lo, hi]` of the log ratio against `margin` (a log ratio, zero or above): total and without
/// overlap.
///
/// - `lo > margin`: win
/// - `hi < -margin`: loss
/// - `-margin <= lo` and `hi <= margin`: level
/// - else undecided, a NaN included
#[must_use]
pub fn decide(lo: f64, hi: f64, margin: f64) -> Decision {
    if lo > margin {
        Decision::Win
    } else if hi < -margin {
        Decision::Loss
    } else if -margin <= lo && hi <= margin {
        Decision::Level
    } else {
        Decision::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::{Decision, decide};

    #[test]
    fn every_interval_has_exactly_one_outcome() {
        assert_eq!(decide(0.021, 0.05, 0.02), Decision::Win);
        assert_eq!(decide(0.02, 0.05, 0.02), Decision::Undecided);
        assert_eq!(decide(-0.05, -0.021, 0.02), Decision::Loss);
        assert_eq!(decide(-0.02, 0.02, 0.02), Decision::Level);
        assert_eq!(decide(-0.021, 0.02, 0.02), Decision::Undecided);
        assert_eq!(decide(-1.0, 1.0, 0.02), Decision::Undecided);
        assert_eq!(decide(f64::NAN, f64::NAN, 0.02), Decision::Undecided);
    }

    #[test]
    fn a_margin_of_zero_is_defined() {
        assert_eq!(decide(0.001, 0.002, 0.0), Decision::Win);
        assert_eq!(decide(-0.001, 0.002, 0.0), Decision::Undecided);
        assert_eq!(decide(0.0, 0.0, 0.0), Decision::Level);
    }
}
