//! The last step of one comparison: its numbers held against the rule.

use super::analysis::{Effect, Reason, ReasonCode};
use super::decision::decide;
use super::estimate::Estimate;
use super::noise_floor::NoiseFloor;
use super::words::{counted, interval, percent, signed};
use crate::design::{FEWEST_ROUNDS, rounds_for_margin};
use crate::manifest::Plan;

/// The decision of a comparison against which nothing speaks; `margin` is a log ratio.
pub(super) fn rule(
    plan: &Plan,
    registered: Option<&Estimate>,
    with_flagged: Option<&Effect>,
    floor: &NoiseFloor,
    margin: f64,
    confidence_percent: f64,
) -> Reason {
    // parts of a resumed round are units of their own, but not rounds
    let rounds = registered.map_or(0, |estimate| estimate.rounds);
    let Some(registered) = registered.filter(|_| rounds >= FEWEST_ROUNDS) else {
        return too_few(plan, rounds, margin, confidence_percent);
    };
    if registered.resolution_limited {
        return resolution_limited(registered);
    }
    let effect = &registered.effect;
    let Some(decided) = decide(effect, margin) else {
        return too_few(plan, rounds, margin, confidence_percent);
    };
    if let Some(other) = with_flagged
        && let Some(other_decision) = decide(other, margin)
        && other_decision != decided
    {
        return Reason::new(
            ReasonCode::AnalysesDisagree,
            format!(
                "without flagged blocks the interval is {} ({}), with them {} ({}); {}",
                interval(effect),
                outcome(decided),
                interval(other),
                outcome(other_decision),
                resolution(plan)
            ),
        );
    }
    if decided == ReasonCode::WithinMargin
        && let Some(too_wide) = &floor.too_wide_for_level
    {
        let text = format!("{}; {}", too_wide.text, resolution(plan));
        return Reason::new(ReasonCode::AaTooWideForLevel, text);
    }
    let margin_text = percent(margin);
    let shown = interval(effect);
    let text = match decided {
        ReasonCode::AboveMargin => {
            format!("the interval {shown} lies above the margin of {margin_text}")
        }
        ReasonCode::BelowMargin => {
            format!("the interval {shown} lies below the margin of {}", percent(-margin))
        }
        ReasonCode::WithinMargin => {
            format!("the interval {shown} lies within {} to {margin_text}", percent(-margin))
        }
        _ => format!(
            "the interval {shown} crosses a margin ({}, {margin_text}); {}",
            percent(-margin),
            resolution(plan)
        ),
    };
    Reason::new(decided, text)
}

fn outcome(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::AboveMargin => "win",
        ReasonCode::BelowMargin => "loss",
        ReasonCode::WithinMargin => "level",
        _ => "neither",
    }
}

fn resolution(plan: &Plan) -> String {
    format!("registered resolution: {}", plan.decision.parked_resolution)
}

fn too_few(plan: &Plan, units: u32, margin: f64, confidence_percent: f64) -> Reason {
    let would_do = match rounds_for_margin(plan, margin, confidence_percent) {
        Some(rounds) => {
            format!("with the registered noise {rounds} give an interval as narrow as the margin")
        }
        None => "no number up to 200 gives an interval as narrow as the margin with the \
                 registered noise"
            .to_owned(),
    };
    Reason::new(
        ReasonCode::TooFewRounds,
        format!(
            "{} with an accepted block; a verdict needs {FEWEST_ROUNDS} or more, and {would_do}",
            counted(units, "whole round")
        ),
    )
}

fn resolution_limited(registered: &Estimate) -> Reason {
    let effect = &registered.effect;
    let resolution = signed(100.0 * registered.resolution).replace('+', "");
    let resolution = if registered.resolution < 5e-5 {
        format!("{:.1e} %", 100.0 * registered.resolution)
    } else {
        resolution
    };
    let difference = if effect.log_ratio.abs() <= registered.resolution {
        "no difference".to_owned()
    } else {
        format!("a constant difference of {}", percent(effect.log_ratio))
    };
    Reason::new(
        ReasonCode::ResolutionLimited,
        format!(
            "{difference}: all {} agree to within what a clock of 1 ns resolves here \
             ({resolution}), so there is no spread to judge by",
            counted(effect.n, "round")
        ),
    )
}
