//! The run, block by block: off's own speed, what sensors flagged, where it was cut.

use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Anchor, Dash, Stroke, Svg};
use super::{COLUMN, HALF_LETTER, SMALL};

/// Blocks in order of measurement.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct Timeline {
    /// Log of off's speed less that of its median at the same condition; `None` without a number.
    pub off: Vec<Option<f64>>,
    /// Blocks that a sensor flagged.
    pub flagged: Vec<bool>,
    /// Blocks with which a round begins.
    pub round_starts: Vec<usize>,
    /// Blocks before which the run was interrupted.
    pub cuts: Vec<usize>,
    /// Ends of the axis, log.
    pub ends: (f64, f64),
}

const LEFT: f64 = 56.0;
const RIGHT: f64 = COLUMN - 8.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 170.0;

/// The drawing.
pub(in crate::report) fn timeline(
    id: &str,
    (title, description): (&str, &str),
    run: &Timeline,
) -> String {
    let mut svg = Svg::for_page(id, (COLUMN, BOTTOM + 54.0), title, description);
    let y = Scale::of([run.ends.0, run.ends.1], (BOTTOM, TOP));
    let count = run.off.len().max(1) as f64;
    let x = |place: usize| LEFT + (place as f64 + 0.5) / count * (RIGHT - LEFT);
    let edge = |place: usize| LEFT + place as f64 / count * (RIGHT - LEFT);
    for (value, text) in y.ticks() {
        svg.line((LEFT, y.at(value)), (RIGHT, y.at(value)), Stroke::of(Ink::Grid, 1.0));
        svg.note((LEFT - 6.0, y.at(value) + 4.0), SMALL, Anchor::End, (&text, Ink::Pale));
    }
    for start in &run.round_starts {
        let at = edge(*start);
        svg.line((at, BOTTOM), (at, BOTTOM + 6.0), Stroke::of(Ink::Pale, 1.0));
    }
    for cut in &run.cuts {
        let at = edge(*cut);
        svg.line((at, TOP), (at, BOTTOM), Stroke::of(Ink::Text, 1.5).dashed(Dash::Short));
        let half = HALF_LETTER * 11.0;
        let label = at.clamp(half, COLUMN - half);
        svg.text((label, TOP - 6.0), SMALL, Anchor::Middle, "interrupted");
    }
    let points = |flagged: bool| -> Vec<(f64, f64)> {
        let blocks = run.off.iter().zip(&run.flagged).enumerate();
        let own = blocks.filter(|(_, (_, is_flagged))| **is_flagged == flagged);
        own.filter_map(|(place, (off, _))| Some((x(place), y.at((*off)?)))).collect()
    };
    svg.dots(&points(false), 3.2, Ink::Off);
    svg.crosses(&points(true), 3.0, Ink::Flag);
    let lane = BOTTOM + 22.0;
    svg.note((LEFT - 6.0, lane + 4.0), SMALL, Anchor::End, ("flags", Ink::Pale));
    svg.line((LEFT, lane), (RIGHT, lane), Stroke::of(Ink::Grid, 1.0));
    let marked = run.flagged.iter().enumerate().filter(|(_, flagged)| **flagged);
    let marked: Vec<(f64, f64)> = marked.map(|(place, _)| (x(place), lane)).collect();
    svg.crosses(&marked, 3.0, Ink::Flag);
    let below = ((LEFT + RIGHT) / 2.0, BOTTOM + 48.0);
    svg.text(below, SMALL, Anchor::Middle, "blocks in order; a tick where a round begins");
    svg.finish()
}
