//! Units behind a number, in the spellings that people use.

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Tokens a second.
    TokenRate,
    /// Bytes a second.
    ByteRate,
    /// Operations a second.
    OperationRate,
    /// One over another: `1.23x`.
    Ratio,
    /// Percent.
    Percent,
    /// Seconds.
    Duration,
    /// Bytes.
    Size,
    /// Joules for a token.
    TokenEnergy,
}

/// A quantity and how many of its base unit one is: base units are tokens/s, B/s, operations/s, 1,
/// percent, s, B and J/token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// What is counted.
    pub quantity: Quantity,
    /// One of it in the base unit.
    pub scale: f64,
}

impl Quantity {
    /// One word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Quantity::TokenRate => "rate",
            Quantity::ByteRate => "bandwidth",
            Quantity::OperationRate => "operations a second",
            Quantity::Ratio => "ratio",
            Quantity::Percent => "percent",
            Quantity::Duration => "duration",
            Quantity::Size => "size",
            Quantity::TokenEnergy => "energy a token",
        }
    }

    fn of(self, scale: f64) -> Unit {
        Unit { quantity: self, scale }
    }
}

/// Spellings of "a second" behind what is counted that have no blank, or only a plain one, in them.
const A_SECOND: [&str; 5] =
    ["_per_second", "_per_s", "\u{b7}s\u{207b}\u{b9}", " s\u{207b}\u{b9}", " s^-1"];

/// Words for a second behind `/` and behind `per`, the longest first.
const SECONDS: [&str; 3] = ["second", "sec", "s"];

/// Blanks as characters, and as HTML and Markdown write them.
const BLANKS: [&str; 12] = [
    " ", "\u{a0}", "\u{2009}", "\u{202f}", "\u{2007}", "&nbsp;", "&#160;", "&#xa0;", "&thinsp;",
    "&#8201;", "&#8239;", "&numsp;",
];

/// The length of the blank that a text begins with.
pub(super) fn blank(text: &str) -> Option<usize> {
    BLANKS.iter().find(|blank| starts(text, blank)).map(|blank| blank.len())
}

/// The length of all blanks that a text begins with.
fn blanks(text: &str) -> usize {
    let mut at = 0;
    while let Some(length) = text.get(at..).and_then(blank) {
        at += length;
    }
    at
}

const TOKENS: [&str; 5] = ["tokens", "token", "toks", "tok", "t"];

/// Prefixes of bytes, bits of case left out: `kb` is `kB`.
const BYTES: [(&str, f64); 20] = [
    ("kibibytes", 1024.0),
    ("mebibytes", 1_048_576.0),
    ("gibibytes", 1_073_741_824.0),
    ("kilobytes", 1e3),
    ("megabytes", 1e6),
    ("gigabytes", 1e9),
    ("terabytes", 1e12),
    ("kilobyte", 1e3),
    ("megabyte", 1e6),
    ("gigabyte", 1e9),
    ("bytes", 1.0),
    ("byte", 1.0),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("b", 1.0),
];

/// Operations; those that end in `ps` say the second themselves.
const OPERATIONS: [&str; 4] = ["flop", "operations", "ops", "op"];
const OPERATIONS_A_SECOND: [&str; 3] = ["flops", "flop/s", "ops"];
const PREFIXES: [(&str, f64); 5] = [("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("", 1.0)];

const DURATIONS: [(&str, f64); 23] = [
    ("milliseconds", 1e-3),
    ("millisecond", 1e-3),
    ("microseconds", 1e-6),
    ("microsecond", 1e-6),
    ("nanoseconds", 1e-9),
    ("nanosecond", 1e-9),
    ("seconds", 1.0),
    ("second", 1.0),
    ("minutes", 60.0),
    ("minute", 60.0),
    ("hours", 3600.0),
    ("hour", 3600.0),
    ("secs", 1.0),
    ("sec", 1.0),
    ("min", 60.0),
    ("ms", 1e-3),
    ("\u{b5}s", 1e-6),
    ("\u{3bc}s", 1e-6),
    ("us", 1e-6),
    ("ns", 1e-9),
    ("s", 1.0),
    ("h", 3600.0),
    ("msec", 1e-3),
];

const PERCENTS: [&str; 5] = ["per cent", "percent", "\\%", "%", "pct"];

/// The unit that a text begins with, and its length in bytes. Nothing of a word may follow it.
#[must_use]
pub fn unit_at(text: &str) -> Option<(Unit, usize)> {
    let unit = percent(text)
        .or_else(|| token_energy(text))
        .or_else(|| rate(text))
        .or_else(|| bytes(text))
        .or_else(|| ratio(text))
        .or_else(|| duration(text))?;
    let rest = text.get(unit.1..)?;
    let word = rest.chars().next().is_some_and(|next| next.is_alphanumeric() || next == '_');
    (!word || text.starts_with('%')).then_some(unit)
}

/// Whether `text` starts with `word`, whatever the case of its ASCII letters.
fn starts(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn percent(text: &str) -> Option<(Unit, usize)> {
    let word = PERCENTS.iter().find(|word| starts(text, word))?;
    Some((Quantity::Percent.of(1.0), word.len()))
}

/// The longest spelling of "a second" that a text begins with.
fn a_second(text: &str) -> Option<usize> {
    let whole = |length: &usize| {
        let rest = text.get(*length..).unwrap_or("");
        !rest.starts_with(|next: char| next.is_alphanumeric())
    };
    let fixed = A_SECOND.iter().filter(|word| starts(text, word)).map(|word| word.len());
    fixed.max().filter(whole).or_else(|| over_a_second(text).filter(whole))
}

/// `/s`, `/ second`, ` per second`, ` a second`, whatever the blanks.
fn over_a_second(text: &str) -> Option<usize> {
    let before = blanks(text);
    let rest = text.get(before..)?;
    let words = [("/", 0), ("per", 1), ("a", 1), ("each", 1)];
    let (word, least) = words.into_iter().find(|(word, _)| starts(rest, word))?;
    let behind = rest.get(word.len()..)?;
    let between = blanks(behind);
    if before < least || between < least {
        return None;
    }
    let second = behind.get(between..)?;
    let short = matches!(word, "/" | "per");
    let found =
        SECONDS.iter().find(|known| starts(second, known) && (short || **known == "second"))?;
    Some(before + word.len() + between + found.len())
}

fn rate(text: &str) -> Option<(Unit, usize)> {
    if starts(text, "tps") {
        return Some((Quantity::TokenRate.of(1.0), 3));
    }
    for word in TOKENS {
        if starts(text, word)
            && let Some(length) = text.get(word.len()..).and_then(a_second)
        {
            return Some((Quantity::TokenRate.of(1.0), word.len() + length));
        }
    }
    operations(text)
}

const ENERGIES: [(&str, f64); 8] = [
    ("millijoules", 1e-3),
    ("millijoule", 1e-3),
    ("kilojoules", 1e3),
    ("joules", 1.0),
    ("joule", 1.0),
    ("mJ", 1e-3),
    ("kJ", 1e3),
    ("J", 1.0),
];

/// `J/token`, `joules per token`, `joules_per_token`, `mJ a token`.
fn token_energy(text: &str) -> Option<(Unit, usize)> {
    let fits =
        |word: &str| if word.len() < 3 { text.starts_with(word) } else { starts(text, word) };
    let (word, scale) = ENERGIES.iter().find(|(word, _)| fits(word))?;
    let rest = text.get(word.len()..)?;
    let a_token = ["/", " / ", " per ", " a ", "_per_"].iter().find_map(|between| {
        let behind = rest.strip_prefix(between)?;
        let token = ["token", "tok"].iter().find(|token| starts(behind, token))?;
        Some(between.len() + token.len())
    })?;
    Some((Quantity::TokenEnergy.of(*scale), word.len() + a_token))
}

fn operations(text: &str) -> Option<(Unit, usize)> {
    for (prefix, scale) in PREFIXES {
        if !starts(text, prefix) {
            continue;
        }
        let rest = text.get(prefix.len()..)?;
        for word in OPERATIONS {
            if starts(rest, word)
                && let Some(length) = rest.get(word.len()..).and_then(a_second)
            {
                let length = prefix.len() + word.len() + length;
                return Some((Quantity::OperationRate.of(scale), length));
            }
        }
        for word in OPERATIONS_A_SECOND {
            if !prefix.is_empty() && starts(rest, word) {
                return Some((Quantity::OperationRate.of(scale), prefix.len() + word.len()));
            }
        }
    }
    None
}

fn bytes(text: &str) -> Option<(Unit, usize)> {
    let (word, scale) = BYTES.iter().find(|(word, _)| starts(text, word))?;
    if *word == "b" && !text.starts_with('B') {
        return None;
    }
    match text.get(word.len()..).and_then(a_second) {
        Some(length) => Some((Quantity::ByteRate.of(*scale), word.len() + length)),
        None => Some((Quantity::Size.of(*scale), word.len())),
    }
}

/// `x` or the sign of multiplication with nothing to multiply behind it; `-fold`.
fn ratio(text: &str) -> Option<(Unit, usize)> {
    let length = ["x", "X", "\u{d7}", "-fold"].iter().find(|word| text.starts_with(**word))?.len();
    let rest = text.get(length..)?;
    let next = rest.trim_start().chars().next();
    let product = next.is_some_and(|next| next.is_ascii_digit() && length < 5);
    (!product).then_some((Quantity::Ratio.of(1.0), length))
}

fn duration(text: &str) -> Option<(Unit, usize)> {
    let fits = |word: &str| match word.len() {
        // `S`, `H` and `MS` are no durations
        1 | 2 => text.starts_with(word),
        _ => starts(text, word),
    };
    let (word, scale) = DURATIONS.iter().find(|(word, _)| {
        let rest = text.get(word.len()..).unwrap_or("");
        fits(word) && !rest.starts_with(|next: char| next.is_alphanumeric())
    })?;
    Some((Quantity::Duration.of(*scale), word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Quantity, f64, usize)> {
        unit_at(text).map(|(unit, length)| (unit.quantity, unit.scale, length))
    }

    #[test]
    fn spellings_of_tokens_a_second() {
        for text in [
            "tokens/s",
            "tok/s",
            "t/s",
            "toks/sec",
            "tokens per second",
            "tokens a second",
            "Tokens / s",
            "token/second",
            "tps",
            "tokens s\u{207b}\u{b9}",
            "tokens_per_second",
            "tokens / second",
            "tok / sec",
            "tokens&nbsp;/&nbsp;s",
            "tokens&nbsp;per&nbsp;second",
            "tokens\u{a0}a second",
        ] {
            assert_eq!(read(text), Some((Quantity::TokenRate, 1.0, text.len())), "{text}");
        }
    }

    #[test]
    fn other_units() {
        for (text, quantity, scale) in [
            ("GB/s", Quantity::ByteRate, 1e9),
            ("GiB/s", Quantity::ByteRate, 1_073_741_824.0),
            ("gigabytes per second", Quantity::ByteRate, 1e9),
            ("GFLOP/s", Quantity::OperationRate, 1e9),
            ("TFLOPS", Quantity::OperationRate, 1e12),
            ("Gop/s", Quantity::OperationRate, 1e9),
            ("x", Quantity::Ratio, 1.0),
            ("\u{d7}", Quantity::Ratio, 1.0),
            ("%", Quantity::Percent, 1.0),
            ("percent", Quantity::Percent, 1.0),
            ("per cent", Quantity::Percent, 1.0),
            ("ms", Quantity::Duration, 1e-3),
            ("\u{b5}s", Quantity::Duration, 1e-6),
            ("us", Quantity::Duration, 1e-6),
            ("s", Quantity::Duration, 1.0),
            ("minutes", Quantity::Duration, 60.0),
            ("MiB", Quantity::Size, 1_048_576.0),
            ("J/token", Quantity::TokenEnergy, 1.0),
            ("joules per token", Quantity::TokenEnergy, 1.0),
            ("joules_per_token", Quantity::TokenEnergy, 1.0),
            ("mJ a token", Quantity::TokenEnergy, 1e-3),
        ] {
            assert_eq!(read(text), Some((quantity, scale, text.len())), "{text}");
        }
    }

    #[test]
    fn words_and_products_are_no_units() {
        for text in
            ["tokens", "samples", "x 4", "x4", "xs", "bits", "blocks", "S", "second-hand ", "to"]
        {
            let found = read(text);
            assert!(found.is_none() || text.starts_with("second"), "{text}: {found:?}");
        }
    }
}
