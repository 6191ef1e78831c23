//! What a design can tell apart: the least effect that it sees, and the rounds that it needs.

use serde::{Deserialize, Serialize};

use super::reach::{Aim, REQUIRED_CHANCE, Reach};
use super::simulation::Simulation;
use super::time::TimeEstimate;
use super::variation::{Target, least, most_rounds, with_rounds};
use crate::manifest::Plan;
use crate::rule::FEWEST_ROUNDS;
use crate::stats::percent_of_log;

/// Chances at which the resolution is given: what registration asks for, and a comfortable one.
const CHANCES: [f64; 2] = [REQUIRED_CHANCE, 0.9];

/// The least true effect that wins with a certain chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Resolved {
    /// Of a win, 0 to 1.
    pub chance: f64,
    /// Percent; `None` when no effect wins that often.
    pub effect_percent: Option<f64>,
}

/// What a design can tell apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// By growing chance. Losses are the same with the sign turned, on the log scale.
    pub wins: Vec<Resolved>,
    /// Of an interval at the last look with the registered spread, percent; `None` without one.
    pub half_width_percent: Option<f64>,
    /// Least rounds whose interval at the last look is no wider than the margin on either side.
    pub rounds_for_margin: Option<u32>,
    /// Least rounds that find no effect to be level with a chance of 0.8.
    pub rounds_for_level: Option<u32>,
    /// Most rounds that were looked at for both.
    pub most_rounds: u32,
    /// What cannot be resolved within the registered caps, and why.
    pub shortfalls: Vec<Shortfall>,
}

/// Something that the registered caps do not allow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shortfall {
    /// The outcome needs more rounds than are registered.
    Rounds {
        /// The outcome.
        aim: Aim,
        /// Rounds that would do; `None` when no number up to `most` does.
        needed: Option<u32>,
        /// Those registered.
        registered: u32,
        /// Most that were looked at.
        most: u32,
    },
    /// The registered rounds take longer than the cap.
    Minutes {
        /// Estimated, of all registered rounds.
        estimated: f64,
        /// The registered cap.
        cap: f64,
    },
}

impl std::fmt::Display for Shortfall {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shortfall::Rounds { aim, needed: Some(needed), registered, .. } => write!(
                formatter,
                "cannot resolve {} within the cap, because it takes {needed} rounds, and \
                 {registered} are registered",
                aim.name()
            ),
            Shortfall::Rounds { aim, needed: None, most, .. } => write!(
                formatter,
                "cannot resolve {} within the cap, because no number of rounds up to {most} is \
                 enough with this noise",
                aim.name()
            ),
            Shortfall::Minutes { estimated, cap } => write!(
                formatter,
                "cannot resolve anything within the cap, because all rounds take {estimated:.1} \
                 min, and the cap is {cap} min"
            ),
        }
    }
}

/// The resolution of a plan whose rule, noise and reach are at hand.
pub(super) fn resolution(
    plan: &Plan,
    simulation: &Simulation,
    sd: f64,
    reach: &Reach,
    time: &TimeEstimate,
    experiments: u32,
) -> Resolution {
    let most = most_rounds(&plan.stop);
    let half_width =
        |simulation: &Simulation| simulation.half_width(simulation.looks().len().checked_sub(1)?);
    let narrow_enough = |rounds: u32| {
        with_rounds(plan, rounds)
            .and_then(|other| Simulation::of(&other, simulation.items(), sd, experiments).ok())
            .and_then(|other| half_width(&other))
            .is_some_and(|width| width <= simulation.margin())
    };
    let level = &reach.without_effect;
    let rounds_for_level = if level.is_reached() {
        let target = Target { aim: Aim::Level, effect: 0.0, items: simulation.items() };
        let range = (FEWEST_ROUNDS, plan.design.rounds);
        target.least_rounds(plan, sd, experiments, range)
    } else {
        level.rounds_that_would_do
    };
    let mut shortfalls: Vec<Shortfall> = [level, &reach.with_expected_effect]
        .into_iter()
        .filter(|reachable| !reachable.is_reached())
        .map(|reachable| Shortfall::Rounds {
            aim: reachable.aim,
            needed: reachable.rounds_that_would_do,
            registered: plan.design.rounds,
            most,
        })
        .collect();
    let cap = plan.stop.cap_minutes();
    if let Some(estimated) = time.minutes().filter(|minutes| *minutes > cap) {
        shortfalls.push(Shortfall::Minutes { estimated, cap });
    }
    Resolution {
        wins: CHANCES
            .into_iter()
            .zip(least_wins(simulation, CHANCES))
            .map(|(chance, effect)| Resolved {
                chance,
                effect_percent: effect.map(percent_of_log).filter(|percent| percent.is_finite()),
            })
            .collect(),
        half_width_percent: half_width(simulation)
            .map(percent_of_log)
            .filter(|percent| percent.is_finite()),
        rounds_for_margin: least((FEWEST_ROUNDS, most), plan.design.rounds, narrow_enough),
        rounds_for_level,
        most_rounds: most,
        shortfalls,
    }
}

/// The least true effects (log ratios) that win with these chances, to a thousandth of the half
/// width or better. Two passes over a grid: all effects of a pass share their noise.
fn least_wins<const N: usize>(simulation: &Simulation, chances: [f64; N]) -> [Option<f64>; N] {
    const STEPS: usize = 24; // of a grid; a pass costs its draws, hardly its effects
    // An observed spread is hardly ever three times the true one, nor an estimate eight standard
    // errors off.
    const WIDTHS: f64 = 3.0;
    const ERRORS: f64 = 8.0;
    let margin = simulation.margin();
    let looks = simulation.looks();
    let Some((half_width, last)) =
        looks.len().checked_sub(1).and_then(|last| simulation.half_width(last)).zip(looks.last())
    else {
        return [None; N];
    };
    let error = simulation.sd() / libm::sqrt(f64::from(last.rounds));
    let most = margin + WIDTHS * half_width + ERRORS * error;
    if most == margin {
        return [Some(margin); N]; // no spread: whatever lies beyond the margin
    }
    let coarse = wins(simulation, margin, most, STEPS);
    chances.map(|chance| {
        let (from, to) = bracket(&coarse, chance)?;
        let fine = wins(simulation, from.0, to.0, STEPS);
        let (from, to) = bracket(&fine, chance).unwrap_or((from, to));
        let share = if to.1 > from.1 { (chance - from.1) / (to.1 - from.1) } else { 1.0 };
        Some(from.0 + (to.0 - from.0) * share)
    })
}

/// Effects in equal steps with their chance of a win.
fn wins(simulation: &Simulation, from: f64, to: f64, steps: usize) -> Vec<(f64, f64)> {
    let effects: Vec<f64> =
        (0..=steps).map(|step| from + (to - from) * step as f64 / steps as f64).collect();
    let found = simulation.under(&effects);
    effects.into_iter().zip(found.iter().map(|found| found.chances.win)).collect()
}

/// The first two neighbours between which the chance is passed.
fn bracket(points: &[(f64, f64)], chance: f64) -> Option<((f64, f64), (f64, f64))> {
    points.windows(2).find(|pair| pair[1].1 >= chance).map(|pair| (pair[0], pair[1]))
}
