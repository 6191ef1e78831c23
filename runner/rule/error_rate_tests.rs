//! Errors of rules that look more than once, simulated without an effect on normal values.

use super::{AaState, Course, LookOutcome, RegisteredRule};
use crate::manifest::{Spending, Stop};
use crate::stats::{Draws, obrien_fleming_boundaries, pocock_boundaries};

/// Mean and spread of a growing sample (Welford).
#[derive(Default)]
struct Growing {
    count: u32,
    mean: f64,
    squares: f64,
}

impl Growing {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / f64::from(self.count);
        self.squares += before * (value - self.mean);
    }

    fn course(&self) -> Course {
        let sd = (self.squares / f64::from(self.count - 1)).sqrt();
        Course { estimate: self.mean, sd, units: self.count }
    }
}

/// Share of experiments that the rule calls a win or a loss against a margin of 0: every false
/// positive shows.
fn false_positives(stop: &Stop, rounds: u32, experiments: u32) -> f64 {
    let rule = RegisteredRule::new(stop, rounds, 0.05, 0.0).unwrap();
    let mut draws = Draws::new(20_261_129, "false positives");
    let mut found = 0;
    for _ in 0..experiments {
        let mut sample = Growing::default();
        for round in 1..=rounds {
            sample.add(draws.normal());
            let Some(place) = rule.look_after(round) else { continue };
            match rule.outcome(place, &sample.course(), AaState::Sound).unwrap() {
                LookOutcome::Win | LookOutcome::Loss => {
                    found += 1;
                    break;
                }
                LookOutcome::GoOn => {}
                _ => break,
            }
        }
    }
    f64::from(found) / f64::from(experiments)
}

fn group(looks_at_rounds: &[u32], spending: Spending) -> Stop {
    Stop::GroupSequential {
        looks_at_rounds: looks_at_rounds.to_vec(),
        spending,
        futility_percent: None,
        cap_minutes: 60.0,
    }
}

/// Two and a half standard errors of a share of 0.05.
fn allowance(experiments: u32) -> f64 {
    2.5 * (0.05 * 0.95 / f64::from(experiments)).sqrt()
}

#[test]
fn group_sequential_rules_err_no_more_often_than_admitted() {
    const EXPERIMENTS: u32 = 6_000;
    for (at, spending) in [
        (&[8, 16][..], Spending::OBrienFleming),
        (&[8, 16], Spending::Pocock),
        (&[8, 12, 24], Spending::ExactOBrienFleming),
        (&[8, 16, 24], Spending::ExactPocock),
    ] {
        let rounds = *at.last().unwrap();
        let found = false_positives(&group(at, spending.clone()), rounds, EXPERIMENTS);
        assert!(found <= 0.05 + allowance(EXPERIMENTS), "{spending:?} {at:?}: {found}");
        // and they are not so strict that they never err
        assert!(found >= 0.05 - 2.0 * allowance(EXPERIMENTS), "{spending:?} {at:?}: {found}");
    }
}

#[test]
fn a_confidence_sequence_errs_no_more_often_than_admitted_at_any_time() {
    const EXPERIMENTS: u32 = 1_500;
    let sequence = Stop::ConfidenceSequence { futility_percent: None, cap_minutes: 60.0 };
    let found = false_positives(&sequence, 200, EXPERIMENTS);
    assert!(found <= 0.05 + allowance(EXPERIMENTS), "{found}");
    assert!(found > 0.005, "{found}");
}

/// Why boundaries become t quantiles, and why no look comes before round 8: the z of the boundary
/// itself, held against a statistic on 2 degrees of freedom, errs several times as often.
#[test]
fn raw_boundaries_on_two_degrees_of_freedom_are_badly_wrong() {
    const EXPERIMENTS: u32 = 4_000;
    let information: Vec<f64> = [3.0, 6.0, 9.0, 12.0].to_vec();
    for (boundaries, at_least) in [
        (pocock_boundaries(&information, 0.05).unwrap(), 0.13),
        (obrien_fleming_boundaries(&information, 0.05).unwrap(), 0.07),
    ] {
        let mut draws = Draws::new(20_261_129, "raw boundaries");
        let mut found = 0;
        for _ in 0..EXPERIMENTS {
            let mut sample = Growing::default();
            let crossed = (1..=12).any(|round| {
                sample.add(draws.normal());
                let look = information.iter().position(|at| *at == f64::from(round));
                look.is_some_and(|look| {
                    let Course { estimate, sd, .. } = sample.course();
                    estimate.abs() / sd * f64::from(round).sqrt() >= boundaries[look]
                })
            });
            found += u32::from(crossed);
        }
        let found = f64::from(found) / f64::from(EXPERIMENTS);
        assert!(found > at_least, "{boundaries:?}: {found}");
    }
}
