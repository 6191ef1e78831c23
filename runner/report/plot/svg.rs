//! A writer of SVG: shapes and texts with coordinates in pixels, nothing else.
//!
//! Our own, and short, since no crate fitted in November 2026: plotters' SVG backend had stood
//! still for two years and poloto for three, charts-rs carries a font and spaces its categories
//! evenly whatever their numbers, splot's files need a style sheet beside them, and kuva, alive
//! and free of C, is 95,000 lines to compile for one plot. What comes out of this one changes only
//! when this file does, so that a plot can be compared byte for byte.

use std::fmt::Write;

use super::ink::Ink;

/// A drawing under construction.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
    paper: Paper,
}

/// What is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paper {
    /// A file of its own, white, with its colours in it.
    Document,
    /// A part of a page: the page's style sheet has the colours, by class.
    Page,
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
pub(super) struct Stroke {
    pub ink: Ink,
    pub width: f64,
    pub dash: Dash,
}

impl Stroke {
    /// An unbroken line.
    pub const fn of(ink: Ink, width: f64) -> Stroke {
        Stroke { ink, width, dash: Dash::None }
    }

    /// The same line, broken.
    pub const fn dashed(self, dash: Dash) -> Stroke {
        Stroke { dash, ..self }
    }
}

impl Svg {
    /// `title` and `description` are what a screen reader says of it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let mut svg = Svg { text: String::new(), paper: Paper::Document };
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

    /// For a page. `id` is not used by any other drawing of it.
    pub fn for_page(id: &str, (width, height): (f64, f64), title: &str, text: &str) -> Svg {
        let mut svg = Svg { text: String::new(), paper: Paper::Page };
        svg.push(&format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">",
            number(width),
            number(height)
        ));
        svg.push(&format!("<title id=\"{id}-t\">{}</title>", escaped(title)));
        svg.push(&format!("<desc id=\"{id}-d\">{}</desc>", escaped(text)));
        svg
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.push(&format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
            self.stroke(stroke)
        ));
    }

    /// An open line through all points.
    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let (points, stroke) = (joined(points), self.stroke(stroke));
        self.push(&format!("<polyline points=\"{points}\" fill=\"none\"{stroke}/>"));
    }

    /// A filled area.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: Ink) {
        let (points, fill) = (joined(points), self.fill(fill));
        self.push(&format!("<polygon points=\"{points}\"{fill}/>"));
    }

    /// A filled rectangle between two corners.
    pub fn area(&mut self, (left, top): (f64, f64), (right, bottom): (f64, f64), fill: Ink) {
        self.polygon(&[(left, top), (right, top), (right, bottom), (left, bottom)], fill);
    }

    /// Round dots, all as one path: a drawing of thousands stays small.
    pub fn dots(&mut self, points: &[(f64, f64)], diameter: f64, ink: Ink) {
        if points.is_empty() {
            return;
        }
        let mut path = String::new();
        for (x, y) in points {
            // a line without length has round ends; writing to a String cannot fail
            let _ = write!(path, "M{} {}h0", number(*x), number(*y));
        }
        let stroke = self.stroke(Stroke::of(ink, diameter));
        self.push(&format!("<path d=\"{path}\" fill=\"none\" stroke-linecap=\"round\"{stroke}/>"));
    }

    /// Crosses, all as one path.
    pub fn crosses(&mut self, points: &[(f64, f64)], half: f64, ink: Ink) {
        if points.is_empty() {
            return;
        }
        let (half, whole) = (number(half), number(2.0 * half));
        let mut path = String::new();
        for (x, y) in points {
            let (x, y) = (number(*x), number(*y));
            let _ = write!(
                path,
                "M{x} {y}m-{half} -{half}l{whole} {whole}m0 -{whole}l-{whole} {whole}"
            );
        }
        let stroke = self.stroke(Stroke::of(ink, 1.5));
        self.push(&format!("<path d=\"{path}\" fill=\"none\"{stroke}/>"));
    }

    /// A square on its corner.
    pub fn diamond(&mut self, (x, y): (f64, f64), half: f64, fill: Ink) {
        self.polygon(&[(x - half, y), (x, y - half), (x + half, y), (x, y + half)], fill);
    }

    /// A text in an ink of its own.
    pub fn note(&mut self, at: (f64, f64), size: f64, anchor: Anchor, (text, ink): (&str, Ink)) {
        let fill = self.fill(ink);
        self.write(at, size, anchor, &fill, text);
    }

    pub fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, text: &str) {
        self.note(at, size, anchor, (text, Ink::Text));
    }

    fn write(&mut self, at: (f64, f64), size: f64, anchor: Anchor, fill: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.push(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\"{fill}>{}</text>",
            number(at.0),
            number(at.1),
            number(size),
            escaped(text)
        ));
    }

    /// A text that reads upwards, centred.
    pub fn upright_text(&mut self, at: (f64, f64), size: f64, text: &str) {
        let (x, y, fill) = (number(at.0), number(at.1), self.fill(Ink::Text));
        self.push(&format!(
            "<text transform=\"translate({x} {y}) rotate(-90)\" font-size=\"{}\" \
             text-anchor=\"middle\"{fill}>{}</text>",
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

    fn stroke(&self, stroke: Stroke) -> String {
        let dash = match stroke.dash {
            Dash::None => "",
            Dash::Short => " stroke-dasharray=\"2 3\"",
            Dash::Long => " stroke-dasharray=\"7 4\"",
        };
        let color = match self.paper {
            Paper::Document => format!(" stroke=\"{}\"", stroke.ink.color()),
            Paper::Page => format!(" class=\"s-{}\"", stroke.ink.name()),
        };
        format!("{color} stroke-width=\"{}\"{dash}", number(stroke.width))
    }

    fn fill(&self, ink: Ink) -> String {
        match self.paper {
            Paper::Document => format!(" fill=\"{}\"", ink.color()),
            Paper::Page => format!(" class=\"f-{}\"", ink.name()),
        }
    }
}

/// `text`, cut to what surely fits into a width.
pub(super) fn fitted(text: &str, width: f64, size: f64) -> String {
    // the widest letters of usual sans-serif faces are wider, and never stand alone
    let wide = |c: char| if c.is_ascii() { 0.6 * size } else { 1.1 * size };
    let all: f64 = text.chars().map(wide).sum();
    if all <= width {
        return text.to_owned();
    }
    let mut left = width - wide('\u{2026}');
    let kept = text.chars().take_while(|c| {
        left -= wide(*c);
        left >= 0.0
    });
    format!("{}\u{2026}", kept.collect::<String>().trim_end())
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
    use super::super::ink::Ink;
    use super::{Anchor, Dash, Stroke, Svg, fitted, number};

    #[test]
    fn texts_stay_texts() {
        let mut svg = Svg::new(10.0, 20.5, "<a> & \"b\"", "d\u{1b}\n");
        svg.text((1.0, 2.0), 12.0, Anchor::End, "<script>");
        svg.line((0.0, 0.0), (1.0, f64::NAN), Stroke::of(Ink::Text, 1.0).dashed(Dash::Short));
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
    fn on_a_page_the_style_sheet_has_the_colours() {
        let mut svg = Svg::for_page("p1", (10.0, 10.0), "t", "d");
        svg.dots(&[(1.0, 2.0), (3.5, 4.0)], 3.0, Ink::Arm);
        svg.note((1.0, 1.0), 9.0, Anchor::Start, ("a<b", Ink::Pale));
        let text = svg.finish();
        assert!(text.contains("d=\"M1 2h0M3.5 4h0\""), "{text}");
        assert!(text.contains("class=\"s-arm\"") && text.contains("class=\"f-pale\">a&lt;b"));
        assert!(text.contains("<title id=\"p1-t\">") && !text.contains('#'), "{text}");
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(fitted("short", 100.0, 10.0), "short");
        assert_eq!(fitted("a rather long name", 60.0, 10.0), "a rather\u{2026}");
    }

    #[test]
    fn numbers_are_short() {
        let found = [1.0, 1.005, -0.001, 12.5, f64::INFINITY].map(number);
        assert_eq!(found, ["1", "1", "0", "12.5", "0"]);
    }
}
