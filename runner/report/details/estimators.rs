//! Other estimators beside the registered one.

use super::super::figures::{confidence, percent_change, ratio};
use crate::rule::Decision;
use crate::verdict::{Estimator, EstimatorFigure, LookFigure};

/// Why an interval that is there decides nothing.
pub(in crate::report) const NOT_COMPARED: &str =
    "not compared: these intervals do not allow for the choice of inputs";

/// An estimator beside the registered one whose interval is there and decides nothing: the claim
/// is about a class of inputs.
pub(in crate::report) fn is_not_compared(figure: &EstimatorFigure) -> bool {
    figure.estimator != Estimator::TrimmedRounds && figure.lo.is_some() && figure.decision.is_none()
}

/// A header and a row for each estimator.
pub(super) fn table(figures: &[EstimatorFigure]) -> Vec<Vec<String>> {
    let header = ["estimator", "ratio to off", "interval", "would decide"].map(str::to_owned);
    let mut rows = vec![header.to_vec()];
    rows.extend(figures.iter().map(|figure| {
        vec![
            name(figure.estimator).to_owned(),
            format!("{} ({})", ratio(figure.log_ratio), percent_change(figure.log_ratio)),
            match (figure.lo, figure.hi) {
                (Some(lo), Some(hi)) => format!("{} to {}", ratio(lo), ratio(hi)),
                _ => "no interval".to_owned(),
            },
            match figure.decision {
                Some(decision) => word(decision),
                None if is_not_compared(figure) => "not compared",
                None => "nothing",
            }
            .to_owned(),
        ]
    }));
    rows
}

/// After a look: the confidence of the table's intervals, which is that of the registered one there.
pub(super) fn at_a_look(looks: &[LookFigure]) -> Option<String> {
    let look = looks.last()?;
    Some(format!(
        "intervals at {}: the error that look {} had",
        confidence(100.0 * (1.0 - look.nominal_p)),
        look.look
    ))
}

/// Which of the others would decide otherwise than the registered one, or that they are not
/// compared. `None` without others.
pub(super) fn sentence(figures: &[EstimatorFigure]) -> Option<String> {
    let (registered, others) = figures.split_first()?;
    if others.is_empty() {
        return None;
    }
    let named = |figure: &EstimatorFigure| match figure.decision {
        Some(decision) => format!("{} ({})", name(figure.estimator), word(decision)),
        None => name(figure.estimator).to_owned(),
    };
    let listed = |figures: &[&EstimatorFigure]| -> String {
        figures.iter().map(|figure| named(figure)).collect::<Vec<String>>().join(", ")
    };
    let (with, without): (Vec<_>, Vec<_>) =
        others.iter().partition(|figure| figure.decision.is_some());
    let (not_compared, without): (Vec<_>, Vec<_>) =
        without.into_iter().partition(|figure| is_not_compared(figure));
    if !not_compared.is_empty() {
        let decided = registered.decision.map_or("nothing", word);
        return Some(format!(
            "estimators: the registered one decides {decided}; the others are {NOT_COMPARED}"
        ));
    }
    let Some(decision) = registered.decision else {
        let said = if with.is_empty() { "none does".to_owned() } else { listed(&with) };
        return Some(format!("estimators: the registered one decides nothing; of others, {said}"));
    };
    let disagree: Vec<&EstimatorFigure> =
        with.iter().copied().filter(|figure| figure.decision != Some(decision)).collect();
    let mut text = format!(
        "estimators: {} of {} others agree with the registered one ({})",
        with.len() - disagree.len(),
        with.len(),
        word(decision)
    );
    if !disagree.is_empty() {
        text.push_str(&format!("; disagree: {}", listed(&disagree)));
    }
    if !without.is_empty() {
        text.push_str(&format!("; without an interval: {}", listed(&without)));
    }
    Some(text)
}

/// The estimator in words.
pub(in crate::report) fn name(estimator: Estimator) -> &'static str {
    match estimator {
        Estimator::TrimmedRounds => "trimmed rounds (registered)",
        Estimator::MeanRounds => "mean rounds",
        Estimator::HodgesLehmannRounds => "Hodges-Lehmann rounds",
        Estimator::BcaRounds => "BCa bootstrap rounds",
        Estimator::PercentileRounds => "percentile bootstrap rounds",
        Estimator::TrimmedBlocks => "trimmed blocks",
        Estimator::PooledBlocks => "pooled blocks",
    }
}

/// The verdict that an interval alone would give.
fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Win => "win",
        Decision::Loss => "loss",
        Decision::Level => "level",
        Decision::Undecided => "parked",
    }
}
