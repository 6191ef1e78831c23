//! Estimates with their intervals below each other: comparisons, or estimators of one.

use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Anchor, Dash, Stroke, Svg, fitted};
use super::{COLUMN, HALF_LETTER, SMALL};

/// One estimate.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct ForestRow {
    pub label: String,
    /// What stands at the right end of the label's line.
    pub figure: String,
    /// Log ratio; `None` where there is no estimate.
    pub value: Option<f64>,
    /// Ends of its interval.
    pub interval: Option<(f64, f64)>,
    pub mark: Mark,
}

/// What an estimate is, by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Mark {
    /// Judged: a filled diamond.
    Judged,
    /// Described beside it: a dot.
    Described,
    /// Two identical arms: a dot with a broken line.
    NoiseFloor,
}

const LEFT: f64 = 8.0;
const RIGHT: f64 = COLUMN - 8.0;
const ROW: f64 = 32.0;
const AXIS: f64 = 34.0;

/// The drawing, `margin` as a log ratio.
pub(in crate::report) fn forest(
    id: &str,
    (title, description): (&str, &str),
    rows: &[ForestRow],
    margin: f64,
) -> String {
    let bottom = 8.0 + ROW * rows.len() as f64;
    let mut svg = Svg::for_page(id, (COLUMN, bottom + AXIS), title, description);
    let ends = rows.iter().flat_map(|row| {
        let (lo, hi) = row.interval.unzip();
        [lo, hi, row.value]
    });
    let values = ends.flatten().chain([margin, -margin]);
    let scale = Scale::of(values, (LEFT + 6.0, RIGHT - 6.0));
    for (place, row) in rows.iter().enumerate() {
        let top = 8.0 + ROW * place as f64;
        // labels stand between the strips, so that no line runs through them
        ground(&mut svg, &scale, margin, (top + 14.0, top + ROW - 4.0));
        draw(&mut svg, &scale, row, top);
    }
    axis(&mut svg, &scale, bottom);
    svg.finish()
}

fn draw(svg: &mut Svg, scale: &Scale, row: &ForestRow, top: f64) {
    let figure = 2.0 * HALF_LETTER * row.figure.chars().count() as f64;
    let label = fitted(&row.label, RIGHT - LEFT - figure - 12.0, SMALL);
    svg.text((LEFT, top + 10.0), SMALL, Anchor::Start, &label);
    svg.text((RIGHT, top + 10.0), SMALL, Anchor::End, &row.figure);
    let y = top + 21.0;
    let (ink, dash) = match row.mark {
        Mark::Judged => (Ink::Arm, Dash::None),
        Mark::Described => (Ink::Text, Dash::None),
        Mark::NoiseFloor => (Ink::Off, Dash::Short),
    };
    if let Some((lo, hi)) = row.interval {
        let stroke = Stroke::of(ink, 2.0);
        svg.line((scale.at(lo), y), (scale.at(hi), y), stroke.dashed(dash));
        for end in [lo, hi] {
            svg.line((scale.at(end), y - 4.0), (scale.at(end), y + 4.0), stroke);
        }
    }
    match (row.value, row.mark) {
        (Some(value), Mark::Judged) => svg.diamond((scale.at(value), y), 5.0, ink),
        (Some(value), _) => svg.dots(&[(scale.at(value), y)], 6.0, ink),
        (None, _) => {
            svg.note((LEFT, y + 4.0), SMALL, Anchor::Start, ("no estimate", Ink::Pale));
        }
    }
}

/// Between the margins, and no effect.
pub(super) fn ground(svg: &mut Svg, scale: &Scale, margin: f64, (top, bottom): (f64, f64)) {
    if margin > 0.0 {
        svg.area((scale.at(-margin), top), (scale.at(margin), bottom), Ink::Band);
    }
    for (value, _) in scale.ticks() {
        svg.line((scale.at(value), top), (scale.at(value), bottom), Stroke::of(Ink::Grid, 1.0));
    }
    for end in [-margin, margin] {
        let stroke = Stroke::of(Ink::Pale, 1.0).dashed(Dash::Long);
        svg.line((scale.at(end), top), (scale.at(end), bottom), stroke);
    }
    svg.line((scale.at(0.0), top), (scale.at(0.0), bottom), Stroke::of(Ink::Text, 1.0));
}

/// Ticks with their texts, and what the axis is.
pub(super) fn axis(svg: &mut Svg, scale: &Scale, bottom: f64) {
    for (value, text) in scale.ticks() {
        let half = HALF_LETTER * text.chars().count() as f64;
        let at = scale.at(value).clamp(half, COLUMN - half);
        svg.note((at, bottom + 13.0), SMALL, Anchor::Middle, (&text, Ink::Pale));
    }
    let name = ("change against off", Ink::Pale);
    svg.note((COLUMN / 2.0, bottom + 28.0), SMALL, Anchor::Middle, name);
}
