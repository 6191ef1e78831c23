//! The same plan, larger or smaller: what else would do.

use super::noise::Spreads;
use super::reach::{Aim, REQUIRED_CHANCE};
use super::simulation::{Simulation, confidence_of_one};
use crate::manifest::{Plan, Stop};
use crate::rule::{EARLIEST_LOOK, FEWEST_ROUNDS};
use crate::stats::{log_of_percent, student_quantile};

/// Most rounds that are looked at for a design that would do. A registration is a matter of
/// minutes to an hour, and a round of its seconds.
const MOST_ROUNDS: u32 = 200;

/// The same for a rule that looks after every round and hopes to stop early.
const MOST_ROUNDS_OF_A_SEQUENCE: u32 = 1_000;

/// Most blocks of a round that are looked at. What restarts add is not lessened by blocks, so more
/// help little.
const MOST_BLOCKS: u32 = 64;

/// Most rounds that a search goes up to.
pub(super) fn most_rounds(stop: &Stop) -> u32 {
    match stop {
        Stop::Fixed { .. } | Stop::GroupSequential { .. } => MOST_ROUNDS,
        Stop::ConfidenceSequence { .. } => MOST_ROUNDS_OF_A_SEQUENCE,
    }
}

/// The plan with another number of rounds. Looks keep their share of the rounds, the first staying
/// at [`EARLIEST_LOOK`] or later; `None` where they would fall together.
pub(super) fn with_rounds(plan: &Plan, rounds: u32) -> Option<Plan> {
    let mut other = plan.clone();
    other.design.rounds = rounds;
    if let Stop::GroupSequential { looks_at_rounds, .. } = &mut other.stop {
        let before = f64::from(*looks_at_rounds.last()?);
        for look in looks_at_rounds.iter_mut() {
            let scaled = libm::round(f64::from(*look) * f64::from(rounds) / before);
            *look = (scaled as u32).max(EARLIEST_LOOK);
        }
        if !looks_at_rounds.is_sorted_by(|one, next| one < next)
            || looks_at_rounds.last() != Some(&rounds)
        {
            return None;
        }
    }
    Some(other)
}

/// An outcome that is to have [`REQUIRED_CHANCE`] under a true effect (log ratio).
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub aim: Aim,
    pub effect: f64,
    /// Inputs of the set, where they are known.
    pub items: Option<usize>,
}

impl Target {
    /// The chance in a simulation.
    pub fn chance(self, simulation: &Simulation) -> f64 {
        simulation
            .under(&[self.effect])
            .first()
            .map_or(0.0, |found| self.aim.chance(&found.chances))
    }

    /// Log ratio between the true effect and the nearest margin that the interval may not pass.
    fn room(self, margin: f64) -> f64 {
        match self.aim {
            Aim::Win => self.effect - margin,
            Aim::Loss => -self.effect - margin,
            Aim::Level => margin - self.effect.abs(),
        }
    }

    /// The least number of rounds in `from..=to` at which the target has its chance; `None` when
    /// none does, or the effect stands on the wrong side of the margin.
    pub fn least_rounds(
        self,
        plan: &Plan,
        sd: f64,
        experiments: u32,
        range: (u32, u32),
    ) -> Option<u32> {
        self.guess(plan, sd).and_then(|guess| {
            least(range, guess, |rounds| {
                with_rounds(plan, rounds)
                    .and_then(|other| Simulation::of(&other, self.items, sd, experiments).ok())
                    .is_some_and(|simulation| self.chance(&simulation) >= REQUIRED_CHANCE)
            })
        })
    }

    /// The least number of blocks of a round, above the registered one, that would do with the
    /// registered rounds.
    pub fn least_blocks(self, plan: &Plan, experiments: u32) -> Option<u32> {
        let blocks = plan.design.blocks_per_round;
        let enough = |blocks: u32| {
            let mut other = plan.clone();
            other.design.blocks_per_round = blocks;
            let sd = Spreads::of(&other).round_value;
            Simulation::of(&other, self.items, sd, experiments)
                .is_ok_and(|simulation| self.chance(&simulation) >= REQUIRED_CHANCE)
        };
        let room = self.room(log_of_percent(plan.decision.margin_percent));
        // Most searches end here: blocks do not help against what restarts add.
        if room.is_nan() || room <= 0.0 || blocks >= MOST_BLOCKS || !enough(MOST_BLOCKS) {
            return None;
        }
        least((blocks.saturating_add(1), MOST_BLOCKS), blocks.saturating_mul(2), enough)
    }

    /// Where a search for rounds begins: the rounds at which room is left for a half width and for
    /// the estimate's own scatter.
    fn guess(self, plan: &Plan, sd: f64) -> Option<u32> {
        const SCATTER: f64 = 1.0; // standard errors; between z(0.8) 0.84 and z(0.9) 1.28
        let room = self.room(log_of_percent(plan.decision.margin_percent));
        if room.is_nan() || room <= 0.0 {
            return None;
        }
        let error = (100.0 - confidence_of_one(plan)) / 100.0;
        let most = most_rounds(&plan.stop);
        let fits = |rounds: &u32| {
            student_quantile(error, f64::from(rounds - 1)).is_some_and(|quantile| {
                (quantile + SCATTER) * sd / libm::sqrt(f64::from(*rounds)) <= room
            })
        };
        Some((FEWEST_ROUNDS..=most).find(fits).unwrap_or(most))
    }
}

/// The least number in `from..=to` that is enough, if more is always better: steps of growing size
/// from the guess, then halving. What is returned was tried and was enough.
pub(super) fn least(
    (from, to): (u32, u32),
    guess: u32,
    mut enough: impl FnMut(u32) -> bool,
) -> Option<u32> {
    if from > to {
        return None;
    }
    let guess = guess.clamp(from, to);
    let mut step = 1;
    // below: the greatest that is known not to do; above: the least that is known to do
    let (mut below, mut above) = if enough(guess) {
        let mut above = guess;
        loop {
            if above == from {
                return Some(from);
            }
            let tried = above.saturating_sub(step).max(from);
            if !enough(tried) {
                break (tried, above);
            }
            above = tried;
            step *= 2;
        }
    } else {
        let mut below = guess;
        loop {
            if below == to {
                return None;
            }
            let tried = below.saturating_add(step).min(to);
            if enough(tried) {
                break (below, tried);
            }
            below = tried;
            step *= 2;
        }
    };
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if enough(middle) {
            above = middle;
        } else {
            below = middle;
        }
    }
    Some(above)
}

#[cfg(test)]
mod tests {
    use super::{least, with_rounds};
    use crate::design::test_plan::plan;
    use crate::manifest::{Spending, Stop};

    #[test]
    fn the_least_number_is_found_from_any_guess() {
        for answer in [3, 4, 17, 100, 200] {
            for guess in [0, 3, 16, 17, 18, 199, 500] {
                assert_eq!(least((3, 200), guess, |tried| tried >= answer), Some(answer));
            }
        }
        assert_eq!(least((3, 200), 17, |_| false), None);
        assert_eq!(least((3, 200), 17, |_| true), Some(3));
        assert_eq!(least((5, 4), 5, |_| true), None);
    }

    #[test]
    fn looks_keep_their_share_of_the_rounds() {
        let mut sequential = plan(16, 6);
        sequential.stop = Stop::GroupSequential {
            looks_at_rounds: vec![8, 12, 16],
            spending: Spending::OBrienFleming,
            futility_percent: None,
            cap_minutes: 20.0,
        };
        let looks = |rounds| match with_rounds(&sequential, rounds)?.stop {
            Stop::GroupSequential { looks_at_rounds, .. } => Some(looks_at_rounds),
            _ => None,
        };
        assert_eq!(looks(40), Some(vec![20, 30, 40]));
        assert_eq!(looks(12), Some(vec![8, 9, 12]));
        assert_eq!(looks(9), None);
        assert_eq!(looks(4), None);
        assert_eq!(with_rounds(&plan(16, 6), 40).map(|plan| plan.design.rounds), Some(40));
    }
}
