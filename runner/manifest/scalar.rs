//! Checks of single values: type, range, words, characters.

use engine_protocol::RpcServer;
use toml::Spanned;
use toml::de::DeValue;

use super::checked::CheckedValue;
use super::code::Code;
use super::diagnostics::Diagnostic;
use super::faults::Faults;
use super::language::{Choice, Key, RealRange, Shape, TextRule};
use super::names::{ArmName, ExperimentId};
use super::span::Span;
use super::suggest::nearest;

/// Checks a value that is neither list nor table.
pub(super) fn check(
    value: &Spanned<DeValue<'_>>,
    shape: &Shape,
    key: &Key,
    faults: &mut Faults,
) -> Option<CheckedValue> {
    let span = value.span();
    let result = match (shape, value.get_ref()) {
        (Shape::Text(rule), DeValue::String(text)) => {
            self::text(text, *rule, key, span).map(CheckedValue::Text)
        }
        (Shape::OneOf(choices), DeValue::String(text)) => {
            one_of(text, choices, key, span).map(CheckedValue::Text)
        }
        (Shape::Whole { least, most }, DeValue::Integer(number)) => {
            whole(number.as_str(), number.radix(), *least, *most, key, span)
                .map(CheckedValue::Whole)
        }
        (Shape::Real(range), DeValue::Float(number)) => {
            real(number.as_str(), *range, key, span).map(CheckedValue::Real)
        }
        (Shape::Real(range), DeValue::Integer(number)) if number.radix() == 10 => {
            real(number.as_str(), *range, key, span).map(CheckedValue::Real)
        }
        (shape, found) => Err(wrong_type(found, shape, key, span)),
    };
    result.map_err(|fault| faults.push(fault)).ok()
}

/// A rung: a text or a whole number; the setting decides later.
pub(super) fn rung(
    value: &Spanned<DeValue<'_>>,
    key: &Key,
    faults: &mut Faults,
) -> Option<CheckedValue> {
    match value.get_ref() {
        DeValue::String(text) => Some(CheckedValue::Text(text.clone().into_owned())),
        DeValue::Integer(number) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Some(CheckedValue::Whole(number)),
            Err(_) => {
                faults.push(Diagnostic::error(
                    Code::OUT_OF_RANGE,
                    value.span(),
                    format!("a rung of {number} is not possible"),
                ));
                None
            }
        },
        found => {
            faults.push(wrong_type(found, &Shape::Rungs, key, value.span()));
            None
        }
    }
}

fn wrong_type(found: &DeValue<'_>, shape: &Shape, key: &Key, span: Span) -> Diagnostic {
    let fault = Diagnostic::error(
        Code::WRONG_TYPE,
        span,
        format!("`{}` must be {}, not {}", key.name, shape.wanted(), found_words(found)),
    );
    let help = match (shape, found) {
        (Shape::OneOf(choices), DeValue::Boolean(is))
            if choices.iter().any(|choice| choice.text == "on") =>
        {
            format!("write `{} = \"{}\"`", key.name, if *is { "on" } else { "off" })
        }
        (Shape::Whole { .. } | Shape::Real(_), DeValue::String(text))
            if text.trim().parse::<f64>().is_ok() =>
        {
            format!("without quotes: `{} = {}`", key.name, text.trim())
        }
        (Shape::Table(_) | Shape::Tables(_) | Shape::Named(_, _) | Shape::Variables, _) => {
            format!("write, for example:\n{}", key.example)
        }
        _ => format!("write, for example, `{}`", key.example),
    };
    fault.help(help)
}

fn found_words(found: &DeValue<'_>) -> String {
    match found {
        DeValue::String(_) => "a text".to_owned(),
        DeValue::Integer(number) => format!("the whole number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(is) => format!("`{is}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn whole(
    digits: &str,
    radix: u32,
    least: u64,
    most: u64,
    key: &Key,
    span: Span,
) -> Result<u64, Diagnostic> {
    let number = u64::from_str_radix(digits.trim_start_matches('+'), radix).ok();
    match number {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            let wanted = Shape::Whole { least, most }.wanted();
            let limit = if number.is_some_and(|number| number > most)
                || !digits.starts_with('-') && number.is_none()
            {
                format!("at most {most}")
            } else {
                format!("at least {least}")
            };
            Err(Diagnostic::error(
                Code::OUT_OF_RANGE,
                span,
                format!("`{}` cannot be {}", key.name, shorten(digits)),
            )
            .here(limit)
            .help(format!("it is {wanted}, for example `{}`", key.example)))
        }
    }
}

fn real(text: &str, range: RealRange, key: &Key, span: Span) -> Result<f64, Diagnostic> {
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    let written_finite = !text.contains("nan") && !text.contains("inf");
    if !number.is_finite() && !written_finite {
        return Err(Diagnostic::error(
            Code::NOT_FINITE,
            span,
            format!("`{}` cannot be {text}", key.name),
        )
        .help(format!("it is a number, {}, for example `{}`", range.words(), key.example)));
    }
    if !range.holds(number) {
        return Err(Diagnostic::error(
            Code::OUT_OF_RANGE,
            span,
            format!("`{}` cannot be {}", key.name, shorten(text)),
        )
        .here(range.words())
        .help(format!("write, for example, `{}`", key.example)));
    }
    // -0.0 and 0.0 mean the same.
    Ok(if number == 0.0 { 0.0 } else { number })
}

fn one_of(text: &str, choices: &[Choice], key: &Key, span: Span) -> Result<String, Diagnostic> {
    if choices.iter().any(|choice| choice.text == text) {
        return Ok(text.to_owned());
    }
    let known = || choices.iter().map(|choice| choice.text.as_str());
    let fault = Diagnostic::error(
        Code::UNKNOWN_VALUE,
        span,
        format!("`{}` cannot be {:?}", key.name, shorten(text)),
    )
    .here(Shape::OneOf(choices.to_vec()).wanted());
    Err(match nearest(text, known()) {
        Some(near) => fault.help(format!("did you mean `{} = \"{near}\"`?", key.name)),
        None => fault.help(format!("write, for example, `{}`", key.example)),
    })
}

fn text(text: &str, rule: TextRule, key: &Key, span: Span) -> Result<String, Diagnostic> {
    // Line ends are formatting: a checkout may have changed them.
    let text = text.replace("\r\n", "\n");
    let bad = |code: Code, why: String, help: String| {
        Err(Diagnostic::error(code, span.clone(), format!("`{}` {why}", key.name)).help(help))
    };
    match rule {
        TextRule::Id => match ExperimentId::try_from(text.clone()) {
            Ok(_) => Ok(text),
            Err(why) => bad(
                Code::BAD_NAME,
                format!("cannot be {:?}: {why}", shorten(&text)),
                tamed(&text, key, "-"),
            ),
        },
        TextRule::ArmName => match ArmName::try_from(text.clone()) {
            Ok(_) => Ok(text),
            Err(why) => bad(
                Code::BAD_NAME,
                format!("cannot be {:?}: {why}", shorten(&text)),
                tamed(&text, key, "-_=."),
            ),
        },
        TextRule::Sha256 => {
            let hex = text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
            if hex {
                return Ok(text.to_ascii_lowercase());
            }
            bad(
                Code::BAD_TEXT,
                "must be 64 hexadecimal digits".to_owned(),
                "`sha256sum FILE` prints them (macOS: `shasum -a 256 FILE`)".to_owned(),
            )
        }
        TextRule::Mask => match mask(&text) {
            Some(mask) => Ok(mask),
            None => bad(
                Code::BAD_TEXT,
                "must be hexadecimal, with `0x` in front, and name a processor".to_owned(),
                format!("write, for example, `{}`: processors 0 and 1", key.example),
            ),
        },
        TextRule::Server => match RpcServer::try_from(text.clone()) {
            Ok(_) => Ok(text),
            Err(_) => bad(
                Code::BAD_TEXT,
                format!("cannot have {:?}: it is no `host:port`", shorten(&text)),
                format!(
                    "write a name or an IPv4 address and a port, for example `{}`",
                    key.example
                ),
            ),
        },
        TextRule::Line | TextRule::Prose => {
            if text.trim().is_empty() {
                return bad(
                    Code::BAD_TEXT,
                    "is empty".to_owned(),
                    format!("write, for example, `{}`", key.example),
                );
            }
            let newlines_fit = rule == TextRule::Prose;
            let most = if newlines_fit { LONGEST_PROSE } else { LONGEST_LINE };
            let length = text.chars().count();
            if length > most {
                return bad(
                    Code::BAD_TEXT,
                    format!("has {length} characters; at most {most} fit"),
                    "shorten it: details belong beside the manifest".to_owned(),
                );
            }
            match text
                .chars()
                .find(|c| breaks(*c) && !(newlines_fit && matches!(c, '\n' | '\t' | '|')))
            {
                None => Ok(text),
                Some(c) if newlines_fit => bad(
                    Code::BAD_TEXT,
                    format!("cannot have {c:?}"),
                    "leave control characters out".to_owned(),
                ),
                Some(c) => bad(
                    Code::BAD_TEXT,
                    format!("cannot have {c:?}: it stands in tables"),
                    "keep it on one line, without `|` and control characters".to_owned(),
                ),
            }
        }
    }
}

/// Characters of a line: it stands in tables and in records, which are small.
const LONGEST_LINE: usize = 1000;
/// Characters of a longer text.
const LONGEST_PROSE: usize = 10_000;

/// A processor mask in its one form: lower case, no leading zeros; some bit is set.
pub(super) fn mask(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x")?;
    let hex = (1..=128).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_hexdigit());
    let significant = digits.trim_start_matches('0');
    (hex && !significant.is_empty()).then(|| format!("0x{}", significant.to_ascii_lowercase()))
}

/// Characters that break a table's line, or reorder what is shown.
fn breaks(c: char) -> bool {
    c == '|'
        || c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name that would do.
fn tamed(text: &str, key: &Key, extra: &str) -> String {
    let mut tame: String = text
        .to_lowercase()
        .chars()
        .map(|c| {
            if c.is_ascii_lowercase() || c.is_ascii_digit() || extra.contains(c) { c } else { '-' }
        })
        .take(64)
        .collect();
    tame = tame.trim_matches('-').to_owned();
    // A name that is taken is tame already.
    if tame.is_empty() || tame == text {
        format!("write, for example, `{}`", key.example)
    } else {
        format!("write, for example, `{} = \"{tame}\"`", key.name)
    }
}

/// Values in messages are cut: one may be a megabyte.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}
