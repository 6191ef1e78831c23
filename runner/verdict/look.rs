//! What one look comes to: the stopping logic.

use super::description::LookOutcome;
use crate::rule::{AaState, Course, Decision, Look, chance_of_decision, decide};

/// One look at one comparison, judged. Log ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LookVerdict {
    /// Lower end of the repeated interval; `None` without one.
    pub lo: Option<f64>,
    /// Its upper end.
    pub hi: Option<f64>,
    /// What it came to.
    pub outcome: LookOutcome,
    /// Chance of a decision by the last look, where the comparison is undecided before it.
    pub chance: Option<f64>,
}

/// Judges a comparison at `look` of a rule whose last look is `last`. A decision stops; `level` is
/// one only where the aa arms allow it, and with a biased aa arm nothing stops: the bias may be
/// gone by the last look. Undecided before the last look, the rule goes on, unless the registered
/// `futility_percent` is more than the chance of a decision.
pub(super) fn at_look_with(
    course: &Course,
    half_width: Option<f64>,
    look: &Look,
    last: &Look,
    margin: f64,
    aa: AaState,
    futility_percent: Option<f64>,
) -> LookVerdict {
    let interval = half_width.map(|width| (course.estimate - width, course.estimate + width));
    let decision = interval.map(|(lo, hi)| decide(lo, hi, margin));
    let verdict = |outcome, chance| LookVerdict {
        lo: interval.map(|(lo, _)| lo),
        hi: interval.map(|(_, hi)| hi),
        outcome,
        chance,
    };
    match (decision, aa) {
        (_, AaState::Biased) | (Some(Decision::Undecided) | None, _) => {}
        (Some(Decision::Win), _) => return verdict(LookOutcome::Win, None),
        (Some(Decision::Loss), _) => return verdict(LookOutcome::Loss, None),
        (Some(Decision::Level), AaState::Sound) => return verdict(LookOutcome::Level, None),
        (Some(Decision::Level), AaState::TooWideForLevel) => {}
    }
    if look.rounds >= last.rounds {
        return verdict(LookOutcome::Undecided, None);
    }
    let chance = chance_of_decision(course, last, margin);
    let futile = match (chance, futility_percent) {
        (Some(chance), Some(least)) => aa != AaState::Biased && chance < least / 100.0,
        _ => false,
    };
    verdict(if futile { LookOutcome::Futile } else { LookOutcome::GoOn }, chance)
}

/// Whether a comparison is over at a look of this outcome.
pub(super) fn ends_comparison(outcome: LookOutcome) -> bool {
    outcome != LookOutcome::GoOn
}

#[cfg(test)]
mod tests {
    use super::at_look_with;
    use crate::rule::{AaState, Course, Look};
    use crate::verdict::LookOutcome;

    const FIRST: Look = Look { number: 1, rounds: 8, information: 0.5, nominal_p: 0.01 };
    const LAST: Look = Look { number: 2, rounds: 16, information: 1.0, nominal_p: 0.045 };

    fn at(look: &Look, lo: f64, hi: f64, aa: AaState, futility: Option<f64>) -> LookOutcome {
        let course = Course { estimate: (lo + hi) / 2.0, sd: (hi - lo) / 2.0, units: 8 };
        at_look_with(&course, Some((hi - lo) / 2.0), look, &LAST, 0.02, aa, futility).outcome
    }

    #[test]
    fn a_decision_stops_and_the_aa_arm_holds_it_back() {
        for look in [&FIRST, &LAST] {
            for aa in [AaState::Sound, AaState::TooWideForLevel] {
                assert_eq!(at(look, 0.03, 0.05, aa, None), LookOutcome::Win);
                assert_eq!(at(look, -0.05, -0.03, aa, None), LookOutcome::Loss);
            }
            assert_eq!(at(look, -0.01, 0.01, AaState::Sound, None), LookOutcome::Level);
        }
        let too_wide = AaState::TooWideForLevel;
        assert_eq!(at(&FIRST, -0.01, 0.01, too_wide, None), LookOutcome::GoOn);
        assert_eq!(at(&LAST, -0.01, 0.01, too_wide, None), LookOutcome::Undecided);
        assert_eq!(at(&FIRST, 0.03, 0.05, AaState::Biased, Some(100.0)), LookOutcome::GoOn);
    }

    #[test]
    fn undecided_goes_on_until_the_last_look_or_until_it_is_futile() {
        // On the margin itself more rounds decide nothing.
        let open = |look, futility| at(look, 0.015, 0.025, AaState::Sound, futility);
        assert_eq!(open(&FIRST, None), LookOutcome::GoOn);
        assert_eq!(open(&FIRST, Some(0.0)), LookOutcome::GoOn);
        assert_eq!(open(&FIRST, Some(50.0)), LookOutcome::Futile);
        assert_eq!(open(&LAST, Some(50.0)), LookOutcome::Undecided);
    }

    #[test]
    fn without_an_interval_nothing_is_decided() {
        let course = Course { estimate: 0.5, sd: 0.0, units: 8 };
        for (look, outcome) in [(&FIRST, LookOutcome::GoOn), (&LAST, LookOutcome::Undecided)] {
            let found = at_look_with(&course, None, look, &LAST, 0.02, AaState::Sound, None);
            assert_eq!((found.lo, found.hi, found.outcome), (None, None, outcome));
        }
    }
}
