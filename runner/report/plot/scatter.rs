//! Each block as a point: off's value against the arm's. What pairing sees is the distance from the
//! diagonal, what pooling sees the two clouds at the edges.

use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Anchor, Dash, Stroke, Svg};
use super::{COLUMN, HALF_LETTER, SMALL};

/// Log values of both sides of each block, less that of off's median.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct Scatter {
    /// Off, arm.
    pub accepted: Vec<(f64, f64)>,
    /// Those of blocks that a sensor flagged.
    pub flagged: Vec<(f64, f64)>,
    /// Ends of both axes, log.
    pub ends: (f64, f64),
}

const LEFT: f64 = 56.0;
const RIGHT: f64 = COLUMN - 22.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 300.0;

/// The drawing.
pub(in crate::report) fn scatter(
    id: &str,
    (title, description): (&str, &str),
    found: &Scatter,
) -> String {
    let mut svg = Svg::for_page(id, (COLUMN, BOTTOM + 36.0), title, description);
    let x = Scale::of([found.ends.0, found.ends.1], (LEFT, RIGHT));
    let y = Scale::of([found.ends.0, found.ends.1], (BOTTOM, TOP));
    for (value, text) in x.ticks() {
        let grid = Stroke::of(Ink::Grid, 1.0);
        svg.line((x.at(value), TOP), (x.at(value), BOTTOM), grid);
        svg.line((LEFT, y.at(value)), (RIGHT, y.at(value)), grid);
        let half = HALF_LETTER * text.chars().count() as f64;
        let at = x.at(value).min(COLUMN - half);
        svg.note((at, BOTTOM + 14.0), SMALL, Anchor::Middle, (&text, Ink::Pale));
        svg.note((LEFT - 6.0, y.at(value) + 4.0), SMALL, Anchor::End, (&text, Ink::Pale));
    }
    let same = Stroke::of(Ink::Text, 1.0).dashed(Dash::Long);
    svg.line((LEFT, BOTTOM), (RIGHT, TOP), same);
    let point = |(off, arm): &(f64, f64)| (x.at(*off), y.at(*arm));
    let points: Vec<(f64, f64)> = found.accepted.iter().map(point).collect();
    // the clouds that a pooled view compares
    svg.dots(&points.iter().map(|(x, _)| (*x, TOP - 6.0)).collect::<Vec<_>>(), 2.0, Ink::Off);
    svg.dots(&points.iter().map(|(_, y)| (RIGHT + 6.0, *y)).collect::<Vec<_>>(), 2.0, Ink::Arm);
    svg.dots(&points, 4.0, Ink::Arm);
    let flagged: Vec<(f64, f64)> = found.flagged.iter().map(point).collect();
    svg.crosses(&flagged, 3.0, Ink::Flag);
    svg.text((LEFT, 13.0), SMALL, Anchor::Start, "arm, against off's median");
    let below = ((LEFT + RIGHT) / 2.0, BOTTOM + 30.0);
    svg.text(below, SMALL, Anchor::Middle, "off, against its median");
    svg.finish()
}
