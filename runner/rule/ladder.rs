//! Where a ladder's rule stops, and whether it is right to. Pure numbers: the evidence behind them
//! is gathered elsewhere.

use serde::{Deserialize, Serialize};

use super::decision::{Decision, decide};

/// What a step of a ladder bought, percent a unit of the rule (a doubling, or a step).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bought {
    /// It is the lowest place: nothing lies below.
    Lowest,
    /// This much; below zero it cost.
    Percent(f64),
    /// No figure of it counts.
    Unknown,
}

/// Where a rule stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// At this place, the first whose step bought too little.
    At(usize),
    /// Nowhere: every step bought enough.
    Nowhere,
    /// Not known: it would have climbed to this place, of which no figure counts.
    Unknown(usize),
}

/// How the best place stands to what the rule would have kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// Better by more than the margin.
    Better,
    /// Not better by more than the margin.
    NotBetter,
    /// The interval does not tell.
    NotTold,
}

/// Climbs from the lowest place and stops at the first whose step bought under `least_percent`.
#[must_use]
pub fn stopping(steps: &[Bought], least_percent: f64) -> Stopping {
    for (place, step) in steps.iter().enumerate() {
        match step {
            Bought::Lowest => {}
            Bought::Percent(percent) if *percent < least_percent => return Stopping::At(place),
            Bought::Percent(_) => {}
            Bought::Unknown => return Stopping::Unknown(place),
        }
    }
    Stopping::Nowhere
}

/// The first place after `stopped` whose step bought enough again: a plateau, then a step.
#[must_use]
pub fn later_step(steps: &[Bought], stopped: usize, least_percent: f64) -> Option<usize> {
    let bought =
        |step: &Bought| matches!(step, Bought::Percent(percent) if *percent >= least_percent);
    let mut after = steps.iter().enumerate().skip(stopped + 1);
    after.find(|(_, step)| bought(step)).map(|(place, _)| place)
}

/// `[lo, hi]` of the log ratio best over kept, against `margin` (a log ratio, zero or above).
#[must_use]
pub fn missed(lo: f64, hi: f64, margin: f64) -> Missed {
    match decide(lo, hi, margin) {
        Decision::Win => Missed::Better,
        Decision::Loss | Decision::Level => Missed::NotBetter,
        // Below the margin it is not better by what matters, whatever else it may be.
        Decision::Undecided if hi <= margin => Missed::NotBetter,
        Decision::Undecided => Missed::NotTold,
    }
}

#[cfg(test)]
mod tests {
    use super::Bought::{Lowest, Percent, Unknown};
    use super::{Missed, Stopping, later_step, missed, stopping};

    #[test]
    fn a_rule_stops_at_the_first_step_that_bought_too_little() {
        let steps = [Lowest, Percent(8.0), Percent(3.0), Percent(14.8)];
        assert_eq!(stopping(&steps, 5.0), Stopping::At(2));
        assert_eq!(stopping(&steps, 3.0), Stopping::Nowhere, "under, not at");
        assert_eq!(stopping(&steps, 9.0), Stopping::At(1));
        assert_eq!(stopping(&[Lowest, Percent(-2.0)], 0.1), Stopping::At(1));
        assert_eq!(stopping(&[], 5.0), Stopping::Nowhere);
    }

    #[test]
    fn a_place_without_a_figure_matters_only_before_the_rule_stops() {
        assert_eq!(stopping(&[Lowest, Unknown, Percent(1.0)], 5.0), Stopping::Unknown(1));
        assert_eq!(stopping(&[Lowest, Percent(1.0), Unknown], 5.0), Stopping::At(1));
        assert_eq!(stopping(&[Unknown, Unknown, Percent(1.0)], 5.0), Stopping::Unknown(0));
    }

    #[test]
    fn a_plateau_with_a_step_behind_it_is_recognised() {
        let steps = [Lowest, Percent(8.0), Percent(3.0), Percent(0.5), Percent(14.8)];
        assert_eq!(later_step(&steps, 2, 5.0), Some(4));
        assert_eq!(later_step(&steps[..4], 2, 5.0), None);
        assert_eq!(later_step(&[Lowest, Percent(1.0), Unknown], 1, 5.0), None);
    }

    #[test]
    fn the_best_is_missed_only_by_more_than_the_margin() {
        assert_eq!(missed(0.06, 0.2, 0.05), Missed::Better);
        assert_eq!(missed(0.05, 0.2, 0.05), Missed::NotTold);
        assert_eq!(missed(-0.3, 0.05, 0.05), Missed::NotBetter);
        assert_eq!(missed(-0.01, 0.01, 0.05), Missed::NotBetter);
        assert_eq!(missed(f64::NAN, f64::NAN, 0.05), Missed::NotTold);
    }
}
