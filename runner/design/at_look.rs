//! One look at one comparison, with quantiles worked out beforehand: a simulation takes millions.

use crate::rule::{AaState, Decision, Look, decide};

/// What a look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Win,
    Loss,
    Level,
    /// Undecided, and a decision is out of reach.
    Futile,
    /// Undecided: another look comes.
    GoOn,
    /// Undecided at the last look.
    Undecided,
}

/// A look with its quantiles for as many units as rounds; infinite where there is none.
#[derive(Debug, Clone, Copy)]
pub(super) struct PreparedLook {
    pub look: Look,
    /// Half width of the interval over the standard deviation of the units.
    pub width_factor: f64,
    /// The same of the aa interval.
    pub aa_width_factor: f64,
}

/// What futility is judged by: nothing where it is not registered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Futility {
    /// Chance of a decision below which the run stops, 0 to 1.
    pub least_chance: f64,
    /// Of the last look.
    pub rounds: u32,
    /// Of the last look, as in [`PreparedLook`].
    pub width_factor: f64,
}

/// Where a comparison stands at a look, on the log scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub mean: f64,
    pub sd: f64,
    pub aa: AaState,
}

/// Judges one comparison at `look`. With a biased aa arm nothing stops; `level` needs one that is
/// sound. `futility` is `None` at the last look too.
pub(super) fn at_look(
    standing: &Standing,
    look: &PreparedLook,
    is_last: IsLast,
    margin: f64,
    futility: Option<&Futility>,
) -> Outcome {
    let half_width = look.width_factor * standing.sd;
    let decision = decide(standing.mean - half_width, standing.mean + half_width, margin);
    match (decision, standing.aa) {
        (_, AaState::Biased)
        | (Decision::Undecided, _)
        | (Decision::Level, AaState::TooWideForLevel) => {}
        (Decision::Win, _) => return Outcome::Win,
        (Decision::Loss, _) => return Outcome::Loss,
        (Decision::Level, AaState::Sound) => return Outcome::Level,
    }
    match (is_last, futility) {
        (IsLast::Yes, _) => Outcome::Undecided,
        (IsLast::No, Some(futility))
            if standing.aa != AaState::Biased
                && chance_of_decision(standing, look.look.rounds, futility, margin)
                    .is_some_and(|chance| chance < futility.least_chance) =>
        {
            Outcome::Futile
        }
        (IsLast::No, _) => Outcome::GoOn,
    }
}

/// Whether another look follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsLast {
    Yes,
    No,
}

/// [`crate::rule::chance_of_decision`] with the last look's quantile at hand; a test holds the
/// two together.
fn chance_of_decision(
    standing: &Standing,
    rounds: u32,
    futility: &Futility,
    margin: f64,
) -> Option<f64> {
    if !(standing.sd > 0.0) || !futility.width_factor.is_finite() {
        return None;
    }
    let all = f64::from(futility.rounds);
    let left = f64::from(futility.rounds.saturating_sub(rounds));
    let half_width = futility.width_factor * standing.sd;
    let spread = standing.sd * libm::sqrt(left) / all;
    let below = |limit: f64| {
        let distance = limit - standing.mean;
        if spread > 0.0 {
            0.5 * libm::erfc(-distance / spread / std::f64::consts::SQRT_2)
        } else if distance > 0.0 {
            1.0
        } else {
            0.0
        }
    };
    let win = 1.0 - below(margin + half_width);
    let loss = below(-margin - half_width);
    let room = margin - half_width;
    let level = if room > 0.0 { below(room) - below(-room) } else { 0.0 };
    Some((win + loss + level).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::{Futility, IsLast, Outcome, PreparedLook, Standing, at_look, chance_of_decision};
    use crate::rule::{self, AaState, Course, Look};

    const FIRST: Look = Look { number: 1, rounds: 8, information: 0.5, nominal_p: 0.01 };
    const LAST: Look = Look { number: 2, rounds: 16, information: 1.0, nominal_p: 0.045 };

    fn prepared(look: Look) -> PreparedLook {
        let width_factor = look.quantile(look.rounds).unwrap() / f64::from(look.rounds).sqrt();
        PreparedLook { look, width_factor, aa_width_factor: 1.0 }
    }

    fn futility(least_chance: f64) -> Futility {
        Futility { least_chance, rounds: 16, width_factor: prepared(LAST).width_factor }
    }

    #[test]
    fn futility_is_the_rules_own() {
        for mean in [-0.08, -0.01, 0.0, 0.013, 0.02, 0.03, 0.05] {
            for sd in [0.001, 0.02, 0.1] {
                let standing = Standing { mean, sd, aa: AaState::Sound };
                let course = Course { estimate: mean, sd, units: 8 };
                assert_eq!(
                    chance_of_decision(&standing, 8, &futility(0.2), 0.02),
                    rule::chance_of_decision(&course, &LAST, 0.02)
                );
            }
        }
        let still = Standing { mean: 0.0, sd: 0.0, aa: AaState::Sound };
        assert_eq!(chance_of_decision(&still, 8, &futility(0.2), 0.02), None);
    }

    #[test]
    fn the_aa_arm_holds_back_level_or_everything() {
        let at = |mean, aa, is_last| {
            let standing = Standing { mean, sd: 0.02, aa };
            at_look(&standing, &prepared(FIRST), is_last, 0.03, None)
        };
        assert_eq!(at(0.0, AaState::Sound, IsLast::No), Outcome::Level);
        assert_eq!(at(0.06, AaState::TooWideForLevel, IsLast::No), Outcome::Win);
        assert_eq!(at(-0.06, AaState::Sound, IsLast::No), Outcome::Loss);
        assert_eq!(at(0.0, AaState::TooWideForLevel, IsLast::No), Outcome::GoOn);
        assert_eq!(at(0.0, AaState::TooWideForLevel, IsLast::Yes), Outcome::Undecided);
        for mean in [0.0, 0.03, 0.06] {
            assert_eq!(at(mean, AaState::Biased, IsLast::No), Outcome::GoOn);
            assert_eq!(at(mean, AaState::Biased, IsLast::Yes), Outcome::Undecided);
        }
    }

    #[test]
    fn futility_stops_what_cannot_be_decided() {
        let standing = Standing { mean: 0.03, sd: 0.02, aa: AaState::Sound };
        let at = |futility: Option<&Futility>, is_last| {
            at_look(&standing, &prepared(FIRST), is_last, 0.03, futility)
        };
        assert_eq!(at(Some(&futility(0.2)), IsLast::No), Outcome::Futile);
        assert_eq!(at(Some(&futility(0.0)), IsLast::No), Outcome::GoOn);
        assert_eq!(at(Some(&futility(0.2)), IsLast::Yes), Outcome::Undecided);
        assert_eq!(at(None, IsLast::No), Outcome::GoOn);
    }
}
