//! The last step of one comparison: its numbers held against the rule.

use super::analysis::{Effect, Reason, ReasonCode};
use super::class_scope::{FEWEST_INPUTS, different_inputs};
use super::decision::decide;
use super::description::{LookFigure, LookOutcome};
use super::estimate::Estimate;
use super::follow::{Followed, Question};
use super::timing::Timing;
use super::words::{confidence, counted, interval, percent, signed};
use crate::design::rounds_for_margin;
use crate::manifest::{Better, InputScope, Plan};

/// The decision of a comparison against which nothing speaks.
pub(super) fn rule(plan: &Plan, question: &Question<'_>, followed: &Followed<'_>) -> Reason {
    let margin = question.margin;
    let registered = followed.registered.as_ref();
    // parts of a resumed round are units of their own, but not rounds
    let rounds = registered.map_or(0, |estimate| estimate.rounds);
    let Some(registered) = registered.filter(|_| rounds >= question.fewest_rounds()) else {
        return too_few(plan, question, rounds);
    };
    if question.scope == InputScope::Class {
        let inputs = different_inputs(&followed.accepted);
        if inputs < FEWEST_INPUTS {
            return too_few_inputs(plan, inputs);
        }
    }
    if registered.resolution_limited {
        return resolution_limited(registered);
    }
    let effect = &registered.effect;
    if let Some(look) = followed.looks.last().filter(|look| look.outcome == LookOutcome::Futile) {
        return futile(plan, question, effect, look);
    }
    let Some(decided) = decide(effect, margin) else {
        return match question.timing {
            Timing::Once => too_few(plan, question, rounds),
            Timing::Looks(_) => no_interval(plan),
        };
    };
    if let Some(other) = &followed.with_flagged
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
    let rounds_seen = followed.look.as_ref().map(|look| look.rounds);
    if decided == ReasonCode::WithinMargin
        && let Some(too_wide) = question.floor.too_wide_for_level(rounds_seen)
    {
        let text = format!("{}; {}", too_wide.text, resolution(plan));
        return Reason::new(ReasonCode::AaTooWideForLevel, text);
    }
    let margin_text = percent(margin);
    let shown = format!("{}{}", interval(effect), of_what(plan));
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

/// Of which ratio the change is, where one would not think so.
fn of_what(plan: &Plan) -> &'static str {
    match plan.metric.primary.better() {
        Better::More => "",
        Better::Less => " (of off over the arm: more is better)",
    }
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

fn too_few(plan: &Plan, question: &Question<'_>, units: u32) -> Reason {
    let fewest = question.fewest_rounds();
    let would_do = match rounds_for_margin(plan, question.margin, question.confidence_percent) {
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
            "{} with an accepted block; a verdict needs {fewest} or more, and {would_do}",
            counted(units, "whole round")
        ),
    )
}

fn too_few_inputs(plan: &Plan, inputs: u32) -> Reason {
    Reason::new(
        ReasonCode::TooFewInputs,
        format!(
            "{} of `{}` were measured; a claim about their class needs {FEWEST_INPUTS} or more",
            counted(inputs, "different input"),
            plan.workload.inputs
        ),
    )
}

/// Undecided, and not worth going on.
fn futile(plan: &Plan, question: &Question<'_>, effect: &Effect, look: &LookFigure) -> Reason {
    let chance = 100.0 * look.chance_of_decision.unwrap_or(0.0);
    let least = question.futility_percent.unwrap_or(0.0);
    let looks = question.timing.looks();
    Reason::new(
        ReasonCode::Futile,
        format!(
            "at look {} of {} after {} the interval {} crosses a margin ({}, {}), and the chance \
             of a decision by the last look is {chance:.1} %, under the registered {} %; {}",
            look.look,
            looks.len(),
            counted(look.rounds, "round"),
            interval(effect),
            percent(-question.margin),
            percent(question.margin),
            confidence(least),
            resolution(plan)
        ),
    )
}

/// A look whose boundary is out of reach: no number of rounds there gives an interval.
fn no_interval(plan: &Plan) -> Reason {
    let text = format!("the last look has no interval to judge by; {}", resolution(plan));
    Reason::new(ReasonCode::IntervalCrossesMargin, text)
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
