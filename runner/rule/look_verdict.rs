//! One look at one comparison: its interval, what that decides, and whether the run goes on.

use serde::{Deserialize, Serialize};

use super::decision::{Decision, decide};
use super::floor::AaState;
use super::futility::{Course, chance_by_the_last_look};
use super::looks::{FEWEST_ROUNDS, Look};

/// What a look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookOutcome {
    /// The interval lies above the margin.
    Win,
    /// The interval lies below minus the margin.
    Loss,
    /// The interval lies within the margins, and the aa arm allows it.
    Level,
    /// Undecided, and a decision is out of reach: the comparison is parked.
    Futile,
    /// Undecided: another look comes.
    GoOn,
    /// Undecided at the last look.
    Undecided,
}

impl LookOutcome {
    /// Whether the comparison is at its end: what later rounds show of it changes nothing.
    #[must_use]
    pub fn ends_comparison(self) -> bool {
        self != LookOutcome::GoOn
    }
}

/// One look at one comparison, judged. Log ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookVerdict {
    /// Lower end of the repeated interval; `None` without one (under two units, no finite spread,
    /// or a look whose boundary is out of reach).
    pub lo: Option<f64>,
    /// Its upper end.
    pub hi: Option<f64>,
    /// What it came to.
    pub outcome: LookOutcome,
    /// Chance of a decision at the last look under the current trend, 0 to 1; `None` where the
    /// comparison is decided, at the last look, and where there is no spread to judge by.
    pub chance: Option<f64>,
}

/// Judges a comparison at `look` of a rule whose last look is `last`, with t for as many units as
/// the course has. `margin` is a log ratio, `futility_percent` the registered one.
///
/// - Under [`FEWEST_ROUNDS`] rounds nothing is decided.
/// - `level` needs an aa arm that is neither biased nor too wide.
/// - With a biased aa arm nothing stops: the bias may be gone by the last look.
/// - Futility is not binding: the boundaries are computed as if nobody ever stopped for it, so
///   stopping for it only takes errors away.
///
/// A spread of zero gives an interval of no width. Whether a spread is real or only what the clock
/// resolves, the caller decides beforehand.
#[must_use]
pub fn at_look(
    course: &Course,
    look: &Look,
    last: &Look,
    margin: f64,
    aa: AaState,
    futility_percent: Option<f64>,
) -> LookVerdict {
    let half_width = look.quantile(course.units).and_then(|t| half_width(course, t));
    at_look_with(course, half_width, look, last, margin, aa, futility_percent)
}

/// `t` standard errors; `None` unless finite.
pub(super) fn half_width(course: &Course, t: f64) -> Option<f64> {
    let half_width = t * course.sd / libm::sqrt(f64::from(course.units));
    half_width.is_finite().then_some(half_width)
}

/// [`at_look`] for an interval of another half width, such as the wider one of a claim about a
/// class of inputs. The chance is that of the course's own spread, widened in proportion.
#[must_use]
pub fn at_look_with(
    course: &Course,
    half_width: Option<f64>,
    look: &Look,
    last: &Look,
    margin: f64,
    aa: AaState,
    futility_percent: Option<f64>,
) -> LookVerdict {
    let interval = half_width
        .filter(|width| *width >= 0.0)
        .map(|width| (course.estimate - width, course.estimate + width))
        .filter(|(lo, hi)| lo.is_finite() && hi.is_finite());
    let outcome = decided(interval, look.rounds, margin, aa);
    let is_last = look.rounds >= last.rounds;
    let chance = match outcome {
        None if !is_last => {
            let own = look.quantile(course.units).and_then(|t| self::half_width(course, t));
            let widened = match (half_width, own) {
                (Some(given), Some(own)) if own > 0.0 => given / own,
                _ => 1.0,
            };
            let course = Course { sd: course.sd * widened, ..*course };
            let more = last.rounds.saturating_sub(look.rounds);
            let all = course.units.saturating_add(more);
            last.quantile(all).and_then(|t| chance_by_the_last_look(&course, all, t, margin))
        }
        _ => None,
    };
    let outcome = outcome.unwrap_or_else(|| {
        if is_last {
            LookOutcome::Undecided
        } else if is_futile(chance, aa, futility_percent) {
            LookOutcome::Futile
        } else {
            LookOutcome::GoOn
        }
    });
    LookVerdict { lo: interval.map(|(lo, _)| lo), hi: interval.map(|(_, hi)| hi), outcome, chance }
}

/// The outcome of an interval that decides.
pub(super) fn decided(
    interval: Option<(f64, f64)>,
    rounds: u32,
    margin: f64,
    aa: AaState,
) -> Option<LookOutcome> {
    let (lo, hi) = interval.filter(|_| rounds >= FEWEST_ROUNDS)?;
    match (decide(lo, hi, margin), aa) {
        (_, AaState::Biased) | (Decision::Undecided, _) => None,
        (Decision::Level, AaState::TooWideForLevel) => None,
        (Decision::Win, _) => Some(LookOutcome::Win),
        (Decision::Loss, _) => Some(LookOutcome::Loss),
        (Decision::Level, AaState::Sound) => Some(LookOutcome::Level),
    }
}

pub(super) fn is_futile(chance: Option<f64>, aa: AaState, futility_percent: Option<f64>) -> bool {
    match (chance, futility_percent) {
        (Some(chance), Some(percent)) => aa != AaState::Biased && chance < percent / 100.0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{LookOutcome, at_look, at_look_with};
    use crate::rule::{AaState, Course, Look};

    const FIRST: Look =
        Look { number: 1, rounds: 8, information: 0.5, nominal_p: 0.01, own_quantile: None };
    const LAST: Look =
        Look { number: 2, rounds: 16, information: 1.0, nominal_p: 0.045, own_quantile: None };

    fn course(estimate: f64, units: u32) -> Course {
        Course { estimate, sd: 0.02, units }
    }

    #[test]
    fn an_interval_decides_at_either_look() {
        // t(0.995, 7) 3.4995 x 0.02 / sqrt(8): half a width of 0.0247.
        let at =
            |estimate| at_look(&course(estimate, 8), &FIRST, &LAST, 0.03, AaState::Sound, None);
        let win = at(0.06);
        assert_eq!(win.outcome, LookOutcome::Win);
        assert!((win.lo.unwrap() - (0.06 - 0.024_745)).abs() < 1e-6, "{win:?}");
        assert_eq!(win.chance, None);
        assert_eq!(at(-0.06).outcome, LookOutcome::Loss);
        assert_eq!(at(0.0).outcome, LookOutcome::Level);
        let on = at(0.03);
        assert_eq!(on.outcome, LookOutcome::GoOn);
        assert!(on.chance.unwrap() < 0.1);
        let end = at_look(&course(0.03, 16), &LAST, &LAST, 0.03, AaState::Sound, Some(20.0));
        assert_eq!((end.outcome, end.chance), (LookOutcome::Undecided, None));
    }

    #[test]
    fn the_aa_arm_holds_back_level_or_everything() {
        let at = |estimate, aa| at_look(&course(estimate, 8), &FIRST, &LAST, 0.03, aa, Some(20.0));
        assert_eq!(at(0.0, AaState::TooWideForLevel).outcome, LookOutcome::GoOn);
        assert_eq!(at(0.06, AaState::TooWideForLevel).outcome, LookOutcome::Win);
        for estimate in [0.0, 0.03, 0.06] {
            assert_eq!(at(estimate, AaState::Biased).outcome, LookOutcome::GoOn);
        }
    }

    #[test]
    fn futility_stops_where_it_is_registered_alone() {
        let at = |futility| {
            at_look(&course(0.03, 8), &FIRST, &LAST, 0.03, AaState::Sound, futility).outcome
        };
        assert_eq!(at(Some(20.0)), LookOutcome::Futile);
        assert_eq!(at(Some(0.0)), LookOutcome::GoOn);
        assert_eq!(at(None), LookOutcome::GoOn);
    }

    #[test]
    fn a_wider_interval_decides_later() {
        let at = |width| {
            at_look_with(&course(0.06, 8), width, &FIRST, &LAST, 0.03, AaState::Sound, None)
        };
        assert_eq!(at(Some(0.02)).outcome, LookOutcome::Win);
        assert_eq!(at(Some(0.04)).outcome, LookOutcome::GoOn);
        assert_eq!(at(None).outcome, LookOutcome::GoOn);
        assert_eq!(at(Some(f64::NAN)).lo, None);
        assert!(at(Some(0.2)).chance.unwrap() < at(Some(0.04)).chance.unwrap());
    }

    #[test]
    fn what_is_no_number_decides_nothing() {
        let wild = [
            Course { estimate: f64::NAN, sd: 0.1, units: 8 },
            Course { estimate: f64::INFINITY, sd: 0.1, units: 8 },
            Course { estimate: 0.0, sd: f64::NAN, units: 8 },
            Course { estimate: 0.0, sd: f64::INFINITY, units: 8 },
            Course { estimate: 0.0, sd: 0.1, units: 1 },
            Course { estimate: 0.0, sd: 0.1, units: 0 },
        ];
        for course in wild {
            let found = at_look(&course, &FIRST, &LAST, 0.02, AaState::Sound, Some(50.0));
            assert_eq!((found.lo, found.hi, found.chance), (None, None, None), "{course:?}");
            assert_eq!(found.outcome, LookOutcome::GoOn);
        }
        // two rounds never decide, and no spread has no width
        let two =
            Look { number: 1, rounds: 2, information: 1.0, nominal_p: 0.05, own_quantile: None };
        let none = Course { estimate: 0.5, sd: 0.0, units: 2 };
        let found = at_look(&none, &two, &two, 0.02, AaState::Sound, None);
        assert_eq!((found.lo, found.outcome), (Some(0.5), LookOutcome::Undecided));
        let none = Course { units: 8, ..none };
        let found = at_look(&none, &FIRST, &LAST, 0.02, AaState::Sound, None);
        assert_eq!(found.outcome, LookOutcome::Win);
    }

    #[test]
    fn a_look_that_cannot_stop_goes_on() {
        let shut = Look { nominal_p: 0.0, own_quantile: None, ..FIRST };
        let found = at_look(&course(0.5, 8), &shut, &LAST, 0.02, AaState::Sound, Some(20.0));
        assert_eq!((found.lo, found.outcome), (None, LookOutcome::GoOn));
        assert!(found.chance.unwrap() > 0.99);
    }
}
