//! Numbers in a line of text, in the spellings that people use.

use std::ops::Range;

/// A number as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Bytes of the line, the sign included.
    pub span: Range<usize>,
    /// What it says.
    pub reading: Reading,
    /// What it may say instead: `1,200` is 1200 or 1.2, `512 100` is 512100 or 100.
    pub other: Option<Reading>,
}

/// A value, and how finely it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The value.
    pub value: f64,
    /// Digits after the point; negative for an exponent that makes them whole tens.
    pub decimals: i32,
    /// Digits from the first that is not zero.
    pub digits: u32,
}

/// All numbers of a line that are no part of a name, a version or a hexadecimal number.
#[must_use]
pub fn numbers(line: &str) -> Vec<Number> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = next_digit(bytes, at) {
        if within_name(line, next) {
            at = end_of_name(bytes, next);
            continue;
        }
        match number(line, next) {
            Some(number) => {
                at = number.span.end;
                found.push(number);
            }
            None => at = end_of_name(bytes, next),
        }
    }
    found
}

fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    bytes.get(from..)?.iter().position(u8::is_ascii_digit).map(|offset| from + offset)
}

fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(b' ')
}

fn char_before(line: &str, at: usize) -> Option<char> {
    line.get(..at)?.chars().next_back()
}

/// Whether a digit belongs to a name (`q4_1`, `x86`, `.5`) and starts no number.
fn within_name(line: &str, at: usize) -> bool {
    match char_before(line, at) {
        Some('.') => dotted(line, at),
        Some(before) => before.is_alphanumeric() || before == '_' || before == '^',
        None => false,
    }
}

/// `v.5` and `1.5.2` are names; `..5` is the end of a range.
fn dotted(line: &str, at: usize) -> bool {
    let before = line.get(..at.saturating_sub(1)).unwrap_or("");
    before.chars().next_back().is_some_and(char::is_alphanumeric)
}

fn end_of_name(bytes: &[u8], from: usize) -> usize {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = from;
    while at < bytes.len() {
        let dot = byte(bytes, at) == b'.' && byte(bytes, at + 1).is_ascii_digit();
        if !part(byte(bytes, at)) && !dot {
            break;
        }
        at += 1;
    }
    at.max(from + 1)
}

fn digits_from(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while byte(bytes, at).is_ascii_digit() {
        at += 1;
    }
    at
}

/// Blanks that part groups of three digits.
const GROUP_BLANKS: [&str; 4] = [" ", "\u{a0}", "\u{2009}", "\u{202f}"];

fn number(line: &str, start: usize) -> Option<Number> {
    let bytes = line.as_bytes();
    let first = digits_from(bytes, start);
    let sign = sign_before(line, start);
    let span_start = sign.as_ref().map_or(start, |(place, _)| *place);
    let negative = sign.is_some_and(|(_, negative)| negative);
    let whole = line.get(start..first)?;
    if matches!(byte(bytes, first), b'x' | b'X') && whole == "0" {
        return None; // hexadecimal
    }
    let spelled = Spelled { line, start, first, negative };
    let (end, reading, other) = spelled.read()?;
    // a second point: a version
    if byte(bytes, end) == b'.' && byte(bytes, end + 1).is_ascii_digit() {
        return None;
    }
    Some(Number { span: span_start..end, reading, other })
}

/// A sign that belongs to the number: nothing but a blank or a bracket stands before it.
fn sign_before(line: &str, start: usize) -> Option<(usize, bool)> {
    let sign = char_before(line, start)?;
    let negative = match sign {
        '+' => false,
        '-' | '\u{2212}' => true,
        _ => return None,
    };
    let place = start - sign.len_utf8();
    let before = char_before(line, place);
    let free =
        before.is_none_or(|before| before.is_whitespace() || "([{|\"'`~=:*_/,;<>".contains(before));
    free.then_some((place, negative))
}

struct Spelled<'line> {
    line: &'line str,
    start: usize,
    first: usize,
    negative: bool,
}

impl Spelled<'_> {
    fn read(&self) -> Option<(usize, Reading, Option<Reading>)> {
        let bytes = self.line.as_bytes();
        let whole = self.line.get(self.start..self.first)?;
        if whole.len() <= 3 {
            for separator in [",", "_", "'", "\u{2019}"].iter().chain(&GROUP_BLANKS) {
                if let Some((end, groups)) = self.groups(separator) {
                    return self.grouped(separator, end, groups);
                }
            }
        }
        match byte(bytes, self.first) {
            b'.' if byte(bytes, self.first + 1).is_ascii_digit() => self.decimal(".", self.first),
            b',' if byte(bytes, self.first + 1).is_ascii_digit() => self.decimal_comma(),
            _ => self.finish(whole, "", self.first).map(|(end, reading)| (end, reading, None)),
        }
    }

    /// Groups of exactly three digits behind a separator: where they end, and how many.
    fn groups(&self, separator: &str) -> Option<(usize, u32)> {
        let bytes = self.line.as_bytes();
        let (mut at, mut count) = (self.first, 0);
        while self.line.get(at..).is_some_and(|rest| rest.starts_with(separator)) {
            let group = at + separator.len();
            let end = digits_from(bytes, group);
            if end - group != 3 {
                break;
            }
            at = end;
            count += 1;
        }
        let joined = byte(bytes, at).is_ascii_alphabetic() && separator == "_";
        (count > 0 && !joined).then_some((at, count))
    }

    fn grouped(
        &self,
        separator: &str,
        end: usize,
        groups: u32,
    ) -> Option<(usize, Reading, Option<Reading>)> {
        let bytes = self.line.as_bytes();
        let whole: String =
            self.line.get(self.start..end)?.chars().filter(char::is_ascii_digit).collect();
        let has_point = byte(bytes, end) == b'.' && byte(bytes, end + 1).is_ascii_digit();
        let point_end = if has_point { digits_from(bytes, end + 1) } else { end };
        let fraction = self.line.get(end..point_end)?.trim_start_matches('.');
        let (stop, reading) = self.finish(&whole, fraction, point_end)?;
        let other = if separator == "," && groups == 1 && !has_point {
            let fraction = self.line.get(self.first + 1..end)?;
            self.finish(self.line.get(self.start..self.first)?, fraction, end)
        } else if GROUP_BLANKS.contains(&separator) {
            self.finish(self.line.get(end.saturating_sub(3)..end)?, fraction, point_end)
        } else {
            None
        };
        Some((stop, reading, other.map(|(_, reading)| reading)))
    }

    fn decimal(&self, point: &str, at: usize) -> Option<(usize, Reading, Option<Reading>)> {
        let begin = at + point.len();
        let end = digits_from(self.line.as_bytes(), begin);
        let whole = self.line.get(self.start..self.first)?;
        let (end, reading) = self.finish(whole, self.line.get(begin..end)?, end)?;
        Some((end, reading, None))
    }

    /// `1,2` is one number; `16,32,64` are three.
    fn decimal_comma(&self) -> Option<(usize, Reading, Option<Reading>)> {
        let bytes = self.line.as_bytes();
        let end = digits_from(bytes, self.first + 1);
        let listed = |at: usize| byte(bytes, at) == b',' && byte(bytes, at + 1).is_ascii_digit();
        let before = byte(bytes, self.start.wrapping_sub(1)) == b',' && self.start > 0;
        if listed(end) || before {
            let whole = self.line.get(self.start..self.first)?;
            return self.finish(whole, "", self.first).map(|(end, reading)| (end, reading, None));
        }
        self.decimal(",", self.first)
    }

    fn finish(&self, whole: &str, fraction: &str, end: usize) -> Option<(usize, Reading)> {
        let (end, exponent) = self.exponent(end);
        let mut value: f64 = format!("{whole}.{fraction}0e{exponent}").parse().ok()?;
        if self.negative {
            value = -value;
        }
        let decimals = i32::try_from(fraction.len()).ok()?.saturating_sub(exponent);
        let written = whole.chars().chain(fraction.chars()).skip_while(|digit| *digit == '0');
        let digits = u32::try_from(written.count()).ok()?;
        Some((end, Reading { value, decimals, digits }))
    }

    /// `e-3` behind the digits.
    fn exponent(&self, at: usize) -> (usize, i32) {
        let bytes = self.line.as_bytes();
        if !matches!(byte(bytes, at), b'e' | b'E') {
            return (at, 0);
        }
        let digits = at + 1 + usize::from(matches!(byte(bytes, at + 1), b'+' | b'-'));
        let end = digits_from(bytes, digits);
        if end == digits || end - digits > 3 || byte(bytes, end).is_ascii_alphanumeric() {
            return (at, 0);
        }
        let text = self.line.get(at + 1..end).unwrap_or("").trim_start_matches('+');
        text.parse().map_or((at, 0), |exponent| (end, exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(String, f64, i32)> {
        let text = |number: &Number| line.get(number.span.clone()).unwrap_or("").to_owned();
        numbers(line)
            .iter()
            .map(|number| (text(number), number.reading.value, number.reading.decimals))
            .collect()
    }

    #[test]
    fn spellings_of_one_number() {
        for (line, text, value, decimals) in [
            ("1.2", "1.2", 1.2, 1),
            ("1,2", "1,2", 1.2, 1),
            ("~1.25 or so", "1.25", 1.25, 2),
            ("+23.3 %", "+23.3", 23.3, 1),
            ("(-6.2 %)", "-6.2", -6.2, 1),
            ("\u{2212}6.2", "\u{2212}6.2", -6.2, 1),
            ("1 234.5 tok/s", "1 234.5", 1234.5, 1),
            ("1\u{202f}234.5", "1\u{202f}234.5", 1234.5, 1),
            ("12\u{a0}345\u{a0}678", "12\u{a0}345\u{a0}678", 12_345_678.0, 0),
            ("196,608 bytes", "196,608", 196_608.0, 0),
            ("196_608.5", "196_608.5", 196_608.5, 1),
            ("3'544", "3'544", 3544.0, 0),
            ("1.2e-3", "1.2e-3", 0.0012, 4),
            ("4e6", "4e6", 4_000_000.0, -6),
            ("5s", "5", 5.0, 0),
        ] {
            assert_eq!(read(line), [(text.to_owned(), value, decimals)], "{line}");
        }
    }

    #[test]
    fn two_readings_are_kept() {
        let comma = numbers("1,200").remove(0);
        assert_eq!(comma.other.map(|other| other.value), Some(1.2));
        let blank = numbers("512 100.5").remove(0);
        assert_eq!(blank.other.map(|other| other.value), Some(100.5));
    }

    #[test]
    fn ranges_and_lists_are_several_numbers() {
        let values = |line: &str| read(line).iter().map(|(_, value, _)| *value).collect::<Vec<_>>();
        assert_eq!(values("1.2-1.4"), [1.2, 1.4]);
        assert_eq!(values("~1.2\u{2013}1.4"), [1.2, 1.4]);
        assert_eq!(values("16,32,64"), [16.0, 32.0, 64.0]);
        assert_eq!(values("2..4"), [2.0, 4.0]);
    }

    #[test]
    fn names_versions_and_hexadecimal_are_no_numbers() {
        for line in ["q4_1", "x86-64"] {
            assert!(read(line).iter().all(|(_, value, _)| *value > 10.0), "{line}");
        }
        for line in ["0.1.161", "v1.2.3", "0x1F", "smollm2_135m", "sha256", "t2.5"] {
            assert_eq!(read(line), [], "{line}");
        }
    }
}
