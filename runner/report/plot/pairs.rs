//! Every pair on one axis, round by round, over the estimate with its interval.

use super::forest::{axis, ground};
use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Anchor, Stroke, Svg};
use super::{COLUMN, SMALL};

/// All pairs of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct EveryPair {
    pub rows: Vec<PairRow>,
    /// The registered estimate: log ratio and interval.
    pub estimate: Option<(f64, Option<(f64, f64)>)>,
    /// Log ratio.
    pub margin: f64,
    /// Ends of the axis, log ratio.
    pub ends: (f64, f64),
}

/// A round.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct PairRow {
    pub label: String,
    /// Its value; `None` where no accepted block is in it.
    pub value: Option<f64>,
    /// Log ratios of its accepted blocks.
    pub blocks: Vec<f64>,
    /// Log ratios of those that a sensor flagged.
    pub flagged: Vec<f64>,
}

const LEFT: f64 = 48.0;
const RIGHT: f64 = COLUMN - 8.0;
const TOP: f64 = 6.0;

/// Rows are no higher, and all of them together take no more.
const ROW: f64 = 14.0;
const HIGHEST: f64 = 420.0;

/// Room below the rounds for the estimate.
const ESTIMATE: f64 = 26.0;

/// The drawing.
pub(in crate::report) fn every_pair(
    id: &str,
    (title, description): (&str, &str),
    pairs: &EveryPair,
) -> String {
    let count = pairs.rows.len().max(1) as f64;
    let row = ROW.min(HIGHEST / count);
    let rounds_end = TOP + row * count;
    let bottom = rounds_end + ESTIMATE;
    let mut svg = Svg::for_page(id, (COLUMN, bottom + 34.0), title, description);
    let scale = Scale::of([pairs.ends.0, pairs.ends.1], (LEFT, RIGHT));
    ground(&mut svg, &scale, pairs.margin, (TOP, bottom));
    axis(&mut svg, &scale, bottom);
    let middle = |place: usize| TOP + row * (place as f64 + 0.5);
    let spread = |of: fn(&PairRow) -> &Vec<f64>| -> Vec<(f64, f64)> {
        let points = pairs
            .rows
            .iter()
            .enumerate()
            .flat_map(|(place, one)| of(one).iter().map(move |value| (*value, middle(place))));
        points.collect()
    };
    let (within, beyond): (Vec<_>, Vec<_>) =
        spread(|row| &row.blocks).into_iter().partition(|(value, _)| scale.holds(*value));
    let placed = |points: Vec<(f64, f64)>| -> Vec<(f64, f64)> {
        points.into_iter().map(|(value, y)| (scale.at(value), y)).collect()
    };
    svg.dots(&placed(within), 3.2_f64.min(row), Ink::Arm);
    for (value, y) in beyond {
        arrow(&mut svg, (scale.at(value), y), value);
    }
    svg.crosses(&placed(spread(|row| &row.flagged)), 3.0, Ink::Flag);
    for (place, one) in pairs.rows.iter().enumerate() {
        let (x, y) = (one.value.map(|value| scale.at(value)), middle(place));
        if let Some(x) = x {
            let half = (row / 2.0).min(5.0);
            svg.line((x, y - half), (x, y + half), Stroke::of(Ink::Text, 2.0));
        }
    }
    labels(&mut svg, &pairs.rows, row, &middle);
    estimate(&mut svg, &scale, pairs.estimate, rounds_end + 14.0);
    svg.finish()
}

/// As many labels as stand apart.
fn labels(svg: &mut Svg, rows: &[PairRow], height: f64, middle: &dyn Fn(usize) -> f64) {
    let every = libm::ceil((SMALL + 2.0) / height).max(1.0) as usize;
    for (place, row) in rows.iter().enumerate().step_by(every) {
        let at = (LEFT - 6.0, middle(place) + 4.0);
        svg.note(at, SMALL - 1.0, Anchor::End, (&row.label, Ink::Pale));
    }
}

fn estimate(svg: &mut Svg, scale: &Scale, estimate: Option<(f64, Option<(f64, f64)>)>, y: f64) {
    svg.text((LEFT - 6.0, y + 4.0), SMALL - 1.0, Anchor::End, "all");
    let Some((value, interval)) = estimate else { return };
    if let Some((lo, hi)) = interval {
        let stroke = Stroke::of(Ink::Text, 2.0);
        svg.line((scale.at(lo), y), (scale.at(hi), y), stroke);
        for end in [lo, hi] {
            svg.line((scale.at(end), y - 5.0), (scale.at(end), y + 5.0), stroke);
        }
    }
    svg.diamond((scale.at(value), y), 5.0, Ink::Text);
}

/// A block beyond the axis points outwards.
fn arrow(svg: &mut Svg, (x, y): (f64, f64), value: f64) {
    let out = if value < 0.0 { -5.0 } else { 5.0 };
    svg.polygon(&[(x + out, y), (x, y - 3.5), (x, y + 3.5)], Ink::Arm);
}
