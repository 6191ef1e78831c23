//! Figures: numbers with their units, wherever the unit stands.

use std::ops::Range;

use super::numbers::{Number, Reading, numbers};
use super::source::{boundary_after, boundary_before};
use super::units::{Quantity, Unit, blank, unit_at};

/// A number with a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Bytes of the text that was searched: the number, and its unit where that follows.
    pub span: Range<usize>,
    /// Its unit.
    pub unit: Unit,
    /// What it says, in its own unit.
    pub reading: Reading,
    /// What it may say instead.
    pub other: Option<Reading>,
    /// Whether a sign was written.
    pub signed: bool,
}

impl Figure {
    /// Whether it says a value (in base units) within the digits that were written. Of a percent
    /// only the size counts: its way may be a word ([`super::direction`]).
    #[must_use]
    pub fn says(&self, value: f64) -> bool {
        std::iter::once(&self.reading)
            .chain(self.other.as_ref())
            .any(|reading| says(reading, self.unit, value))
    }

    /// Digits that were written, from the first that is not zero.
    #[must_use]
    pub fn digits(&self) -> u32 {
        self.reading.digits
    }
}

fn says(reading: &Reading, unit: Unit, value: f64) -> bool {
    let sized = |number: f64| match unit.quantity {
        Quantity::Percent => number.abs(),
        _ => number,
    };
    let half = 0.5 * 10.0_f64.powi(-reading.decimals);
    // a number that lies on the edge may be rounded either way
    let slack = half * 1e-6;
    (sized(value / unit.scale) - sized(reading.value)).abs() <= half + slack
}

/// All figures of a line. `start` is where the line starts in its text.
#[must_use]
pub fn figures(line: &str, start: usize) -> Vec<Figure> {
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let numbers = numbers(line);
    let mut units: Vec<Option<(Unit, usize)>> = numbers
        .iter()
        .map(|number| {
            unit_behind(line, number.span.end)
                .or_else(|| times(line, number))
                .or_else(|| unit_before(line, number))
        })
        .collect();
    // `1.2 to 1.4 x`: what stands before takes the unit of what stands behind
    for at in (0..numbers.len().saturating_sub(1)).rev() {
        let (Some(one), Some(next)) = (numbers.get(at), numbers.get(at + 1)) else { continue };
        let between = line.get(one.span.end..next.span.start).unwrap_or("");
        let known = units.get(at + 1).copied().flatten();
        if let Some(place) = units.get_mut(at)
            && place.is_none()
            && joins(between)
        {
            *place = known.map(|(unit, _)| (unit, one.span.end));
        }
    }
    numbers
        .iter()
        .zip(units)
        .filter_map(|(number, unit)| {
            let (unit, end) = unit?;
            Some(Figure {
                span: start + number.span.start..start + end.max(number.span.end),
                unit,
                reading: number.reading,
                other: number.other,
                signed: line
                    .get(number.span.clone())
                    .is_some_and(|text| text.starts_with(['+', '-', '\u{2212}'])),
            })
        })
        .collect()
}

/// Bytes of the longest bracket that is looked into.
const SPREAD: usize = 64;

/// The first bytes of a text, to the end of a character.
fn head(text: &str, most: usize) -> &str {
    text.get(..boundary_before(text, most)).unwrap_or(text)
}

/// The last bytes of a text, from the start of a character.
fn tail(text: &str, most: usize) -> &str {
    let start = boundary_after(text, text.len().saturating_sub(most));
    text.get(start..).unwrap_or(text)
}

/// Marks of emphasis and blanks between a number and its unit.
const MARKS: [char; 7] = ['*', '`', ' ', '\u{a0}', '\u{2009}', '\u{202f}', '\u{2007}'];
const MOST_MARKS: usize = 4;

/// The unit behind a number and where it ends; over a bracket too: `41.2 (40.1 to 42.3) tokens/s`.
fn unit_behind(line: &str, end: usize) -> Option<(Unit, usize)> {
    let rest = line.get(end..)?;
    if let Some(found) = unit_after_marks(rest) {
        return Some((found.0, end + found.1));
    }
    let rest = rest.trim_start_matches(MARKS);
    if let Some(behind) = rest.strip_prefix(')') {
        return closes_spread(line.get(..end)?)
            .then(|| unit_after_marks(behind).map(|(unit, _)| (unit, end)))
            .flatten();
    }
    let bracket = rest.strip_prefix('(')?;
    let close = head(bracket, SPREAD).find(')')?;
    let inner = bracket.get(..close)?;
    if inner.chars().any(|c| c.is_alphabetic() && !" to".contains(c)) {
        return None;
    }
    let behind = bracket.get(close + 1..)?;
    unit_after_marks(behind).map(|(unit, _)| (unit, end))
}

/// Whether a text ends within a bracket that holds numbers only and stands behind a number.
fn closes_spread(before: &str) -> bool {
    let Some((outer, inner)) = tail(before, SPREAD).rsplit_once('(') else { return false };
    !inner.contains(')')
        && !inner.chars().any(|c| c.is_alphabetic() && !" to".contains(c))
        && outer.trim_end_matches(MARKS).ends_with(|c: char| c.is_ascii_digit())
}

fn unit_after_marks(rest: &str) -> Option<(Unit, usize)> {
    let mut marks = 0;
    let mut text = rest;
    while let Some(next) = text.chars().next() {
        if let Some((unit, length)) = unit_at(text) {
            // a lone letter far away is no unit: `5 x` is, `5 ** s` is not
            return Some((unit, rest.len() - text.len() + length));
        }
        let length = if MARKS.contains(&next) { next.len_utf8() } else { blank(text)? };
        if marks == MOST_MARKS {
            return None;
        }
        marks += 1;
        text = text.get(length..)?;
    }
    None
}

/// `1.23 times as fast`. A whole number of times is a count.
fn times(line: &str, number: &Number) -> Option<(Unit, usize)> {
    let rest = line.get(number.span.end..)?.trim_start_matches(MARKS);
    let word = rest.strip_prefix("times")?;
    let whole = !word.starts_with(|next: char| next.is_alphanumeric());
    let end = line.len() - word.len();
    (whole && number.reading.decimals > 0)
        .then_some((Unit { quantity: Quantity::Ratio, scale: 1.0 }, end))
}

/// Keys of data files that say the unit before the number: `"tokens_per_second": 41.2`. What begins
/// with `_` only counts before a colon: `margin_percent = 2.0` is a setting of a manifest.
const KEYS: [(&str, Quantity, f64); 10] = [
    ("tokens_per_second", Quantity::TokenRate, 1.0),
    ("tokens/s", Quantity::TokenRate, 1.0),
    ("tok/s", Quantity::TokenRate, 1.0),
    ("avg_ts", Quantity::TokenRate, 1.0),
    ("gb_per_second", Quantity::ByteRate, 1e9),
    ("bytes_per_second", Quantity::ByteRate, 1.0),
    ("_percent", Quantity::Percent, 1.0),
    ("_ratio", Quantity::Ratio, 1.0),
    ("speedup", Quantity::Ratio, 1.0),
    ("_ms", Quantity::Duration, 1e-3),
];

fn unit_before(line: &str, number: &Number) -> Option<(Unit, usize)> {
    let before = line.get(..number.span.start)?.trim_end_matches([' ', '"', '\'', '~', '*', '`']);
    let fine = number.reading.decimals > 0;
    if fine && (before.ends_with("factor of") || before.ends_with("factor")) {
        return Some((Unit { quantity: Quantity::Ratio, scale: 1.0 }, number.span.end));
    }
    let setting = before.ends_with('=');
    let before = before.strip_suffix(['=', ':'])?;
    let key = before.trim_end_matches([' ', '"', '\'', '*', '`', ')']);
    let (_, quantity, scale) = KEYS.iter().find(|(name, _, _)| {
        let from = key.len().saturating_sub(name.len());
        key.get(from..).is_some_and(|end| end.eq_ignore_ascii_case(name))
            && !(setting && name.starts_with('_'))
    })?;
    Some((Unit { quantity: *quantity, scale: *scale }, number.span.end))
}

/// Whether what stands between two numbers makes them one range or list.
fn joins(between: &str) -> bool {
    let trimmed = between.trim().trim_matches(['*', '`', '~']);
    matches!(
        trimmed.trim(),
        "-" | "\u{2010}"
            | "\u{2011}"
            | "\u{2012}"
            | "\u{2013}"
            | "\u{2014}"
            | "\u{2212}"
            | ".."
            | "..."
            | "\u{2026}"
            | "to"
            | "and"
            | "or"
            | "/"
            | ".. ~"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(f64, Quantity)> {
        figures(line, 0).iter().map(|figure| (figure.reading.value, figure.unit.quantity)).collect()
    }

    #[test]
    fn a_figure_in_all_its_spellings() {
        for line in [
            "400.8 tokens/s",
            "400,8 tok/s",
            "~400.8 t/s",
            "**400.8** tokens per second",
            "400.8\u{a0}tokens a second",
            "400.8\u{202f}tok/s",
            "400.8&nbsp;tokens/s",
            "400.8&#160;tokens&nbsp;/ s",
            "400.8 tokens / second",
            "\"decode_tokens_per_second\": 400.8,",
            "tokens/s: 400.8",
            "(400.8 tokens/s)",
            "`400.8 tokens/s`",
        ] {
            assert_eq!(read(line), [(400.8, Quantity::TokenRate)], "{line}");
        }
    }

    #[test]
    fn ranges_share_a_unit() {
        for line in
            ["1.2-1.4x", "1.2\u{2013}1.4x", "~1.2 to 1.4x", "1.2x to 1.4x", "1.2 .. 1.4\u{d7}"]
        {
            assert_eq!(read(line), [(1.2, Quantity::Ratio), (1.4, Quantity::Ratio)], "{line}");
        }
        assert_eq!(
            read("95.77 (88.82 to 101.1) tokens/s"),
            [95.77, 88.82, 101.1].map(|value| (value, Quantity::TokenRate))
        );
        assert_eq!(read("-6.6 to -31.5 %"), [-6.6, -31.5].map(|v| (v, Quantity::Percent)));
    }

    #[test]
    fn ratios_in_words() {
        for line in ["by a factor of 1.23", "1.23 times as fast", "a 1.23-fold gain", "1.23 x"] {
            assert_eq!(read(line), [(1.23, Quantity::Ratio)], "{line}");
        }
        assert_eq!(read("3 times in a row, by a factor of 10"), []);
    }

    #[test]
    fn rounding_is_that_of_the_digits_written() {
        let figure = |line: &str| figures(line, 0).remove(0);
        assert!(figure("1.23x").says(1.2334));
        assert!(!figure("1.24x").says(1.2334));
        assert!(figure("23.3 %").says(23.32) && figure("-23.3 %").says(23.32));
        assert!(figure("1.2 GB/s").says(1.2e9) && !figure("1.2 GiB/s").says(1.2e9));
        assert!(figure("1,234 tokens/s").says(1234.2));
        assert!(figure("4.2 ms").says(0.0042));
    }

    #[test]
    fn what_is_no_figure() {
        for line in ["16 x 6", "q4_1", "on 2026-11-29 at 17:11", "12 rounds", "x86-64 build"] {
            assert_eq!(read(line), [], "{line}");
        }
    }

    #[test]
    fn a_huge_line_is_read() {
        let line = "1,".repeat(200_000) + "5 %";
        assert_eq!(read(&line).len(), 1);
        assert_eq!(read(&"9".repeat(100_000)), []);
        assert_eq!(read(&"1 (1 ".repeat(50_000)), []);
        assert_eq!(read(&"1) \u{a0}".repeat(50_000)), []);
    }
}
