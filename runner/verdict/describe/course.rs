//! Drift and carry-over.

use super::chunks::placed;
use super::units::Unit;
use super::whole::DescribeInputs;
use crate::stats::{autocorrelation, change_point, linear_trend, place_effect};
use crate::verdict::description::{PlaceFigure, RunCourse, ShiftFigure};

/// p at or below which a shift is named. It decides nothing, and every record has several series.
const NAMED_P: f64 = 0.01;

/// Trend over rounds, effect of the place in a chunk, likeness of neighbouring rounds, a shift.
/// `None` under two units. The trend is over round values and not over blocks: blocks of a round
/// share its restart, and a p that took them for independent would see drift in every restart.
pub(super) fn course(inputs: &DescribeInputs<'_>, units: &[Unit<'_>]) -> Option<RunCourse> {
    let registered = inputs.registered;
    // what the clock does not resolve has no course
    let values = if registered.resolution_limited {
        vec![registered.effect.log_ratio; registered.units.len()]
    } else {
        registered.units.clone()
    };
    let trend = linear_trend(&values)?;
    let likeness = autocorrelation(&values);
    let places = place_effect(&placed(inputs));
    let places_p = places.as_ref().and_then(|found| found.p);
    let figure = |(place, log_rate, n)| PlaceFigure { place, log_rate, n };
    Some(RunCourse {
        trend: trend.change,
        trend_p: trend.p,
        places: places.into_iter().flat_map(|found| found.places).map(figure).collect(),
        places_p,
        lag_1: likeness.map(|found| found.lag_1),
        effective_rounds: likeness.map(|found| found.effective_count),
        shift: shift(inputs, units),
    })
}

/// The shift of the log ratio, or else that of off's own speed, where its p is low.
fn shift(inputs: &DescribeInputs<'_>, units: &[Unit<'_>]) -> Option<ShiftFigure> {
    let blocks = || units.iter().flat_map(|unit| unit.blocks.iter());
    let ratios: Vec<f64> = blocks().map(|block| block.log_ratio).collect();
    let off: Vec<f64> = blocks().map(|block| libm::log(block.off.rate())).collect();
    let resolution = inputs.registered.resolution;
    [("log_ratio", ratios), ("off", off)].into_iter().find_map(|(series, values)| {
        let found = change_point(&values)?;
        let named = found.p <= NAMED_P && found.size.abs() > resolution;
        named.then(|| ShiftFigure {
            series: series.to_owned(),
            after_block: found.after as u32,
            size: found.size,
            p: found.p,
        })
    })
}
