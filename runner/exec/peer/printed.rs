//! A number in what a program printed, with its unit behind it.

use regex::Regex;

use crate::manifest::PeerUnit;

/// Nanoseconds for `tokens` tokens.
///
/// # Errors
/// There is no such number, more than one, or none that a time can be, in words.
pub(super) fn read(text: &str, pattern: &str, unit: PeerUnit, tokens: u64) -> Result<u64, String> {
    let pattern = Regex::new(pattern)
        .map_err(|error| format!("the pattern is no regular expression: {error}"))?;
    let mut found = pattern.captures_iter(text).filter_map(|captures| captures.name("value"));
    let Some(value) = found.next() else {
        return Err("the pattern finds no number in what it printed".to_owned());
    };
    let more = found.count();
    if more > 0 {
        return Err(format!(
            "the pattern matches {} times: make it so that one place is meant",
            more + 1
        ));
    }
    if touches(text.get(..value.start()).unwrap_or_default()) {
        return Err(format!(
            "the pattern cuts a number in two: `{}` is the end of a longer one",
            shortened(value.as_str())
        ));
    }
    let number: f64 = value
        .as_str()
        .trim()
        .parse()
        .map_err(|_| format!("`{}` is no number", shortened(value.as_str())))?;
    if !number.is_finite() || number <= 0.0 {
        return Err(format!("it printed {number}, and that is no speed and no time"));
    }
    let behind = text.get(value.end()..).unwrap_or_default();
    has_unit(behind, unit)?;
    let seconds = match unit {
        PeerUnit::TokensPerSecond => tokens as f64 / number,
        PeerUnit::Milliseconds => number / 1e3,
        PeerUnit::Seconds => number,
    };
    let nanoseconds = (seconds * 1e9).round();
    // below a nanosecond, or longer than any run may take
    if !(1.0..1e18).contains(&nanoseconds) {
        return Err(format!(
            "it printed {number}, which comes to {seconds:e} s for {tokens} tokens"
        ));
    }
    Ok(nanoseconds as u64)
}

/// Whether what stands before a number belongs to it: a sign, a digit, a point, an exponent.
fn touches(before: &str) -> bool {
    let mut back = before.chars().rev();
    match back.next() {
        Some('0'..='9' | '.' | ',' | '-' | '+') => true,
        Some('e' | 'E') => back.next().is_some_and(|c| c.is_ascii_digit() || c == '.'),
        _ => false,
    }
}

/// Spellings, the longest first. What is behind a number must begin with one.
fn spellings(unit: PeerUnit) -> &'static [&'static str] {
    match unit {
        PeerUnit::TokensPerSecond => &[
            "tokens per second",
            "token per second",
            "tokens/second",
            "tokens/sec",
            "tokens/s",
            "token/s",
            "tok/sec",
            "tok/s",
            "t/s",
            "tps",
        ],
        PeerUnit::Milliseconds => &["milliseconds", "millisecond", "msec", "ms"],
        PeerUnit::Seconds => &["seconds", "second", "secs", "sec", "s"],
    }
}

fn has_unit(behind: &str, unit: PeerUnit) -> Result<(), String> {
    let line = behind.lines().next().unwrap_or_default();
    let rest = line.trim_start_matches([' ', '\t', '"', ',', ':', '|']).to_lowercase();
    let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '/');
    let is = |unit: PeerUnit| {
        spellings(unit).iter().any(|word| rest.strip_prefix(word).is_some_and(ends))
    };
    if unit != PeerUnit::TokensPerSecond && is_share(&rest, unit) {
        return Err(format!(
            "behind the number stands `{}`: a time for each of something, and the time of all tokens is registered",
            shortened(line.trim())
        ));
    }
    if is(unit) {
        return Ok(());
    }
    let other = [PeerUnit::TokensPerSecond, PeerUnit::Milliseconds, PeerUnit::Seconds]
        .into_iter()
        .find(|other| is(*other));
    let wanted = spellings(unit).first().copied().unwrap_or_default();
    Err(match other {
        Some(other) => format!(
            "behind the number stands `{}`, and {wanted} are registered",
            spellings(other).first().copied().unwrap_or_default()
        ),
        None => format!(
            "behind the number stands `{}`, and no spelling of {wanted}",
            shortened(line.trim())
        ),
    })
}

/// `ms per token`, `s/token`: a time of a part.
fn is_share(rest: &str, unit: PeerUnit) -> bool {
    spellings(unit).iter().any(|word| {
        let behind = rest.strip_prefix(word).map(str::trim_start);
        behind.is_some_and(|behind| {
            // `1234.56 ms / 63 runs` is llama.cpp's way of writing a total and a count
            behind
                .strip_prefix('/')
                .is_some_and(|of| of.trim_start().starts_with(char::is_alphabetic))
                || behind.strip_prefix("per").is_some_and(|more| more.starts_with([' ', '-']))
        })
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEED: &str = r"eval: (?<value>\S+)";

    #[test]
    fn a_part_of_a_number_is_none() {
        let suggested = r"(?<value>[0-9.]+) tokens per second";
        let speed = |text: &str| read(text, suggested, PeerUnit::TokensPerSecond, 64);
        assert_eq!(speed("rate 32 tokens per second"), Ok(2_000_000_000));
        assert_eq!(speed("rate=32 tokens per second"), Ok(2_000_000_000));
        for text in ["-9999.0", "1,876.5", "1.5e+5", "1.5e5", "+3"] {
            let why = speed(&format!("rate {text} tokens per second"));
            assert!(why.as_ref().is_err_and(|why| why.contains("in two")), "{text}: {why:?}");
        }
    }

    #[test]
    fn a_number_with_its_unit_is_read_and_nothing_else() {
        let speed = |text: &str| read(text, SPEED, PeerUnit::TokensPerSecond, 64);
        assert_eq!(speed("load: 3 s\neval: 32.0 tokens per second\n"), Ok(2_000_000_000));
        assert_eq!(speed("eval: 6.4e1 tok/s"), Ok(1_000_000_000));
        let total =
            read("total 10 ms / 64 runs", r"total (?<value>\d+)", PeerUnit::Milliseconds, 64);
        assert_eq!(total, Ok(10_000_000));
        assert_eq!(
            read("total 250 ms (12 t/s)", r"total (?<value>[\d.]+)", PeerUnit::Milliseconds, 64),
            Ok(250_000_000)
        );
        for text in ["total 10 ms per token", "total 10 ms/token"] {
            let why = read(text, r"total (?<value>[\d.]+)", PeerUnit::Milliseconds, 64);
            assert!(why.as_ref().is_err_and(|why| why.contains("for each")), "{text}: {why:?}");
        }
        for (text, word) in [
            ("", "finds no number"),
            ("eval: fast tokens per second", "`fast` is no number"),
            ("eval: inf tokens per second", "printed inf"),
            ("eval: NaN tokens per second", "printed NaN"),
            ("eval: -3 tokens per second", "printed -3"),
            ("eval: 0 tokens per second", "printed 0"),
            ("eval: 32.0 ms", "stands `milliseconds`"),
            ("eval: 32.0 bananas", "stands `bananas`"),
            ("eval: 32.0\ntokens per second", "no spelling"),
            ("eval: 1 t/s eval: 2 t/s", "matches 2 times"),
            ("eval: 1e-300 t/s", "comes to"),
            ("eval: 1e300 t/s", "comes to"),
        ] {
            let why = speed(text);
            assert!(why.as_ref().is_err_and(|why| why.contains(word)), "{text}: {why:?}");
        }
    }
}
