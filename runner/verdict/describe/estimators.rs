//! The same effect by other ways, each with what its interval would decide.

use super::resampled::resampled;
use super::units::Unit;
use super::whole::DescribeInputs;
use crate::manifest::InputScope;
use crate::rule::decide;
use crate::stats::{
    ResampledInterval, hodges_lehmann, hodges_lehmann_interval, mean, t_interval, trimmed_mean,
    trimmed_mean_interval,
};
use crate::verdict::description::{Estimator, EstimatorFigure};
use crate::verdict::estimate::pooled;

/// Estimate, lower end, upper end.
type Located = (f64, f64, f64);

/// The registered estimator, then the others. One whose estimate does not exist is left out.
///
/// Round values that agree to within the clock's resolution leave no interval: what is narrower
/// than that resolution says something about the clock, and decides nothing.
///
/// Where the claim is about a class of inputs, the others keep their intervals and decide nothing:
/// these do not allow for the choice of inputs, so a decision by them would be one about another
/// question.
pub(super) fn estimators(inputs: &DescribeInputs<'_>, units: &[Unit<'_>]) -> Vec<EstimatorFigure> {
    let confidence = inputs.confidence_percent;
    let by_unit: Vec<Vec<f64>> = units.iter().map(Unit::log_ratios).collect();
    let values = &inputs.registered.units;
    let blocks: Vec<f64> = by_unit.iter().flatten().copied().collect();
    let means: Vec<f64> = by_unit.iter().filter_map(|blocks| mean(blocks)).collect();

    let plain = t_interval(&means, confidence).map(|found| (found.mean, found.lo, found.hi));
    let welch = pooled(inputs.pairs, confidence);
    let welch_interval =
        welch.as_ref().and_then(|found| Some((found.log_ratio, found.lo?, found.hi?)));
    let bootstrap = resampled(inputs, &by_unit);
    let bca = bootstrap.as_ref().and_then(|found| found.bca(confidence).ok());
    let percentile = bootstrap.as_ref().and_then(|found| found.percentile(confidence).ok());
    let walsh = hodges_lehmann_interval(values, confidence)
        .map(|found| (found.estimate, found.lo, found.hi));
    let trimmed =
        trimmed_mean_interval(&blocks, confidence).map(|found| (found.mean, found.lo, found.hi));
    let ends = |found: ResampledInterval| (found.estimate, found.lo, found.hi);
    let others = [
        (Estimator::MeanRounds, mean(&means), plain),
        (Estimator::HodgesLehmannRounds, hodges_lehmann(values), walsh),
        (Estimator::BcaRounds, mean(&means), bca.map(ends)),
        (Estimator::PercentileRounds, mean(&means), percentile.map(ends)),
        (Estimator::TrimmedBlocks, trimmed_mean(&blocks), trimmed),
        (Estimator::PooledBlocks, welch.map(|found| found.log_ratio), welch_interval),
    ];
    let mut figures = vec![registered(inputs)];
    figures.extend(
        others.into_iter().filter_map(|(estimator, estimate, located)| {
            other(inputs, estimator, estimate, located)
        }),
    );
    figures
}

fn registered(inputs: &DescribeInputs<'_>) -> EstimatorFigure {
    let estimate = inputs.registered;
    let (lo, hi) = (estimate.effect.lo, estimate.effect.hi);
    let interval = lo.zip(hi).filter(|_| !estimate.resolution_limited);
    EstimatorFigure {
        estimator: Estimator::TrimmedRounds,
        log_ratio: estimate.effect.log_ratio,
        lo,
        hi,
        decision: interval.map(|(lo, hi)| decide(lo, hi, inputs.margin)),
    }
}

fn other(
    inputs: &DescribeInputs<'_>,
    estimator: Estimator,
    estimate: Option<f64>,
    located: Option<Located>,
) -> Option<EstimatorFigure> {
    let interval = located
        .filter(|(_, lo, hi)| lo.is_finite() && hi.is_finite())
        .filter(|(_, lo, hi)| (hi - lo) / 2.0 > inputs.registered.resolution)
        .map(|(_, lo, hi)| (lo, hi));
    let log_ratio = located.map(|(centre, _, _)| centre).or(estimate);
    let compared = match inputs.plan.design.input_scope {
        InputScope::Set => interval,
        InputScope::Class => None,
    };
    Some(EstimatorFigure {
        estimator,
        log_ratio: log_ratio.filter(|value| value.is_finite())?,
        lo: interval.map(|(lo, _)| lo),
        hi: interval.map(|(_, hi)| hi),
        decision: compared.map(|(lo, hi)| decide(lo, hi, inputs.margin)),
    })
}
