//! Whether a plan can show what it is made for: two chances of its whole rule.

use serde::{Deserialize, Serialize};

use super::noise::Spreads;
use super::simulation::{Chances, Simulation, family};
use super::variation::{Target, most_rounds};
use crate::manifest::Plan;
use crate::stats::log_of_percent;

/// Least chance with which a registered design reaches the outcome that it is made for.
pub const REQUIRED_CHANCE: f64 = 0.8;

/// Simulated experiments: the standard error of a chance is half a percent or less.
pub(super) const EXPERIMENTS: u32 = 10_000;

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

    /// Its chance among all.
    #[must_use]
    pub fn chance(self, chances: &Chances) -> f64 {
        match self {
            Aim::Win => chances.win,
            Aim::Loss => chances.loss,
            Aim::Level => chances.level,
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
    /// The registered rounds.
    pub rounds: u32,
    /// Chance of the outcome for one comparison, 0 to 1.
    pub chance: f64,
    /// Where the chance is too small: the least number of rounds that would do, all else
    /// unchanged (looks keep their share of the rounds); `None` when no number up to
    /// `most_rounds` would.
    pub rounds_that_would_do: Option<u32>,
    /// Most rounds that were looked at.
    pub most_rounds: u32,
    /// Where the chance is too small: the least number of blocks a round that would do, all else
    /// unchanged; `None` when no number up to 64 would.
    pub blocks_that_would_do: Option<u32>,
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
        write!(formatter, "{}", self.aim.name())?;
        if !self.true_effect_percent.is_finite() {
            write!(formatter, " under an effect that is no number")?;
        } else if self.true_effect_percent != 0.0 {
            write!(formatter, " under a true effect of {:+} %", self.true_effect_percent)?;
        } else if self.aim != Aim::Level {
            write!(formatter, " under no effect")?;
        }
        let gives = if self.rounds == 1 { "round gives" } else { "rounds give" };
        // what is refused must not look as if it were enough
        let percent = 100.0 * self.chance;
        let shown = if self.is_reached() || percent < 79.0 {
            format!("{percent:.0}")
        } else {
            format!("{:.1}", libm::floor(10.0 * percent) / 10.0)
        };
        write!(formatter, ": {} {gives} it {shown} %", self.rounds)?;
        if self.is_reached() {
            return Ok(());
        }
        match (self.rounds_that_would_do, self.blocks_that_would_do) {
            (Some(rounds), Some(blocks)) => {
                write!(formatter, "; {rounds} rounds would give 80 %, or {blocks} blocks a round")
            }
            (Some(rounds), None) => write!(formatter, "; {rounds} rounds would give 80 %"),
            (None, Some(blocks)) => write!(
                formatter,
                "; {blocks} blocks a round would give 80 %, and no number of rounds up to {}",
                self.most_rounds
            ),
            (None, None) => write!(
                formatter,
                "; no number of rounds up to {} gives 80 %, nor do more blocks",
                self.most_rounds
            ),
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
    /// Why there are no chances, where nothing could be simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_simulated: Option<String>,
}

impl Reach {
    /// Whether both outcomes are likely enough for the plan to be registered. A plan that judges
    /// nothing, and shows ceilings alone, has none to reach.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.family == 0
            || (self.without_effect.is_reached() && self.with_expected_effect.is_reached())
    }
}

/// Simulates the plan's whole rule, looks, futility and aa arm included, on its registered noise.
/// `items` are the inputs of the set, which a claim about their class depends on; `None`: as many
/// as are drawn. Deterministic: draws follow from the order seed. Where nothing can be simulated
/// the chances are 0 and nothing would do.
#[must_use]
pub fn reach(plan: &Plan, items: Option<usize>) -> Reach {
    reach_by(plan, items, EXPERIMENTS)
}

/// [`reach`] by another number of experiments.
pub(super) fn reach_by(plan: &Plan, items: Option<usize>, experiments: u32) -> Reach {
    let sd = Spreads::of(plan).round_value;
    let simulation = Simulation::of(plan, items, sd, experiments);
    let none = Target { aim: Aim::Level, effect: 0.0, items };
    let expected = expected_target(plan, items);
    let chances = match &simulation {
        Ok(simulation) => {
            let found = simulation.under(&[none.effect, expected.effect]);
            [none, expected].iter().zip(found).map(|(t, f)| t.aim.chance(&f.chances)).collect()
        }
        Err(_) => vec![0.0, 0.0],
    };
    let reachable = |target: Target, percent: f64, chance: f64| {
        let most = most_rounds(&plan.stop);
        let short = chance < REQUIRED_CHANCE && simulation.is_ok() && family(plan) > 0;
        let from = plan.design.rounds.saturating_add(1);
        Reachable {
            aim: target.aim,
            true_effect_percent: percent,
            rounds: plan.design.rounds,
            chance,
            rounds_that_would_do: short
                .then(|| target.least_rounds(plan, sd, experiments, (from, most)))
                .flatten(),
            most_rounds: most,
            blocks_that_would_do: short.then(|| target.least_blocks(plan, experiments)).flatten(),
        }
    };
    let percent = plan.noise.expected_effect_percent;
    Reach {
        without_effect: reachable(none, 0.0, chances.first().copied().unwrap_or(0.0)),
        with_expected_effect: reachable(expected, percent, chances.get(1).copied().unwrap_or(0.0)),
        family: family(plan) as u32,
        round_value_sd_percent: sd * 100.0,
        experiments: simulation.as_ref().map_or(0, Simulation::experiments),
        not_simulated: simulation.as_ref().err().map(ToString::to_string),
    }
}

/// What the plan is made to show: level where the expected effect is no larger than the margin.
fn expected_target(plan: &Plan, items: Option<usize>) -> Target {
    let effect = log_of_percent(plan.noise.expected_effect_percent);
    let margin = log_of_percent(plan.decision.margin_percent);
    let aim = if effect > margin {
        Aim::Win
    } else if effect < -margin {
        Aim::Loss
    } else {
        Aim::Level
    };
    Target { aim, effect, items }
}
