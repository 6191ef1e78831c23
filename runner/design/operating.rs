//! Operating characteristics: what the whole registered rule makes of each true effect.

use serde::{Deserialize, Serialize};

use super::noise::Spreads;
use super::reach::{EXPERIMENTS, Reach, reach_by};
use super::resolution::{Resolution, resolution};
use super::simulation::{Chances, NotSimulated, Simulated, Simulation, confidence_of_one, family};
use super::time::TimeEstimate;
use crate::manifest::{InputScope, NoiseSource, Plan};
use crate::stats::{log_of_percent, percent_of_log};

/// True effects of the table: from minus to plus this many half margins.
const HALF_MARGINS: i32 = 4;

/// Steps of the plot's curves in a margin.
const CURVE_STEPS: i32 = 10;

/// The curves go from minus to plus this many margins.
const CURVE_MARGINS: i32 = 2;

/// Where the spreads come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoiseOrigin {
    /// The manifest states them.
    Assumed,
    /// A sealed record, `<id>/<run>`.
    Record(String),
    /// A pilot.
    Pilot(String),
}

impl std::fmt::Display for NoiseOrigin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoiseOrigin::Assumed => write!(formatter, "assumed in the manifest"),
            NoiseOrigin::Record(record) => write!(formatter, "measured in record {record}"),
            NoiseOrigin::Pilot(pilot) => write!(formatter, "measured in pilot {pilot}"),
        }
    }
}

/// One look of the rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlannedLook {
    /// From 1.
    pub number: u32,
    /// Whole rounds that it sees.
    pub rounds: u32,
    /// Those over the rounds of the last look.
    pub information: f64,
    /// Two-sided error of one comparison's interval.
    pub nominal_p: f64,
    /// Student's t of that interval; `None` where the look can decide nothing.
    pub quantile: Option<f64>,
    /// Half width of the interval with the registered spread, percent.
    pub half_width_percent: Option<f64>,
}

/// What comes out when a certain effect is true, in every comparison of the family.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OperatingRow {
    /// Percent.
    pub true_effect_percent: f64,
    /// The same in margins, on the log scale; `None` when the margin is zero.
    pub margins: Option<f64>,
    /// Whether it is the effect that the experiment is registered for.
    pub is_expected: bool,
    /// Of one comparison.
    pub chances: Chances,
    /// Mean number of rounds when the run stops.
    pub rounds: f64,
    /// Mean minutes, where a run like it was measured.
    pub minutes: Option<f64>,
}

/// What a plan's whole rule makes of each true effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operating {
    /// Registered rounds: the most that are run.
    pub rounds: u32,
    /// Registered blocks of a round.
    pub blocks_per_round: u32,
    /// Registered margin, percent.
    pub margin_percent: f64,
    /// Registered confidence of all intervals together, percent.
    pub confidence_percent: f64,
    /// Of one comparison's interval, percent.
    pub confidence_of_one_percent: f64,
    /// Comparisons that are judged together.
    pub family: u32,
    /// Chance of a decision below which the run stops, percent, where one is registered.
    pub futility_percent: Option<f64>,
    /// Spread of one round's value, percent.
    pub round_value_sd_percent: f64,
    /// Where the spreads come from.
    pub noise: NoiseOrigin,
    /// What the claim is about. For a class the intervals allow for how few inputs there are. What
    /// differences between inputs add no registered number tells: the chances leave it out.
    pub input_scope: InputScope,
    /// In order.
    pub looks: Vec<PlannedLook>,
    /// By growing effect: from -2 to 2 margins, and the expected effect.
    pub rows: Vec<OperatingRow>,
    /// The same in finer steps from -2 to 2 margins, for a plot.
    pub curve: Vec<OperatingRow>,
    /// What can be told apart.
    pub resolution: Resolution,
    /// The two chances that registration asks for. Reports have it in a place of its own.
    #[serde(skip)]
    pub reach: Reach,
    /// What all registered rounds take.
    pub time: TimeEstimate,
    /// Simulated experiments behind each chance.
    pub experiments: u32,
}

/// Simulates the plan's whole rule on its registered noise: looks, futility, aa arm and family.
/// Round values are normal, with the spread of a trimmed mean of blocks; all comparisons have the
/// same true effect, and those of one condition value share off's noise. `items` are the inputs of
/// the set; `None`: as many as are drawn. Deterministic: draws follow from the order seed.
///
/// # Errors
/// [`NotSimulated`] when noise, margin or stopping rule are none.
pub fn operating(
    plan: &Plan,
    items: Option<usize>,
    time: TimeEstimate,
) -> Result<Operating, NotSimulated> {
    operating_by(plan, items, time, EXPERIMENTS)
}

/// [`operating`] by another number of experiments.
pub(crate) fn operating_by(
    plan: &Plan,
    items: Option<usize>,
    time: TimeEstimate,
    experiments: u32,
) -> Result<Operating, NotSimulated> {
    let sd = Spreads::of(plan).round_value;
    let simulation = Simulation::of(plan, items, sd, experiments)?;
    let reach = reach_by(plan, items, experiments);
    let margin = simulation.margin();
    let expected = log_of_percent(plan.noise.expected_effect_percent);
    let mut table: Vec<f64> =
        (-HALF_MARGINS..=HALF_MARGINS).map(|half| f64::from(half) * margin / 2.0).collect();
    table.push(expected);
    let table = in_order(table);
    let steps = CURVE_MARGINS * CURVE_STEPS;
    let curve = (-steps..=steps).map(|step| f64::from(step) * margin / f64::from(CURVE_STEPS));
    let curve = in_order(curve.collect());
    let effects: Vec<f64> = table.iter().chain(&curve).copied().collect();
    let found = simulation.under(&effects);
    let row = |(effect, found): (&f64, &Simulated)| OperatingRow {
        true_effect_percent: if *effect == expected {
            plan.noise.expected_effect_percent
        } else {
            percent_of_log(*effect)
        },
        margins: (margin > 0.0).then(|| in_steps(effect / margin)),
        is_expected: *effect == expected,
        chances: found.chances,
        rounds: found.rounds,
        minutes: time
            .minutes()
            .filter(|_| plan.design.rounds > 0)
            .map(|minutes| minutes * found.rounds / f64::from(plan.design.rounds)),
    };
    let (of_table, of_curve) = found.split_at(table.len());
    Ok(Operating {
        rounds: plan.design.rounds,
        blocks_per_round: plan.design.blocks_per_round,
        margin_percent: plan.decision.margin_percent,
        confidence_percent: plan.decision.confidence_percent,
        confidence_of_one_percent: confidence_of_one(plan),
        family: family(plan) as u32,
        futility_percent: plan.stop.futility_percent(),
        round_value_sd_percent: sd * 100.0,
        noise: match &plan.noise.source {
            None => NoiseOrigin::Assumed,
            Some(NoiseSource::Record(record)) => NoiseOrigin::Record(record.clone()),
            Some(NoiseSource::Pilot(pilot)) => NoiseOrigin::Pilot(pilot.clone()),
        },
        input_scope: plan.design.input_scope,
        looks: planned_looks(&simulation),
        rows: table.iter().zip(of_table).map(row).collect(),
        curve: curve.iter().zip(of_curve).map(row).collect(),
        resolution: resolution(plan, &simulation, sd, &reach, &time, experiments),
        reach,
        time,
        experiments: simulation.experiments(),
    })
}

fn planned_looks(simulation: &Simulation) -> Vec<PlannedLook> {
    let looks = simulation.looks().iter().enumerate();
    looks
        .map(|(place, look)| PlannedLook {
            number: look.number,
            rounds: look.rounds,
            information: look.information,
            nominal_p: look.nominal_p,
            quantile: simulation.quantile(place),
            half_width_percent: simulation
                .half_width(place)
                .map(percent_of_log)
                .filter(|percent| percent.is_finite()),
        })
        .collect()
}

/// A step of the grid is that step, whatever the division made of it.
fn in_steps(margins: f64) -> f64 {
    let step = libm::round(margins * f64::from(CURVE_STEPS)) / f64::from(CURVE_STEPS);
    if (step - margins).abs() < 1e-9 { step } else { margins }
}

/// Sorted, each once; what is no number is left out.
fn in_order(mut effects: Vec<f64>) -> Vec<f64> {
    effects.retain(|effect| !effect.is_nan());
    // a zero is a zero, whatever its sign
    effects.iter_mut().for_each(|effect| *effect += 0.0);
    effects.sort_by(f64::total_cmp);
    effects.dedup();
    effects
}
