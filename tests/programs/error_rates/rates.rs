//! Counts of verdicts over simulated experiments.

use runner::design::{Schedule, schedule};
use runner::manifest::{Plan, Role};
use runner::stats::{binomial_interval, log_of_percent};
use runner::verdict::{SimulatedRule, Verdict};

use crate::noise::Noise;
use crate::world::{Truth, evidence};

/// Items of the embedded sets.
const ITEMS: usize = 48;

/// One line of the table.
pub struct Case<'case> {
    pub plan: &'case Plan,
    pub noise: Noise,
    pub experiments: u32,
    pub seed: u64,
}

/// What the rule said.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    win: u32,
    loss: u32,
    level: u32,
    void: u32,
    rounds: u64,
}

impl Counts {
    fn plus(self, other: Counts) -> Counts {
        Counts {
            win: self.win + other.win,
            loss: self.loss + other.loss,
            level: self.level + other.level,
            void: self.void + other.void,
            rounds: self.rounds + other.rounds,
        }
    }
}

/// One line's rates.
pub struct Rates {
    rule: String,
    noise: Noise,
    experiments: u32,
    no_effect_no_margin: Counts,
    at_margin: Counts,
    no_effect: Counts,
}

/// Simulates a case three times: no effect and no margin; the effect at the margin; no effect.
pub fn rates(case: &Case<'_>) -> Rates {
    let margin = log_of_percent(case.plan.decision.margin_percent);
    let mut without = case.plan.clone();
    // every interval that leaves out zero shows; the aa arm's own test is seen in the last column
    without.decision.margin_percent = 0.0;
    without.arms.retain(|arm| arm.role != Role::Aa);
    Rates {
        rule: case.plan.id.to_string().replace("error-rates-", ""),
        noise: case.noise,
        experiments: case.experiments,
        no_effect_no_margin: count(case, &without, 0.0),
        at_margin: count(case, case.plan, margin),
        no_effect: count(case, case.plan, 0.0),
    }
}

fn count(case: &Case<'_>, plan: &Plan, effect: f64) -> Counts {
    let schedule = schedule(plan, ITEMS);
    let rule = SimulatedRule::of(plan);
    let workers = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..workers)
            .map(|worker| {
                let (schedule, rule) = (&schedule, &rule);
                scope.spawn(move || {
                    (worker..case.experiments)
                        .step_by(workers as usize)
                        .map(|number| {
                            let seed = case.seed.wrapping_add(u64::from(number));
                            let truth = Truth { effect, noise: case.noise, seed };
                            one(plan, rule, schedule, truth)
                        })
                        .fold(Counts::default(), Counts::plus)
                })
            })
            .collect();
        parts.into_iter().filter_map(|part| part.join().ok()).fold(Counts::default(), Counts::plus)
    })
}

/// One experiment: run as `exec` runs it, looks included, and judged.
fn one(plan: &Plan, rule: &SimulatedRule<'_>, schedule: &Schedule, truth: Truth) -> Counts {
    let evidence = evidence(plan, schedule, truth, |samples, rounds| {
        rule.look_after(samples, rounds).and_then(|look| look.end())
    });
    let rounds = evidence.samples.last().map_or(0, |row| u64::from(row.round) + 1);
    let verdict = rule.judge(&evidence).comparisons.first().map(|found| found.verdict);
    let is = |wanted: Verdict| u32::from(verdict == Some(wanted));
    Counts {
        win: is(Verdict::Win),
        loss: is(Verdict::Loss),
        level: is(Verdict::Level),
        void: is(Verdict::Void),
        rounds,
    }
}

impl Rates {
    /// As a line of the table.
    pub fn line(&self) -> String {
        let rate = |count: u32| {
            let share = 100.0 * f64::from(count) / f64::from(self.experiments.max(1));
            match binomial_interval(u64::from(count), u64::from(self.experiments), 99.0) {
                Some((lo, hi)) => {
                    format!("{share:.2} % ({:.2} to {:.2})", 100.0 * lo, 100.0 * hi)
                }
                None => "none".to_owned(),
            }
        };
        let no_margin = &self.no_effect_no_margin;
        format!(
            "| {} | {}{} | {} | {} | {} | {} | {:.1} |",
            self.rule,
            self.noise.label(),
            if self.noise.promised() { "" } else { " (no promise)" },
            rate(no_margin.win + no_margin.loss),
            rate(self.at_margin.win),
            rate(self.at_margin.level),
            rate(self.no_effect.void),
            self.no_effect.rounds as f64 / f64::from(self.experiments.max(1)),
        )
    }
}
