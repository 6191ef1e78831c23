//! One comparison followed from look to look, each on exactly the samples that it saw.

use super::analysis::Effect;
use super::class_scope::{FEWEST_INPUTS, class_intervals, different_inputs, governing_half_width};
use super::description::{ClassIntervals, LookFigure, LookOutcome};
use super::estimate::{Estimate, Unit, estimate_of, units};
use super::noise_floor::NoiseFloor;
use super::pairs::{PairedBlock, Pairs};
use super::timing::Timing;
use crate::manifest::InputScope;
use crate::rule::{Course, FEWEST_ROUNDS, Look, at_look_with, decide};

/// What a comparison is judged by.
pub(super) struct Question<'a> {
    pub timing: &'a Timing,
    pub scope: InputScope,
    pub floor: &'a NoiseFloor,
    /// Log ratio.
    pub margin: f64,
    /// Of all looks together, percent.
    pub confidence_percent: f64,
    pub futility_percent: Option<f64>,
    /// Registered cap on the share of flagged blocks.
    pub contaminated_percent: f64,
}

impl Question<'_> {
    /// Rounds with an accepted block that a decision needs: at a look those of the first look,
    /// since the registered errors count on a spread that is known at least so well.
    pub fn fewest_rounds(&self) -> u32 {
        self.timing.looks().first().map_or(FEWEST_ROUNDS, |look| look.rounds)
    }
}

/// What the samples of a comparison come to.
pub(super) struct Followed<'a> {
    /// Blocks that were judged: those of the look that governs, flagged ones left out.
    pub accepted: Vec<&'a PairedBlock>,
    pub registered: Option<Estimate>,
    /// Flagged blocks kept, where there are any.
    pub with_flagged: Option<Effect>,
    pub class_intervals: Option<ClassIntervals>,
    /// Each look that was taken.
    pub looks: Vec<LookFigure>,
    /// The look that governs: the one that ended the comparison, or else the last that was taken.
    /// `None` where the samples are looked at once, or before the first look.
    pub look: Option<Look>,
}

impl Followed<'_> {
    /// What the governing look came to; before the first look the rule goes on.
    pub fn outcome(&self) -> LookOutcome {
        self.looks.last().map_or(LookOutcome::GoOn, |look| look.outcome)
    }
}

/// Follows a comparison through the looks that its whole rounds reach.
pub(super) fn follow<'a>(question: &Question<'_>, pairs: &'a Pairs) -> Followed<'a> {
    let accepted = pairs.accepted();
    let looks = question.timing.looks();
    let (figures, look) = walk(question, pairs, looks);
    // Before its first look a sequential rule has no interval but that look's.
    let width = look.as_ref().or(looks.first()).map_or(Width::Once, Width::At);
    let seen = |blocks: Vec<&'a PairedBlock>| match &look {
        Some(look) => blocks[..before(&blocks, look.rounds)].to_vec(),
        None => blocks,
    };
    let accepted = seen(accepted);
    let all = seen(pairs.with_flagged());
    let judged = judged(question, &units(&accepted), &accepted, width);
    let (registered, class_intervals) = judged.map_or((None, None), |(one, two)| (Some(one), two));
    let with_flagged = (all.len() > accepted.len())
        .then(|| self::judged(question, &units(&all), &all, width))
        .flatten()
        .map(|(estimate, _)| estimate.effect);
    Followed { accepted, registered, with_flagged, class_intervals, looks: figures, look }
}

/// Takes every look that `rounds` whole rounds reach, up to the one that ends the comparison.
fn walk(question: &Question<'_>, pairs: &Pairs, looks: &[Look]) -> (Vec<LookFigure>, Option<Look>) {
    let (accepted, with_flagged) = (pairs.accepted(), pairs.with_flagged());
    let rounds = pairs.rounds_in_a_row();
    let mut figures = Vec::new();
    let mut taken = None;
    let Some(last) = looks.last() else { return (figures, taken) };
    let all_units = units(&accepted);
    for look in looks.iter().take_while(|look| look.rounds <= rounds) {
        let units = &all_units[..all_units.partition_point(|unit| unit.round < look.rounds)];
        let blocks = &accepted[..before(&accepted, look.rounds)];
        let mut figure = figure(question, units, blocks, look, last);
        let seen = &with_flagged[..before(&with_flagged, look.rounds)];
        if look.rounds < last.rounds && is_in_doubt(question, &figure, look, blocks, seen) {
            figure.outcome = LookOutcome::GoOn;
        }
        figures.push(figure);
        taken = Some(*look);
        if figures.last().is_some_and(|figure| figure.outcome.ends_comparison()) {
            break;
        }
    }
    (figures, taken)
}

/// Whether flagged blocks stand against what a look decided: with them it decides otherwise, or
/// they are over the registered share. More rounds may settle it, so nothing stops there.
fn is_in_doubt(
    question: &Question<'_>,
    figure: &LookFigure,
    look: &Look,
    accepted: &[&PairedBlock],
    with_flagged: &[&PairedBlock],
) -> bool {
    let flagged = with_flagged.len().saturating_sub(accepted.len());
    if flagged == 0 || !figure.outcome.ends_comparison() {
        return false;
    }
    let share = 100.0 * flagged as f64 / with_flagged.len() as f64;
    let decision = |lo: Option<f64>, hi: Option<f64>| Some(decide(lo?, hi?, question.margin));
    let other = judged(question, &units(with_flagged), with_flagged, Width::At(look))
        .map(|(estimate, _)| (estimate.effect.lo, estimate.effect.hi));
    let other = other.and_then(|(lo, hi)| decision(lo, hi));
    share > question.contaminated_percent || other != decision(figure.lo, figure.hi)
}

fn figure(
    question: &Question<'_>,
    units: &[Unit],
    blocks: &[&PairedBlock],
    look: &Look,
    last: &Look,
) -> LookFigure {
    let found = judged(question, units, blocks, Width::At(look)).map(|(estimate, _)| estimate);
    let aa = question.floor.state_at(look.rounds);
    // Without a block that was accepted there is nothing to see.
    let nothing = Course { estimate: 0.0, sd: 0.0, units: 0 };
    let course = found.as_ref().map_or(nothing, |estimate| {
        let effect = &estimate.effect;
        Course { estimate: effect.log_ratio, sd: effect.sd, units: effect.n }
    });
    let judgeable = found.as_ref().filter(|found| is_judgeable(question, found, blocks));
    let half_width = judgeable.and_then(Estimate::half_width);
    // What cannot be judged yet is not given up either.
    let futility = judgeable.and(question.futility_percent);
    let verdict = at_look_with(&course, half_width, look, last, question.margin, aa, futility);
    // What cannot be judged still has the interval that it has.
    let ends = found.as_ref().map(|estimate| (estimate.effect.lo, estimate.effect.hi));
    let (lo, hi) = ends.unwrap_or((None, None));
    LookFigure {
        look: look.number,
        rounds: look.rounds,
        information: look.information,
        nominal_p: look.nominal_p,
        log_ratio: course.estimate,
        lo,
        hi,
        units: course.units,
        outcome: verdict.outcome,
        chance_of_decision: verdict.chance,
    }
}

/// Too few rounds, no spread beyond the clock's resolution, or too few inputs for a claim about
/// their class: no decision is taken on such an interval.
fn is_judgeable(question: &Question<'_>, estimate: &Estimate, blocks: &[&PairedBlock]) -> bool {
    let enough_inputs = match question.scope {
        InputScope::Set => true,
        InputScope::Class => different_inputs(blocks) >= FEWEST_INPUTS,
    };
    estimate.rounds >= question.fewest_rounds() && !estimate.resolution_limited && enough_inputs
}

/// Whose quantile an interval has.
#[derive(Clone, Copy)]
enum Width<'a> {
    /// Student's t at the comparison's confidence.
    Once,
    /// That of a look.
    At(&'a Look),
}

/// The registered estimate of these units with the interval of `width`, and for a claim about a
/// class the half widths of which it is the widest.
fn judged(
    question: &Question<'_>,
    units: &[Unit],
    blocks: &[&PairedBlock],
    width: Width<'_>,
) -> Option<(Estimate, Option<ClassIntervals>)> {
    let plain = estimate_of(units, question.confidence_percent)?;
    let (over_rounds, two_sided) = match width {
        Width::Once => (plain.half_width(), (100.0 - question.confidence_percent) / 100.0),
        Width::At(look) => {
            let standard_error = plain.effect.sd / libm::sqrt(f64::from(plain.effect.n));
            let half_width = look.quantile(plain.effect.n).map(|t| t * standard_error);
            (half_width, look.nominal_p)
        }
    };
    match (question.scope, width) {
        (InputScope::Set, Width::Once) => Some((plain, None)),
        (InputScope::Set, Width::At(_)) => Some((plain.widened_to(over_rounds), None)),
        (InputScope::Class, _) => {
            let class = over_rounds.and_then(|half| class_intervals(blocks, half, two_sided));
            Some((plain.widened_to(class.as_ref().map(governing_half_width)), class))
        }
    }
}

/// How many of the blocks, which are in order, belong to the first rounds.
fn before(blocks: &[&PairedBlock], rounds: u32) -> usize {
    blocks.partition_point(|block| block.key.round < rounds)
}
