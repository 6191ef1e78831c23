//! Experiments drawn from registered noise, each judged by the registered rule, looks included.

use serde::{Deserialize, Serialize};

use crate::manifest::{InputScope, Plan, Role, Stop};
use crate::rule::{
    AA_CONFIDENCE_PERCENT, AaState, Course, FEWEST_ROUNDS, Look, LookFault, LookOutcome,
    RegisteredRule, aa_state,
};
use crate::stats::{Draws, log_of_percent, simultaneous_confidence_percent, student_quantile};

/// Most normal values that one simulation draws: a quarter of a second at optimisation level 2 on
/// one core of an AMD EPYC of 2026. Past it there are fewer experiments.
const MOST_DRAWS: u64 = 12_000_000;

/// Experiments below which [`MOST_DRAWS`] may be passed: the standard error of a chance of 0.8 is
/// then 3 percent.
const FEWEST_EXPERIMENTS: u32 = 200;

/// Most normal values in any case: half a second. A search makes some ten simulations,
/// each within this bound, whatever the manifest's numbers are.
const MOST_DRAWS_EVER: u64 = 24_000_000;

/// With fewer experiments than this a chance says nothing: its standard error passes 9 percent.
const FEWEST_EXPERIMENTS_EVER: u64 = 20;

/// Why a rule has no chances.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotSimulated {
    /// A spread that is no finite number, or below zero.
    #[error("the registered noise is not a finite number")]
    Noise,
    /// A margin that is no finite number, or below zero.
    #[error("the margin is not a finite number of zero or more")]
    Margin,
    /// The stopping rule has no looks.
    #[error("the stopping rule cannot be carried out: {0}")]
    Looks(#[from] LookFault),
    /// Too many round values in a single experiment.
    #[error(
        "one simulated experiment has {draws} values, of rounds times arms at each condition, and \
         {most} are the most"
    )]
    TooLarge {
        /// Values of an experiment.
        draws: u64,
        /// The most that are simulated.
        most: u64,
    },
}

/// How often each outcome came about, for one comparison, 0 to 1. They add up to 1, futility
/// being part of parked.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Chances {
    /// The interval lies above the margin.
    pub win: f64,
    /// It lies below minus the margin.
    pub loss: f64,
    /// It lies within the margins.
    pub level: f64,
    /// None of these.
    pub parked: f64,
    /// Of the parked ones, those that stopped early because a decision was out of reach.
    pub parked_by_futility: f64,
    /// The aa arm showed a bias.
    pub void: f64,
    /// Too few rounds for a verdict.
    pub insufficient: f64,
}

/// What came out under one true effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Simulated {
    pub chances: Chances,
    /// Mean number of rounds when the run stops.
    pub rounds: f64,
}

/// The registered rule and noise, ready to be simulated.
#[derive(Debug, Clone)]
pub(super) struct Simulation {
    rule: RegisteredRule,
    /// By look: half width of the aa interval over the standard deviation of a round's value;
    /// infinite where there is none.
    aa_width_factors: Vec<f64>,
    /// By look: what a claim about a class of inputs widens the interval by, 1 or more.
    class_factors: Vec<f64>,
    /// Inputs of the set, where they are known.
    items: Option<usize>,
    /// Of a round's value, log ratio.
    sd: f64,
    layout: Layout,
    seed: u64,
    experiments: u32,
}

/// Arms beside off, at each of the condition's values.
#[derive(Debug, Clone, Copy)]
struct Layout {
    conditions: usize,
    aa: usize,
    treatments: usize,
}

impl Layout {
    fn of(plan: &Plan) -> Layout {
        let count = |role: Role| plan.arms.iter().filter(|arm| arm.role == role).count();
        Layout {
            // A fixed rule looks once, and one condition shows no other's: one is enough.
            conditions: match plan.stop {
                Stop::Fixed { .. } => 1,
                _ => plan.condition_values().len(),
            },
            aa: count(Role::Aa),
            treatments: count(Role::Treatment),
        }
    }

    fn arms(self) -> usize {
        self.conditions * (self.aa + self.treatments)
    }

    /// Normal values of one experiment.
    fn draws(self, rounds: u32) -> u64 {
        u64::from(rounds).saturating_mul((self.conditions + self.arms()) as u64)
    }
}

/// Experiments that may be simulated when each draws this many normal values.
fn affordable(draws: u64) -> Result<u32, NotSimulated> {
    let draws = draws.max(1);
    let most = MOST_DRAWS_EVER / FEWEST_EXPERIMENTS_EVER;
    if draws > most {
        return Err(NotSimulated::TooLarge { draws, most });
    }
    let wanted = (MOST_DRAWS / draws).max(u64::from(FEWEST_EXPERIMENTS));
    Ok(u32::try_from(wanted.min(MOST_DRAWS_EVER / draws)).unwrap_or(u32::MAX))
}

/// What a claim about a class of inputs widens a look's interval by at the least, 1 for a claim
/// about the set.
///
/// The judgement takes the widest of the interval over rounds, that over the means of inputs, and
/// the two-way one; the latter two have Student's t of one less than the inputs, or than the fewer
/// of rounds and inputs. No spread between inputs is registered. With none, all three have the
/// standard error that rounds have, and what is left is the ratio of the t.
fn class_factor(plan: &Plan, items: Option<usize>, look: &Look) -> f64 {
    if plan.design.input_scope == InputScope::Set {
        return 1.0;
    }
    // inputs are drawn without repetition until the set is used up
    let drawn = look.rounds.saturating_mul(plan.design.blocks_per_round);
    let items = items.map_or(u32::MAX, |items| u32::try_from(items).unwrap_or(u32::MAX));
    let fewer = look.rounds.min(drawn).min(items);
    if fewer == look.rounds {
        return 1.0;
    }
    let quantile = |units: u32| student_quantile(look.nominal_p, f64::from(units) - 1.0);
    match (quantile(look.rounds), quantile(fewer)) {
        (Some(over_rounds), Some(wider)) => (wider / over_rounds).max(1.0),
        // one input has no spread, and no interval of its class
        (Some(_), None) => f64::INFINITY,
        (None, _) => 1.0,
    }
}

/// Comparisons that are judged together: treatments times condition values.
pub(super) fn family(plan: &Plan) -> usize {
    let treatments = plan.arms.iter().filter(|arm| arm.role == Role::Treatment).count();
    treatments * plan.condition_values().len()
}

/// Confidence of each comparison's interval, percent.
pub(super) fn confidence_of_one(plan: &Plan) -> f64 {
    simultaneous_confidence_percent(plan.decision.confidence_percent, family(plan))
}

impl Simulation {
    /// The plan's rule on round values with this standard deviation (log ratio), over a set of
    /// `items` inputs; `None`: as many as are drawn. `experiments` is what is asked for; long runs
    /// of many arms get fewer.
    ///
    /// # Errors
    /// [`NotSimulated`] when there is nothing to simulate.
    pub fn of(
        plan: &Plan,
        items: Option<usize>,
        sd: f64,
        experiments: u32,
    ) -> Result<Simulation, NotSimulated> {
        let margin = log_of_percent(plan.decision.margin_percent);
        if !(sd >= 0.0 && sd.is_finite()) {
            return Err(NotSimulated::Noise);
        }
        if !(margin >= 0.0 && margin.is_finite()) {
            return Err(NotSimulated::Margin);
        }
        let layout = Layout::of(plan);
        let experiments = experiments.min(affordable(layout.draws(plan.design.rounds))?);
        let alpha = (100.0 - confidence_of_one(plan)) / 100.0;
        let rule = RegisteredRule::new(&plan.stop, plan.design.rounds, alpha, margin)?;
        let aa_error = (100.0 - AA_CONFIDENCE_PERCENT) / 100.0;
        let aa_width_factors = rule
            .looks()
            .iter()
            .map(|look| {
                let freedom = f64::from(look.rounds.saturating_sub(1));
                student_quantile(aa_error, freedom).unwrap_or(f64::INFINITY)
                    / libm::sqrt(f64::from(look.rounds))
            })
            .collect();
        let class_factors =
            rule.looks().iter().map(|look| class_factor(plan, items, look)).collect();
        Ok(Simulation {
            rule,
            aa_width_factors,
            class_factors,
            items,
            sd,
            layout,
            seed: plan.design.order_seed,
            experiments,
        })
    }

    /// Experiments behind each chance.
    pub fn experiments(&self) -> u32 {
        self.experiments
    }

    /// Log ratio.
    pub fn margin(&self) -> f64 {
        self.rule.margin()
    }

    /// Of a round's value, log ratio.
    pub fn sd(&self) -> f64 {
        self.sd
    }

    /// The looks, in order.
    pub fn looks(&self) -> &[Look] {
        self.rule.looks()
    }

    /// Inputs of the set, where they are known.
    pub fn items(&self) -> Option<usize> {
        self.items
    }

    /// Student's t of the interval at a look, a class's wider one where that is claimed; `None`
    /// where it can decide nothing.
    pub fn quantile(&self, place: usize) -> Option<f64> {
        let over_rounds = self.rule.quantile(place, self.looks().get(place)?.rounds)?;
        let quantile = over_rounds * self.class_factors.get(place)?;
        quantile.is_finite().then_some(quantile)
    }

    /// Half width of the interval at a look with the registered spread, log ratio.
    pub fn half_width(&self, place: usize) -> Option<f64> {
        let rounds = f64::from(self.looks().get(place)?.rounds);
        let half_width = self.quantile(place)? * self.sd / libm::sqrt(rounds);
        half_width.is_finite().then_some(half_width)
    }

    /// What comes out under each of these true effects (log ratios), all comparisons of the
    /// family having the same one.
    ///
    /// An experiment's noise is drawn once and shifted by each effect, so that chances at
    /// neighbouring effects differ by no more than they should. Each experiment draws from a
    /// stream of its own: one more round adds to it and changes nothing before.
    ///
    /// A log ratio's noise is half off's and half the arm's own, so that all arms of a condition
    /// value share off's half. The run goes on until every comparison is decided or futile; a
    /// decision once taken stays; the aa arm is judged where the run ends.
    pub fn under(&self, effects: &[f64]) -> Vec<Simulated> {
        let mut tallies = vec![Tally::default(); effects.len()];
        let mut experiment = Experiment::new(self);
        let rounds = self.rule.last().map_or(0, |last| last.rounds);
        if rounds < FEWEST_ROUNDS || self.layout.treatments == 0 {
            let chances = Chances { insufficient: 1.0, ..Chances::default() };
            return vec![Simulated { chances, rounds: f64::from(rounds) }; effects.len()];
        }
        for number in 0..self.experiments {
            experiment.draw(self, &mut Draws::new(self.seed, &format!("operating {number}")));
            for (effect, tally) in effects.iter().zip(&mut tallies) {
                experiment.judge(self, *effect, tally);
            }
        }
        tallies.iter().map(|tally| tally.simulated(self)).collect()
    }
}

/// Counts over experiments and comparisons.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    win: u64,
    loss: u64,
    level: u64,
    parked: u64,
    futile: u64,
    void: u64,
    rounds: u64,
}

impl Tally {
    fn simulated(&self, simulation: &Simulation) -> Simulated {
        let experiments = f64::from(simulation.experiments.max(1));
        let comparisons = (simulation.layout.conditions * simulation.layout.treatments) as f64;
        let share = |count: u64| count as f64 / experiments / comparisons;
        Simulated {
            chances: Chances {
                win: share(self.win),
                loss: share(self.loss),
                level: share(self.level),
                parked: share(self.parked),
                parked_by_futility: share(self.futile),
                void: share(self.void),
                insufficient: 0.0,
            },
            rounds: self.rounds as f64 / experiments,
        }
    }
}

/// Mean and standard deviation of what was drawn so far, in units of the registered spread.
#[derive(Debug, Clone, Copy, Default)]
struct Drawn {
    mean: f64,
    sd: f64,
}

/// One experiment's noise at each look. The memory is used again for the next one.
#[derive(Debug)]
struct Experiment {
    /// By look, then by condition and treatment.
    treatments: Vec<Drawn>,
    /// By look, then by condition.
    aa: Vec<AaState>,
    /// By condition and arm (aa arms first): sum and sum of squares of standard normal values.
    /// Their mean is zero, so no digits are lost.
    sums: Vec<(f64, f64)>,
    /// By condition and treatment.
    outcomes: Vec<LookOutcome>,
}

impl Experiment {
    fn new(simulation: &Simulation) -> Experiment {
        let Layout { conditions, treatments, .. } = simulation.layout;
        let looks = simulation.looks().len();
        Experiment {
            treatments: vec![Drawn::default(); looks * conditions * treatments],
            aa: vec![AaState::Sound; looks * conditions],
            sums: vec![(0.0, 0.0); simulation.layout.arms()],
            outcomes: vec![LookOutcome::Undecided; conditions * treatments],
        }
    }

    fn draw(&mut self, simulation: &Simulation, draws: &mut Draws) {
        let Layout { conditions, aa, treatments } = simulation.layout;
        let arms = aa + treatments;
        self.sums.fill((0.0, 0.0));
        let mut round = 0;
        for (place, look) in simulation.looks().iter().enumerate() {
            while round < look.rounds {
                round += 1;
                for condition in self.sums.chunks_mut(arms.max(1)) {
                    let off = draws.normal();
                    for (sum, squares) in condition {
                        let value = (draws.normal() - off) * std::f64::consts::FRAC_1_SQRT_2;
                        *sum += value;
                        *squares += value * value;
                    }
                }
            }
            let count = f64::from(round);
            for condition in 0..conditions {
                let sums = &self.sums[condition * arms..(condition + 1) * arms];
                let mut state = AaState::Sound;
                for drawn in sums[..aa].iter().map(|sums| drawn(sums, count)) {
                    let half_width = simulation.aa_width_factors[place] * drawn.sd * simulation.sd;
                    let found =
                        aa_state(drawn.mean * simulation.sd, half_width, simulation.margin());
                    state = worse(state, found);
                }
                self.aa[place * conditions + condition] = state;
                let first = (place * conditions + condition) * treatments;
                for (slot, sums) in self.treatments[first..].iter_mut().zip(&sums[aa..]) {
                    *slot = drawn(sums, count);
                }
            }
        }
    }

    fn judge(&mut self, simulation: &Simulation, effect: f64, tally: &mut Tally) {
        let Layout { conditions, treatments, .. } = simulation.layout;
        let comparisons = conditions * treatments;
        let mut end = 0;
        for comparison in 0..comparisons {
            for (place, look) in simulation.looks().iter().enumerate() {
                let drawn = self.treatments[place * comparisons + comparison];
                let course = Course {
                    estimate: effect + drawn.mean * simulation.sd,
                    sd: drawn.sd * simulation.sd * simulation.class_factors[place],
                    units: look.rounds,
                };
                let aa = self.aa[place * conditions + comparison / treatments];
                let outcome = simulation.rule.outcome(place, &course, aa);
                if let Some(outcome) = outcome.filter(|outcome| outcome.ends_comparison()) {
                    self.outcomes[comparison] = outcome;
                    end = end.max(place);
                    break;
                }
            }
        }
        tally.rounds += u64::from(simulation.looks()[end].rounds);
        for (comparison, outcome) in self.outcomes.iter().enumerate() {
            let count = match (self.aa[end * conditions + comparison / treatments], outcome) {
                (AaState::Biased, _) => &mut tally.void,
                (_, LookOutcome::Win) => &mut tally.win,
                (_, LookOutcome::Loss) => &mut tally.loss,
                (_, LookOutcome::Level) => &mut tally.level,
                (_, LookOutcome::Futile) => {
                    tally.futile += 1;
                    &mut tally.parked
                }
                (_, LookOutcome::Undecided | LookOutcome::GoOn) => &mut tally.parked,
            };
            *count += 1;
        }
    }
}

fn drawn(&(sum, squares): &(f64, f64), count: f64) -> Drawn {
    let mean = sum / count;
    let variance = (squares - sum * mean) / (count - 1.0);
    Drawn { mean, sd: libm::sqrt(variance.max(0.0)) }
}

/// Several aa arms: one bias is enough, and so is one interval that is too wide.
fn worse(one: AaState, other: AaState) -> AaState {
    match (one, other) {
        (AaState::Biased, _) | (_, AaState::Biased) => AaState::Biased,
        (AaState::TooWideForLevel, _) | (_, AaState::TooWideForLevel) => AaState::TooWideForLevel,
        (AaState::Sound, AaState::Sound) => AaState::Sound,
    }
}
