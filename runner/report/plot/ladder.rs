//! A ladder's curve: the ratio of each rung, where its rule stops, and which is best.

use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Anchor, Dash, Stroke, Svg, fitted};
use super::{COLUMN, HALF_LETTER, SMALL};

/// A place of the ladder.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct Rung {
    /// The setting's value.
    pub value: String,
    /// Log ratio to off; `None` where none counts.
    pub ratio: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    pub marks: Vec<RungMark>,
}

/// What is said of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum RungMark {
    /// Here the rule stops.
    Stops,
    /// The best of all.
    Best,
}

const LEFT: f64 = 56.0;
const RIGHT: f64 = COLUMN - 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 236.0;

/// The drawing.
pub(in crate::report) fn ladder(
    id: &str,
    (title, description): (&str, &str),
    (setting, rungs): (&str, &[Rung]),
    margin: f64,
) -> String {
    let mut svg = Svg::for_page(id, (COLUMN, BOTTOM + 36.0), title, description);
    let ends = rungs.iter().flat_map(|rung| {
        let (lo, hi) = rung.interval.unzip();
        [lo, hi, rung.ratio]
    });
    let y = Scale::of(ends.flatten().chain([margin, -margin]), (BOTTOM, TOP));
    svg.area((LEFT, y.at(margin)), (RIGHT, y.at(-margin)), Ink::Band);
    for (value, text) in y.ticks() {
        svg.line((LEFT, y.at(value)), (RIGHT, y.at(value)), Stroke::of(Ink::Grid, 1.0));
        svg.note((LEFT - 6.0, y.at(value) + 4.0), SMALL, Anchor::End, (&text, Ink::Pale));
    }
    svg.line((LEFT, y.at(0.0)), (RIGHT, y.at(0.0)), Stroke::of(Ink::Text, 1.0));
    let step = (RIGHT - LEFT) / rungs.len().max(1) as f64;
    let x = |place: usize| LEFT + step * (place as f64 + 0.5);
    let curve: Vec<(f64, f64)> = rungs
        .iter()
        .enumerate()
        .filter_map(|(place, rung)| Some((x(place), y.at(rung.ratio?))))
        .collect();
    svg.polyline(&curve, Stroke::of(Ink::Arm, 1.5));
    for (place, rung) in rungs.iter().enumerate() {
        draw(&mut svg, rung, x(place), &y);
        let value = fitted(&rung.value, step - 2.0, SMALL);
        svg.note((x(place), BOTTOM + 14.0), SMALL, Anchor::Middle, (&value, Ink::Pale));
    }
    let name = fitted(setting, RIGHT - LEFT, SMALL);
    svg.text(((LEFT + RIGHT) / 2.0, BOTTOM + 30.0), SMALL, Anchor::Middle, &name);
    svg.finish()
}

fn draw(svg: &mut Svg, rung: &Rung, x: f64, y: &Scale) {
    for (mark, height) in [(RungMark::Stops, 24.0), (RungMark::Best, 10.0)] {
        if !rung.marks.contains(&mark) {
            continue;
        }
        let (text, dash) = match mark {
            RungMark::Stops => ("rule stops", Dash::Long),
            RungMark::Best => ("best", Dash::Short),
        };
        svg.line((x, height + 2.0), (x, BOTTOM), Stroke::of(Ink::Text, 1.0).dashed(dash));
        let half = HALF_LETTER * text.len() as f64;
        let at = x.clamp(half, COLUMN - half);
        svg.text((at, height), SMALL, Anchor::Middle, text);
    }
    let Some(ratio) = rung.ratio else {
        svg.note((x, y.at(0.0) - 6.0), SMALL, Anchor::Middle, ("none", Ink::Pale));
        return;
    };
    if let Some((lo, hi)) = rung.interval {
        let stroke = Stroke::of(Ink::Arm, 1.5);
        svg.line((x, y.at(lo)), (x, y.at(hi)), stroke);
        for end in [lo, hi] {
            svg.line((x - 4.0, y.at(end)), (x + 4.0, y.at(end)), stroke);
        }
    }
    if rung.marks.is_empty() {
        svg.dots(&[(x, y.at(ratio))], 7.0, Ink::Arm);
    } else {
        svg.diamond((x, y.at(ratio)), 6.0, Ink::Arm);
    }
}
