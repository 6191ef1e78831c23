//! Operating characteristics as a plot: stacked chances over the true effect.

use super::svg::{Anchor, Dash, Stroke, Svg};
use crate::design::{Chances, Operating, OperatingRow};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 372.0;
const SMALL: f64 = 12.0;
const LARGE: f64 = 15.0;

const INK: &str = "#222222";
const PALE: &str = "#888888";

/// One layer of the stack.
struct Layer {
    name: &'static str,
    /// From M. Okabe and K. Ito's palette, which people of every colour vision can tell apart;
    /// each layer is labelled too.
    color: &'static str,
    chance: fn(&Chances) -> f64,
}

/// From below.
const LAYERS: [Layer; 6] = [
    Layer { name: "loss", color: "#d55e00", chance: |chances| chances.loss },
    Layer { name: "level", color: "#56b4e9", chance: |chances| chances.level },
    Layer { name: "win", color: "#009e73", chance: |chances| chances.win },
    Layer { name: "parked", color: "#f0e442", chance: |chances| chances.parked },
    Layer { name: "void", color: "#cc79a7", chance: |chances| chances.void },
    Layer { name: "insufficient", color: "#999999", chance: |chances| chances.insufficient },
];

/// The chances of each outcome against the true effect, as an SVG document: margins and the
/// expected effect marked, no script, texts as texts. The same bytes for the same numbers.
#[must_use]
pub fn operating_svg(operating: &Operating, title: &str) -> String {
    let curve: Vec<&OperatingRow> =
        operating.curve.iter().filter(|row| row.margins.is_some()).collect();
    let description = format!(
        "Chance of each outcome against the true effect, from -2 to 2 margins of {} %; {} rounds, \
         {} simulated experiments, noise {}.",
        operating.margin_percent, operating.rounds, operating.experiments, operating.noise
    );
    let mut svg = Svg::new(WIDTH, HEIGHT, title, &description);
    svg.text((LEFT, 28.0), LARGE, Anchor::Start, title);
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else {
        svg.text((LEFT, TOP), SMALL, Anchor::Start, "the margin is 0: there is nothing to plot");
        return svg.finish();
    };
    let (from, to) = (first.margins.unwrap_or(-1.0), last.margins.unwrap_or(1.0));
    let x = |margins: f64| LEFT + (margins - from) / (to - from) * (RIGHT - LEFT);
    let y = |chance: f64| BOTTOM - chance * (BOTTOM - TOP);
    layers(&mut svg, &curve, &x, &y);
    axes(&mut svg, operating, &x, &y);
    legend(&mut svg, &curve);
    svg.finish()
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
            let edge = Stroke { color: "#ffffff", width: 1.0, dash: Dash::None };
            let top = outline.clone();
            outline.extend(points(&below).into_iter().rev());
            svg.polygon(&outline, layer.color);
            svg.polyline(&top, edge);
        }
        below = above;
    }
}

fn axes(svg: &mut Svg, operating: &Operating, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let axis = Stroke { color: INK, width: 1.0, dash: Dash::None };
    for step in 0..=5 {
        let chance = f64::from(step) / 5.0;
        let at = y(chance);
        svg.line((LEFT - 5.0, at), (LEFT, at), axis);
        svg.text((LEFT - 8.0, at + 4.0), SMALL, Anchor::End, &format!("{} %", step * 20));
    }
    // what a registration asks for
    let required = y(crate::design::REQUIRED_CHANCE);
    svg.line((LEFT, required), (RIGHT, required), Stroke { dash: Dash::Short, ..axis });
    svg.line((LEFT, TOP), (LEFT, BOTTOM), axis);
    svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), axis);
    for row in operating.rows.iter() {
        let Some(margins) = row.margins.filter(|margins| margins.abs() <= 2.0) else { continue };
        let at = x(margins);
        if margins.fract() == 0.0 {
            svg.line((at, BOTTOM), (at, BOTTOM + 5.0), axis);
            let effect = percent(row.true_effect_percent);
            svg.text((at, BOTTOM + 18.0), SMALL, Anchor::Middle, &effect);
        }
        if margins.abs() == 1.0 {
            svg.line((at, TOP), (at, BOTTOM), Stroke { dash: Dash::Long, ..axis });
            let name = if margins > 0.0 { "margin" } else { "-margin" };
            svg.text((at, TOP - 6.0), SMALL, Anchor::Middle, name);
        }
        if row.is_expected {
            svg.line((at, TOP), (at, BOTTOM), Stroke { color: INK, width: 2.0, dash: Dash::None });
            svg.text((at, BOTTOM + 32.0), SMALL, Anchor::Middle, "expected");
        }
    }
    svg.text(((LEFT + RIGHT) / 2.0, BOTTOM + 50.0), SMALL + 1.0, Anchor::Middle, "true effect");
    svg.upright_text((18.0, (TOP + BOTTOM) / 2.0), SMALL + 1.0, "chance of each outcome");
}

/// Names beside the stack, from above as they are stacked; layers that never come about are left
/// out.
fn legend(svg: &mut Svg, curve: &[&OperatingRow]) {
    const BOX: f64 = 14.0;
    const STEP: f64 = 24.0;
    let left = RIGHT + 24.0;
    let mut top = TOP;
    for layer in LAYERS.iter().rev() {
        if curve.iter().all(|row| (layer.chance)(&row.chances) == 0.0) {
            continue;
        }
        let corners = [(left, top), (left + BOX, top), (left + BOX, top + BOX), (left, top + BOX)];
        svg.polygon(&corners, layer.color);
        svg.text((left + BOX + 8.0, top + 12.0), SMALL, Anchor::Start, layer.name);
        top += STEP;
    }
    let stroke = Stroke { color: PALE, width: 1.0, dash: Dash::Short };
    svg.line((left, top + 7.0), (left + BOX, top + 7.0), Stroke { color: INK, ..stroke });
    svg.text((left + BOX + 8.0, top + 12.0), SMALL, Anchor::Start, "80 %");
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
