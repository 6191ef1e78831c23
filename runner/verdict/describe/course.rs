//! Drift and carry-over.

use super::chunks::placed;
use super::units::Unit;
use super::whole::DescribeInputs;
use crate::stats::{autocorrelation, change_point, linear_trend, mean, place_effect};
use crate::verdict::description::{PlaceFigure, RunCourse, ShiftFigure};

/// p at or below which a shift is named. It decides nothing, and every record has several series.
const NAMED_P: f64 = 0.01;

/// Trend over rounds, effect of the place in a chunk, likeness of neighbouring rounds, a shift.
/// `None` under two units. Trend and shift are over round values and not over blocks: blocks of a
/// round share its restart, and a p that took them for independent would see drift in every restart.
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
        shift: shift(inputs, units, &values),
    })
}

/// The shift of the log ratio or of off's own speed, whichever has the lower p, where that is low.
/// At equal p it is the log ratio's: the decision is about that.
///
/// It is looked for in round values (off: means over a round's blocks), for the same reason as the
/// trend. Under 16 rounds no shift is ever named: Pettitt's p cannot get that low.
fn shift(inputs: &DescribeInputs<'_>, units: &[Unit<'_>], ratios: &[f64]) -> Option<ShiftFigure> {
    let off: Option<Vec<f64>> = units.iter().map(off_log_rate).collect();
    let resolution = inputs.registered.resolution;
    let named = |series: &str, values: &[f64]| {
        let found = change_point(values)?;
        let before = units.iter().take(found.after).map(|unit| unit.blocks.len() as u32).sum();
        (found.p <= NAMED_P && found.size.abs() > resolution).then(|| ShiftFigure {
            series: series.to_owned(),
            after_block: before,
            size: found.size,
            p: found.p,
        })
    };
    let of_off = off.and_then(|values| named("off", &values));
    match (named("log_ratio", ratios), of_off) {
        (Some(ratio), Some(off)) if off.p < ratio.p => Some(off),
        (Some(ratio), _) => Some(ratio),
        (None, of_off) => of_off,
    }
}

/// Mean log rate of off over the unit's blocks.
fn off_log_rate(unit: &Unit<'_>) -> Option<f64> {
    let rates: Vec<f64> = unit.blocks.iter().map(|block| libm::log(block.off.rate())).collect();
    mean(&rates)
}
