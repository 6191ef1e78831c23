//! From the samples of a ladder to its finding.

use super::super::analysis::{Comparison, Effect, Verdict};
use super::super::follow::{Question, follow};
use super::super::pairs::pair;
use super::super::setting::{Frame, Setting};
use super::super::timing::Timing;
use super::finding::{LadderCode, LadderFinding, LadderReason, RungFigure, StepFigure};
use super::words;
use crate::manifest::{LadderPlace, LadderStop, LeastStep, Plan, Role};
use crate::rule::{Bought, Missed, Stopping, later_step, missed, stopping};
use crate::stats::{percent_of_log, simultaneous_confidence_percent};

/// The ladder at each condition value; nothing without a rule. `comparisons` are those of the run.
pub(in super::super) fn findings(
    frame: &Frame<'_>,
    settings: &[Setting<'_>],
    comparisons: &[Comparison],
) -> Vec<LadderFinding> {
    let plan = frame.plan;
    let ladder = plan.ladder.as_ref().and_then(|ladder| Some((ladder, ladder.stop?)));
    let Some((ladder, rule)) = ladder else { return Vec::new() };
    let places = plan.ladder_places();
    // Which two are compared the samples choose, so all that could be are counted.
    let twos = places.len() * places.len().saturating_sub(1) / 2 * settings.len();
    let confidence_percent =
        simultaneous_confidence_percent(plan.decision.confidence_percent, twos.max(1));
    settings
        .iter()
        .map(|setting| {
            let climb = Climb { plan, setting, rule, places: &places, confidence_percent };
            climb.finding(&ladder.setting, comparisons)
        })
        .collect()
}

/// A ladder at one condition value.
struct Climb<'a> {
    plan: &'a Plan,
    setting: &'a Setting<'a>,
    rule: LadderStop,
    places: &'a [LadderPlace<'a>],
    confidence_percent: f64,
}

/// Two places against each other.
struct Difference {
    effect: Effect,
    missed: Missed,
}

/// A place beyond the stop against what was kept.
struct Beyond {
    place: usize,
    /// To off.
    log_ratio: f64,
    effect: Option<Effect>,
    missed: Missed,
}

impl Climb<'_> {
    fn finding(&self, setting: &str, comparisons: &[Comparison]) -> LadderFinding {
        let figures = self.figures(comparisons);
        let steps = bought(&figures);
        let least = self.rule.under.percent();
        let stopped = stopping(&steps, least);
        let logs: Vec<Option<f64>> = figures.iter().map(|figure| self.log_ratio(figure)).collect();
        let best = match stopped {
            Stopping::At(_) | Stopping::Nowhere => best_of(&logs),
            Stopping::Unknown(_) => None,
        };
        let kept = match stopped {
            Stopping::At(place) => best_of(logs.get(..=place).unwrap_or_default()),
            Stopping::Nowhere | Stopping::Unknown(_) => None,
        };
        let beyond = match (stopped, kept) {
            (Stopping::At(place), Some(kept)) => self.beyond(kept, place, &logs),
            _ => Vec::new(),
        };
        let rival = rival(&beyond);
        // A step counts as a later one only where its interval shows that it goes up.
        let up = |(figure, step)| if is_up(figure) { step } else { Bought::Unknown };
        let sure: Vec<Bought> = figures.iter().zip(steps.iter().copied()).map(up).collect();
        let later = match stopped {
            Stopping::At(place) => later_step(&sure, place, least),
            Stopping::Nowhere | Stopping::Unknown(_) => None,
        };
        let code = match stopped {
            Stopping::Unknown(_) => LadderCode::LadderNotEvaluated,
            Stopping::Nowhere => LadderCode::LadderRuleNeverStops,
            Stopping::At(place) => {
                let lost = figures.iter().skip(place + 1).any(|figure| figure.left_out.is_some());
                match rival.map(|rival| rival.missed) {
                    Some(Missed::Better) => LadderCode::LadderRuleStopsBeforeBest,
                    Some(Missed::NotTold) => LadderCode::LadderUndecided,
                    Some(Missed::NotBetter) | None if lost => LadderCode::LadderUndecided,
                    Some(Missed::NotBetter) | None => LadderCode::LadderRuleFindsBest,
                }
            }
        };
        let name = |place: usize| figures.get(place).map(|figure| figure.arm.clone());
        let stops_at = match stopped {
            Stopping::At(place) => name(place),
            Stopping::Nowhere | Stopping::Unknown(_) => None,
        };
        let mut finding = LadderFinding {
            condition: self.setting.label.clone(),
            setting: setting.to_owned(),
            stops_at,
            kept: kept.and_then(name),
            best: best.and_then(name),
            rival: rival.and_then(|rival| name(rival.place)),
            rival_over_kept: rival.and_then(|rival| rival.effect.clone()),
            later_step: later.and_then(name),
            places: figures,
            reason: LadderReason { code, text: String::new() },
        };
        finding.reason.text =
            words::reason(self.rule, self.setting.frame.margin, stopped, &finding);
        finding
    }

    /// Places beyond the stop whose figures count, each against what was kept.
    fn beyond(&self, kept: usize, stopped: usize, logs: &[Option<f64>]) -> Vec<Beyond> {
        let places = logs.iter().enumerate().skip(stopped + 1);
        places
            .filter_map(|(place, log)| {
                let log_ratio = (*log)?;
                let (effect, missed) = match self.difference(kept, place) {
                    Some(difference) => (Some(difference.effect), difference.missed),
                    None => (None, Missed::NotTold),
                };
                Some(Beyond { place, log_ratio, effect, missed })
            })
            .collect()
    }

    fn figures(&self, comparisons: &[Comparison]) -> Vec<RungFigure> {
        let mut figures: Vec<RungFigure> = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            let name = place.arm.name.as_str();
            let compared = comparisons
                .iter()
                .find(|found| found.arm == name && found.condition == self.setting.label);
            let mut figure = RungFigure {
                arm: name.to_owned(),
                value: place.value.clone(),
                effect: compared.and_then(|found| found.effect.clone()),
                left_out: compared.filter(|found| counts_not(found.verdict)).map(|f| f.reason.code),
                step: None,
            };
            let before = index.checked_sub(1).and_then(|before| figures.get(before));
            figure.step =
                before.and_then(|before| self.step((index - 1, before), (index, &figure)));
            figures.push(figure);
        }
        figures
    }

    fn step(
        &self,
        (below, before): (usize, &RungFigure),
        (index, figure): (usize, &RungFigure),
    ) -> Option<StepFigure> {
        self.log_ratio(before)?;
        self.log_ratio(figure)?;
        let effect = self.difference(below, index)?.effect;
        let doublings = match self.rule.under {
            LeastStep::PercentPerStep(_) => None,
            LeastStep::PercentPerDoubling(_) => Some(self.doublings(below, index)?),
        };
        let bought_percent = percent_of_log(effect.log_ratio / doublings.unwrap_or(1.0));
        Some(StepFigure { from: before.arm.clone(), doublings, effect, bought_percent })
    }

    fn doublings(&self, below: usize, index: usize) -> Option<f64> {
        let number = |place: usize| self.places.get(place)?.number.filter(|number| *number > 0);
        Some(libm::log2(f64::from(number(index)?)) - libm::log2(f64::from(number(below)?)))
    }

    /// ln(arm/off) of a place whose figure counts: 0 for off itself.
    fn log_ratio(&self, figure: &RungFigure) -> Option<f64> {
        let is_off = self
            .places
            .iter()
            .any(|place| place.arm.role == Role::Off && place.arm.name.as_str() == figure.arm);
        match (&figure.effect, figure.left_out) {
            _ if is_off => Some(0.0),
            (Some(effect), None) => Some(effect.log_ratio),
            _ => None,
        }
    }

    /// One place over another: the registered estimate over rounds, at the confidence of all pairs
    /// of places. Where flagged blocks speak otherwise, or there is no spread, it is not told.
    fn difference(&self, under: usize, over: usize) -> Option<Difference> {
        let name = |place: usize| self.places.get(place).map(|place| place.arm.name.as_str());
        let (under, over) = (name(under)?, name(over)?);
        let setting = self.setting;
        let blocks_per_round = self.plan.design.blocks_per_round;
        let pairs = pair(setting.blocks, setting.condition, under, over, blocks_per_round);
        let margin = setting.frame.margin;
        let question = Question {
            timing: &Timing::Once,
            scope: setting.frame.scope(),
            floor: &setting.floor,
            margin,
            confidence_percent: self.confidence_percent,
            futility_percent: None,
            contaminated_percent: self.plan.gate.contaminated_percent,
        };
        let followed = follow(&question, &pairs);
        let registered = followed.registered?;
        let told = |effect: &Effect| Some(missed(effect.lo?, effect.hi?, margin));
        let kept = followed.with_flagged.as_ref();
        let missed = match told(&registered.effect) {
            _ if registered.resolution_limited => Missed::NotTold,
            _ if registered.rounds < question.fewest_rounds() => Missed::NotTold,
            Some(told_without) if kept.is_none_or(|kept| told(kept) == Some(told_without)) => {
                told_without
            }
            _ => Missed::NotTold,
        };
        Some(Difference { effect: registered.effect, missed })
    }
}

/// Verdicts whose numbers prove nothing.
fn counts_not(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Win | Verdict::Loss | Verdict::Level | Verdict::Parked => false,
        Verdict::Void | Verdict::Refused | Verdict::Incomplete | Verdict::Insufficient => true,
    }
}

fn bought(figures: &[RungFigure]) -> Vec<Bought> {
    figures
        .iter()
        .enumerate()
        .map(|(place, figure)| match &figure.step {
            Some(step) => Bought::Percent(step.bought_percent),
            None if place == 0 && figure.left_out.is_none() => Bought::Lowest,
            None => Bought::Unknown,
        })
        .collect()
}

/// The place of the greatest log ratio, the lowest of equals.
fn best_of(logs: &[Option<f64>]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, log) in logs.iter().enumerate() {
        let Some(log) = log else { continue };
        if best.is_none_or(|(_, greatest)| *log > greatest) {
            best = Some((place, *log));
        }
    }
    best.map(|(place, _)| place)
}

/// The place that the finding turns on: what is better weighs more than what may be.
fn rival(beyond: &[Beyond]) -> Option<&Beyond> {
    [Missed::Better, Missed::NotTold, Missed::NotBetter].into_iter().find_map(|missed| {
        let such = beyond.iter().filter(|one| one.missed == missed);
        such.max_by(|one, other| one.log_ratio.total_cmp(&other.log_ratio))
    })
}

/// A step that its interval shows to be one up.
fn is_up(figure: &RungFigure) -> bool {
    figure.step.as_ref().and_then(|step| step.effect.lo).is_some_and(|lo| lo > 0.0)
}
