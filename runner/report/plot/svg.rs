//! A writer of SVG: shapes and texts with coordinates in pixels, nothing else.
//!
//! Our own, and short, since no crate fitted in November 2026: plotters' SVG backend had stood
//! still for two years and poloto for three, charts-rs carries a font and spaces its categories
//! evenly whatever their numbers, splot's files need a style sheet beside them, and kuva, alive
//! and free of C, is 95,000 lines to compile for one plot. What comes out of this one changes only
//! when this file does, so that a plot can be compared byte for byte.

use std::fmt::Write;

/// A document under construction.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

/// How a text stands to its coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A dash pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    None,
    Short,
    Long,
}

/// A line's look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke<'a> {
    pub color: &'a str,
    pub width: f64,
    pub dash: Dash,
}

impl Svg {
    /// `title` and `description` are what a screen reader says of it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let mut svg = Svg { text: String::new() };
        let (width, height) = (number(width), number(height));
        svg.push(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title \
             description\" font-family=\"sans-serif\">"
        ));
        svg.push(&format!("<title id=\"title\">{}</title>", escaped(title)));
        svg.push(&format!("<desc id=\"description\">{}</desc>", escaped(description)));
        svg.push(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
        svg
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke<'_>) {
        self.push(&format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
            attributes(stroke)
        ));
    }

    /// An open line through all points.
    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke<'_>) {
        self.push(&format!(
            "<polyline points=\"{}\" fill=\"none\"{}/>",
            joined(points),
            attributes(stroke)
        ));
    }

    /// A filled area.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str) {
        self.push(&format!("<polygon points=\"{}\" fill=\"{fill}\"/>", joined(points)));
    }

    pub fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.push(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
             fill=\"#222222\">{}</text>",
            number(at.0),
            number(at.1),
            number(size),
            escaped(text)
        ));
    }

    /// A text that reads upwards, centred.
    pub fn upright_text(&mut self, at: (f64, f64), size: f64, text: &str) {
        let (x, y) = (number(at.0), number(at.1));
        self.push(&format!(
            "<text transform=\"translate({x} {y}) rotate(-90)\" font-size=\"{}\" \
             text-anchor=\"middle\" fill=\"#222222\">{}</text>",
            number(size),
            escaped(text)
        ));
    }

    /// The whole document.
    pub fn finish(mut self) -> String {
        self.push("</svg>");
        self.text
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn attributes(stroke: Stroke<'_>) -> String {
    let dash = match stroke.dash {
        Dash::None => "",
        Dash::Short => " stroke-dasharray=\"2 3\"",
        Dash::Long => " stroke-dasharray=\"7 4\"",
    };
    format!(" stroke=\"{}\" stroke-width=\"{}\"{dash}", stroke.color, number(stroke.width))
}

fn joined(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (x, y) in points {
        if !text.is_empty() {
            text.push(' ');
        }
        // writing to a String cannot fail
        let _ = write!(text, "{},{}", number(*x), number(*y));
    }
    text
}

/// Two decimals, without zeros at the end; a number that is not finite is 0.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Control characters go; what XML reads as markup is taken as text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in super::super::escape::plain_text(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no place for them, escaped or not
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Dash, Stroke, Svg, number};

    #[test]
    fn texts_stay_texts() {
        let mut svg = Svg::new(10.0, 20.5, "<a> & \"b\"", "d\u{1b}\n");
        svg.text((1.0, 2.0), 12.0, Anchor::End, "<script>");
        svg.line(
            (0.0, 0.0),
            (1.0, f64::NAN),
            Stroke { color: "#000000", width: 1.0, dash: Dash::Short },
        );
        let text = svg.finish();
        assert!(
            text.contains("<title id=\"title\">&lt;a&gt; &amp; &quot;b&quot;</title>"),
            "{text}"
        );
        assert!(text.contains(">&lt;script&gt;</text>"), "{text}");
        assert!(text.contains("height=\"20.5\""), "{text}");
        assert!(!text.contains("NaN") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        let found = [1.0, 1.005, -0.001, 12.5, f64::INFINITY].map(number);
        assert_eq!(found, ["1", "1", "0", "12.5", "0"]);
    }
}
