//! Drift and carry-over.

use std::collections::BTreeMap;

use super::units::Unit;
use super::whole::DescribeInputs;
use crate::stats::{PlacedValue, autocorrelation, change_point, linear_trend, place_effect};
use crate::verdict::blocks::work_of;
use crate::verdict::description::{PlaceFigure, RunCourse, ShiftFigure};

/// Trend over blocks, effect of the place in a chunk, likeness of neighbouring rounds, a shift.
/// `None` where there are too few blocks for a line.
pub(super) fn course(inputs: &DescribeInputs<'_>, units: &[Unit<'_>]) -> Option<RunCourse> {
    let blocks: Vec<f64> = units.iter().flat_map(Unit::log_ratios).collect();
    let trend = linear_trend(&blocks)?;
    let rounds: Vec<f64> = units.iter().filter_map(Unit::value).collect();
    let neighbours = autocorrelation(&rounds);
    let places = place_effect(&placed(inputs));
    Some(RunCourse {
        trend: trend.change,
        trend_p: trend.p,
        places: places.iter().flat_map(|found| &found.places).map(figure).collect(),
        places_p: places.as_ref().and_then(|found| found.p),
        lag_1: neighbours.map(|found| found.lag_1),
        effective_rounds: neighbours.map(|found| found.effective_count),
        shift: shift(inputs, &blocks),
    })
}

fn figure(&(place, log_rate, n): &(u32, f64, u32)) -> PlaceFigure {
    PlaceFigure { place, log_rate, n }
}

/// Log rates of the samples of judged blocks, every arm, with the place within the chunk.
fn placed(inputs: &DescribeInputs<'_>) -> Vec<PlacedValue> {
    let work = work_of(inputs.plan.metric.primary);
    let mut judged = BTreeMap::new();
    for (number, block) in inputs.pairs.iter().enumerate() {
        let key = &block.key;
        judged.insert((key.round, key.segment, key.block), number as u64);
    }
    let mut chunks: BTreeMap<(u64, u32), u64> = BTreeMap::new();
    let mut found = Vec::new();
    for row in inputs.samples {
        if row.work != work || row.condition != inputs.condition || row.nanoseconds == 0 {
            continue;
        }
        let Some(&block) = judged.get(&(row.round, row.segment, row.block)) else { continue };
        let arm = inputs.plan.arms.iter().position(|arm| arm.name.as_str() == row.arm);
        // a chunk is the smallest thing that all arms share: drift within a block is no carry-over
        let next = chunks.len() as u64;
        let chunk = *chunks.entry((block, row.chunk)).or_insert(next);
        found.push(PlacedValue {
            block: chunk,
            arm: arm.map_or(u32::MAX, |arm| arm as u32),
            place: row.place,
            value: libm::log(f64::from(row.tokens) / (row.nanoseconds as f64 * 1e-9)),
        });
    }
    found
}

/// The likelier one of a shift in the log ratio and one in off's own speed.
fn shift(inputs: &DescribeInputs<'_>, log_ratios: &[f64]) -> Option<ShiftFigure> {
    let off: Vec<f64> = inputs.pairs.iter().map(|block| libm::log(block.off.rate())).collect();
    let found = |series: &str, values: &[f64]| {
        let shift = change_point(values)?;
        Some(ShiftFigure {
            series: series.to_owned(),
            after_block: shift.after as u32,
            size: shift.size,
            p: shift.p,
        })
    };
    let (ratio, off) = (found("log_ratio", log_ratios), found("off", &off));
    match (ratio, off) {
        (Some(ratio), Some(off)) => Some(if off.p < ratio.p { off } else { ratio }),
        (ratio, off) => ratio.or(off),
    }
}
