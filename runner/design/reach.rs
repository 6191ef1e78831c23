//! What a plan can show: the chances of its decision rule under the registered noise.

use serde::{Deserialize, Serialize};

use super::noise::Spreads;
use super::simulation::{Chances, Rule, simulate};
use crate::manifest::{Plan, Role};
use crate::stats::{log_of_percent, simultaneous_confidence_percent};

/// Least chance with which a registered design reaches the outcome that it is made for.
pub const REQUIRED_CHANCE: f64 = 0.8;

/// Simulated experiments: the standard error of a chance of 0.8 is 0.006.
const EXPERIMENTS: u32 = 4_000;

/// Most rounds that are looked at for a design that would do.
const MOST_ROUNDS: u32 = 200;

/// An outcome that a design is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// The interval lies above the margin.
    Win,
    /// The interval lies below minus the margin.
    Loss,
    /// The interval lies within the margins.
    Level,
}

impl Aim {
    /// As messages write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Aim::Win => "win",
            Aim::Loss => "loss",
            Aim::Level => "level",
        }
    }
}

/// The chance of one outcome when a certain effect is true.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reachable {
    /// The outcome.
    pub aim: Aim,
    /// The true effect that is supposed, percent.
    pub true_effect_percent: f64,
    /// Chance of the outcome for one comparison, 0 to 1.
    pub chance: f64,
    /// Where the chance is too small: the least number of rounds that would do, all else
    /// unchanged; `None` when no number up to 200 would.
    pub rounds_that_would_do: Option<u32>,
}

impl Reachable {
    /// Whether the chance is [`REQUIRED_CHANCE`] or more.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.chance >= REQUIRED_CHANCE
    }
}

impl std::fmt::Display for Reachable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} under a true effect of {:+} %: {:.0} %",
            self.aim.name(),
            self.true_effect_percent,
            self.chance * 100.0
        )?;
        match (self.is_reached(), self.rounds_that_would_do) {
            (true, _) => Ok(()),
            (false, Some(rounds)) => write!(formatter, "; {rounds} rounds would give 80 %"),
            (false, None) => write!(formatter, "; no number of rounds up to 200 gives 80 %"),
        }
    }
}

/// What a plan can show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// P(level | no effect).
    pub without_effect: Reachable,
    /// P(win or loss | expected effect); P(level) where the expected effect is no larger than
    /// the margin.
    pub with_expected_effect: Reachable,
    /// Comparisons that are judged together: treatments times condition values.
    pub family: u32,
    /// Spread of one round's value, percent, from the registered noise.
    pub round_value_sd_percent: f64,
    /// Simulated experiments behind each chance.
    pub experiments: u32,
}

impl Reach {
    /// Whether both outcomes are likely enough for the plan to be registered.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.without_effect.is_reached() && self.with_expected_effect.is_reached()
    }
}

/// Simulates the plan's rule, aa arm included, on its registered noise. Deterministic: draws
/// follow from the order seed.
#[must_use]
pub fn reach(plan: &Plan) -> Reach {
    let spreads = Spreads::of(plan);
    let treatments = plan.arms.iter().filter(|arm| arm.role == Role::Treatment).count();
    let family = treatments * plan.condition_values().len();
    let expected_percent = plan.noise.expected_effect_percent;
    let margin_percent = plan.decision.margin_percent;
    let aim = if expected_percent.abs() <= margin_percent {
        Aim::Level
    } else if expected_percent > 0.0 {
        Aim::Win
    } else {
        Aim::Loss
    };
    let rule = Rule {
        margin: log_of_percent(margin_percent),
        confidence_percent: simultaneous_confidence_percent(
            plan.decision.confidence_percent,
            family,
        ),
        round_value_sd: spreads.round_value,
        has_aa: plan.arms.iter().any(|arm| arm.role == Role::Aa),
        seed: plan.design.order_seed,
        experiments: EXPERIMENTS,
    };
    let rounds = plan.design.rounds;
    let targets = [(Aim::Level, 0.0), (aim, log_of_percent(expected_percent))];
    let chances = simulate(&rule, &targets, rounds, rounds);
    let enough = |target: usize| at(&chances, target, rounds) >= REQUIRED_CHANCE;
    // The search costs more than all the rest, so it waits until it is needed.
    let search = if enough(0) && enough(1) {
        Chances::default()
    } else {
        simulate(&rule, &targets, rounds.saturating_add(1), MOST_ROUNDS)
    };
    let reachable = |target: usize, aim: Aim, percent: f64| Reachable {
        aim,
        true_effect_percent: percent,
        chance: at(&chances, target, rounds),
        rounds_that_would_do: if enough(target) {
            None
        } else {
            search.first(target, REQUIRED_CHANCE)
        },
    };
    Reach {
        without_effect: reachable(0, Aim::Level, 0.0),
        with_expected_effect: reachable(1, aim, expected_percent),
        family: family as u32,
        round_value_sd_percent: spreads.round_value * 100.0,
        experiments: EXPERIMENTS,
    }
}

fn at(chances: &Chances, target: usize, rounds: u32) -> f64 {
    chances.at(target, rounds).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{Aim, reach};
    use crate::design::test_plan::plan;

    #[test]
    fn the_designs_own_example_is_reached() {
        let found = reach(&plan(16, 6));
        assert!(found.is_reached(), "{found:?}");
        assert_eq!(found.with_expected_effect.aim, Aim::Win);
        // Round 0.8 and block 3.0 / sqrt(6) percent, the latter a tenth more for trimming.
        assert!((found.round_value_sd_percent - 1.53).abs() < 0.06, "{found:?}");
    }

    #[test]
    fn too_few_rounds_say_how_many_would_do() {
        let mut small = plan(4, 2);
        small.noise.assumed_block_sd_percent = 6.0;
        let found = reach(&small);
        let level = &found.without_effect;
        assert!(!level.is_reached());
        let rounds = level.rounds_that_would_do.unwrap();
        assert!(rounds > 10, "{found:?}");
        small.design.rounds = rounds + 2;
        assert!(reach(&small).without_effect.is_reached());
    }

    #[test]
    fn a_negative_effect_aims_at_loss_and_a_small_one_at_level() {
        let mut other = plan(16, 6);
        other.noise.expected_effect_percent = -5.0;
        let found = reach(&other).with_expected_effect;
        assert_eq!(found.aim, Aim::Loss);
        assert!(found.is_reached(), "{found:?}");
        other.noise.expected_effect_percent = 0.5;
        let found = reach(&other).with_expected_effect;
        assert_eq!(found.aim, Aim::Level);
        assert!(found.chance < reach(&other).without_effect.chance);
    }

    #[test]
    fn hopeless_noise_finds_no_number_of_rounds() {
        let mut hopeless = plan(4, 2);
        hopeless.noise.assumed_round_sd_percent = 60.0;
        let found = reach(&hopeless);
        assert_eq!(found.without_effect.rounds_that_would_do, None);
        assert_eq!(
            found.without_effect.to_string(),
            "level under a true effect of +0 %: 0 %; no number of rounds up to 200 gives 80 %"
        );
    }

    #[test]
    fn two_rounds_reach_nothing_and_extremes_stay_numbers() {
        assert_eq!(reach(&plan(2, 6)).without_effect.chance, 0.0);
        assert_eq!(reach(&plan(0, 0)).without_effect.chance, 0.0);
        let mut silent = plan(8, 6);
        silent.noise.assumed_round_sd_percent = 0.0;
        silent.noise.assumed_block_sd_percent = 0.0;
        assert!(reach(&silent).is_reached());
        silent.noise.assumed_round_sd_percent = f64::NAN;
        assert_eq!(reach(&silent).without_effect.chance, 0.0);
    }
}
