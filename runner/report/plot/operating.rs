//! Operating characteristics as a plot: stacked chances over the true effect.

use super::ink::Ink;
use super::svg::{Anchor, Dash, Stroke, Svg};
use crate::design::{Chances, Operating, OperatingRow};

/// Where the plot lies in its drawing.
#[derive(Debug, Clone, Copy)]
struct Frame {
    size: (f64, f64),
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    small: f64,
    legend: Legend,
}

/// Where the names of the layers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Legend {
    Beside,
    Below,
}

/// A file of its own.
const DOCUMENT: Frame = Frame {
    size: (760.0, 440.0),
    left: 64.0,
    right: 600.0,
    top: 52.0,
    bottom: 372.0,
    small: 12.0,
    legend: Legend::Beside,
};

/// A column of a page.
const COLUMN: Frame = Frame {
    size: (super::COLUMN, 330.0),
    left: 46.0,
    right: 350.0,
    top: 24.0,
    bottom: 220.0,
    small: super::SMALL,
    legend: Legend::Below,
};

const LARGE: f64 = 15.0;

/// One layer of the stack.
struct Layer {
    name: &'static str,
    ink: Ink,
    chance: fn(&Chances) -> f64,
}

/// From below.
const LAYERS: [Layer; 6] = [
    Layer { name: "loss", ink: Ink::Loss, chance: |chances| chances.loss },
    Layer { name: "level", ink: Ink::Level, chance: |chances| chances.level },
    Layer { name: "win", ink: Ink::Win, chance: |chances| chances.win },
    Layer { name: "parked", ink: Ink::Parked, chance: |chances| chances.parked },
    Layer { name: "void", ink: Ink::Void, chance: |chances| chances.void },
    Layer { name: "insufficient", ink: Ink::Insufficient, chance: |chances| chances.insufficient },
];

/// The chances of each outcome against the true effect, as an SVG document: margins and the
/// expected effect marked, no script, texts as texts. The same bytes for the same numbers.
#[must_use]
pub fn operating_svg(operating: &Operating, title: &str) -> String {
    let (width, height) = DOCUMENT.size;
    let mut svg = Svg::new(width, height, title, &description(operating));
    svg.text((DOCUMENT.left, 28.0), LARGE, Anchor::Start, title);
    draw(&mut svg, operating, DOCUMENT);
    svg.finish()
}

/// The same in a column of a page.
pub(in crate::report) fn operating_figure(operating: &Operating, id: &str) -> String {
    let title = "Chance of each outcome by true effect";
    let mut svg = Svg::for_page(id, COLUMN.size, title, &description(operating));
    draw(&mut svg, operating, COLUMN);
    svg.finish()
}

fn description(operating: &Operating) -> String {
    format!(
        "Chance of each outcome against the true effect, from -2 to 2 margins of {} %; {} rounds, \
         {} simulated experiments, noise {}.",
        operating.margin_percent, operating.rounds, operating.experiments, operating.noise
    )
}

fn draw(svg: &mut Svg, operating: &Operating, frame: Frame) {
    let curve: Vec<&OperatingRow> =
        operating.curve.iter().filter(|row| row.margins.is_some()).collect();
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else {
        let at = (frame.left, frame.top);
        svg.text(at, frame.small, Anchor::Start, "the margin is 0: there is nothing to plot");
        return;
    };
    let (from, to) = (first.margins.unwrap_or(-1.0), last.margins.unwrap_or(1.0));
    let x = |margins: f64| frame.left + (margins - from) / (to - from) * (frame.right - frame.left);
    let y = |chance: f64| frame.bottom - chance * (frame.bottom - frame.top);
    layers(svg, &curve, &x, &y);
    axes(svg, operating, frame, (&x, &y));
    legend(svg, &curve, frame);
}

fn layers(svg: &mut Svg, curve: &[&OperatingRow], x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let mut below = vec![0.0; curve.len()];
    for layer in LAYERS {
        let above: Vec<f64> = curve
            .iter()
            .zip(&below)
            .map(|(row, below)| below + (layer.chance)(&row.chances))
            .collect();
        let points = |heights: &[f64]| -> Vec<(f64, f64)> {
            let at =
                |(row, height): (&&OperatingRow, &f64)| (x(row.margins.unwrap_or(0.0)), y(*height));
            curve.iter().zip(heights).map(at).collect()
        };
        let mut outline = points(&above);
        if above != below {
            let edge = Stroke::of(Ink::Ground, 1.0);
            let top = outline.clone();
            outline.extend(points(&below).into_iter().rev());
            svg.polygon(&outline, layer.ink);
            svg.polyline(&top, edge);
        }
        below = above;
    }
}

/// Places of margins and of chances.
type Places<'a> = (&'a dyn Fn(f64) -> f64, &'a dyn Fn(f64) -> f64);

fn axes(svg: &mut Svg, operating: &Operating, frame: Frame, (x, y): Places<'_>) {
    let Frame { left, right, top, bottom, small, .. } = frame;
    let axis = Stroke::of(Ink::Text, 1.0);
    for step in 0..=5 {
        let chance = f64::from(step) / 5.0;
        let at = y(chance);
        svg.line((left - 5.0, at), (left, at), axis);
        svg.text((left - 8.0, at + 4.0), small, Anchor::End, &format!("{} %", step * 20));
    }
    // what a registration asks for
    let required = y(crate::design::REQUIRED_CHANCE);
    svg.line((left, required), (right, required), axis.dashed(Dash::Short));
    svg.line((left, top), (left, bottom), axis);
    svg.line((left, bottom), (right, bottom), axis);
    for row in operating.rows.iter() {
        let Some(margins) = row.margins.filter(|margins| margins.abs() <= 2.0) else { continue };
        let at = x(margins);
        if margins.fract() == 0.0 {
            svg.line((at, bottom), (at, bottom + 5.0), axis);
            let effect = match frame.legend {
                Legend::Beside => percent(row.true_effect_percent),
                Legend::Below => short_percent(row.true_effect_percent),
            };
            let anchor = match frame.legend {
                Legend::Below if margins == 2.0 => Anchor::End,
                _ => Anchor::Middle,
            };
            let at = if anchor == Anchor::End { right } else { at };
            svg.text((at, bottom + 18.0), small, anchor, &effect);
        }
        if margins.abs() == 1.0 {
            svg.line((at, top), (at, bottom), axis.dashed(Dash::Long));
            let name = if margins > 0.0 { "margin" } else { "-margin" };
            svg.text((at, top - 6.0), small, Anchor::Middle, name);
        }
        if row.is_expected {
            svg.line((at, top), (at, bottom), Stroke::of(Ink::Text, 2.0));
            let near_end = at > right - 30.0 && frame.legend == Legend::Below;
            let (at, anchor) = if near_end { (right, Anchor::End) } else { (at, Anchor::Middle) };
            svg.text((at, bottom + 32.0), small, anchor, "expected");
        }
    }
    let middle = (left + right) / 2.0;
    svg.text((middle, bottom + 50.0), small + 1.0, Anchor::Middle, "true effect");
    if frame.legend == Legend::Beside {
        svg.upright_text((18.0, (top + bottom) / 2.0), small + 1.0, "chance of each outcome");
    }
}

/// Names of the layers, from above as they are stacked; layers that never come about are left
/// out.
fn legend(svg: &mut Svg, curve: &[&OperatingRow], frame: Frame) {
    const BOX: f64 = 14.0;
    const STEP: f64 = 24.0;
    const ACROSS: f64 = 90.0;
    let mut entry = 0;
    let mut place = || {
        let number = f64::from(entry);
        entry += 1;
        match frame.legend {
            Legend::Beside => (frame.right + 24.0, frame.top + number * STEP),
            Legend::Below => (
                frame.left + (number % 3.0) * ACROSS,
                frame.bottom + 64.0 + libm::floor(number / 3.0) * STEP,
            ),
        }
    };
    for layer in LAYERS.iter().rev() {
        if curve.iter().all(|row| (layer.chance)(&row.chances) == 0.0) {
            continue;
        }
        let (left, top) = place();
        svg.area((left, top), (left + BOX, top + BOX), layer.ink);
        svg.text((left + BOX + 8.0, top + 12.0), frame.small, Anchor::Start, layer.name);
    }
    let (left, top) = place();
    let stroke = Stroke::of(Ink::Text, 1.0).dashed(Dash::Short);
    svg.line((left, top + 7.0), (left + BOX, top + 7.0), stroke);
    svg.text((left + BOX + 8.0, top + 12.0), frame.small, Anchor::Start, "80 %");
}

fn percent(value: f64) -> String {
    if !value.is_finite() {
        "none".to_owned()
    } else if value == 0.0 {
        "0 %".to_owned()
    } else if (0.005..1e4).contains(&value.abs()) {
        format!("{value:+.2} %")
    } else {
        format!("{value:+.1e} %")
    }
}

/// With one decimal, where it says enough.
fn short_percent(value: f64) -> String {
    if (1.0..100.0).contains(&value.abs()) { format!("{value:+.1} %") } else { percent(value) }
}
