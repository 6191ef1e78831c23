//! Numbers as people read them, each with its unit. A number that is not finite is `none`.

const NONE: &str = "none";

/// Four significant digits, without an exponent, and the unit: `41.23 tokens/s`.
#[must_use]
pub fn quantity(value: f64, unit: &str) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    format!("{} {unit}", significant(value))
}

/// Four significant digits without an exponent.
pub(super) fn significant(value: f64) -> String {
    const DIGITS: usize = 4; // half a per mille: below the least spread seen between blocks
    const MOST_DECIMALS: usize = 9; // nanoseconds in a second
    let mut decimals = DIGITS - 1;
    let mut size = value.abs();
    while size >= 10.0 && decimals > 0 {
        size /= 10.0;
        decimals -= 1;
    }
    while size > 0.0 && size < 1.0 && decimals < MOST_DECIMALS {
        size *= 10.0;
        decimals += 1;
    }
    format!("{value:.decimals$}")
}

/// A log ratio as a factor: `1.051x`.
#[must_use]
pub fn ratio(log_ratio: f64) -> String {
    let factor = libm::exp(log_ratio);
    if factor.is_finite() { format!("{factor:.3}x") } else { NONE.to_owned() }
}

/// A log ratio as a change: `+5.1 %`.
#[must_use]
pub fn percent_change(log_ratio: f64) -> String {
    let percent = libm::expm1(log_ratio) * 100.0;
    if percent.is_finite() { format!("{percent:+.1} %") } else { NONE.to_owned() }
}

/// A log ratio as a change, finer: `+5.12 %`; zero has no sign.
pub(super) fn fine_change(log_ratio: f64) -> String {
    let percent = libm::expm1(log_ratio) * 100.0;
    if !percent.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{percent:+.2} %");
    if text == "-0.00 %" || text == "+0.00 %" { "0.00 %".to_owned() } else { text }
}

/// A width or a spread on the log scale, without a sign: `0.21 %`.
pub(super) fn size(log: f64) -> String {
    let percent = libm::expm1(log) * 100.0;
    if percent.is_finite() { format!("{percent:.2} %") } else { NONE.to_owned() }
}

/// A confidence: `95 %`, `98.33 %`.
#[must_use]
pub fn confidence(percent: f64) -> String {
    if !percent.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{percent:.2}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Nanoseconds as seconds: `83.2 s`.
#[must_use]
pub fn seconds(nanoseconds: u64) -> String {
    // To a tenth of a second, in whole numbers: the same text on every platform.
    let tenths = nanoseconds.saturating_add(50_000_000) / 100_000_000;
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// `part` of `whole`: `93.1 %`; `none` of nothing.
pub(super) fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NONE.to_owned();
    }
    let per_mille = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole);
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

/// Four decimals are shown of a probability.
const LEAST_PROBABILITY: f64 = 0.0001;

/// A p-value: `p 0.0031`, `p < 0.0001`.
pub(super) fn p_value(p: f64) -> String {
    if !p.is_finite() {
        return NONE.to_owned();
    }
    if p < LEAST_PROBABILITY { "p < 0.0001".to_owned() } else { format!("p {p:.4}") }
}

/// An error that was set, not found: `0.0054`, and two digits of a small one: `5.4e-7`.
pub(super) fn probability(p: f64) -> String {
    if !p.is_finite() {
        return NONE.to_owned();
    }
    if p < LEAST_PROBABILITY { format!("{p:.1e}") } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_carry_units_and_no_nan() {
        assert_eq!(quantity(41.234_56, "tokens/s"), "41.23 tokens/s");
        assert_eq!(quantity(12_345.6, "tokens/s"), "12346 tokens/s");
        assert_eq!(quantity(0.004_217, "ms"), "0.004217 ms");
        assert_eq!(quantity(0.0, "ms"), "0.000 ms");
        assert_eq!(quantity(f64::NAN, "ms"), "none");
        assert_eq!(ratio(0.05), "1.051x");
        assert_eq!(ratio(f64::INFINITY), "none");
        assert_eq!(percent_change(-0.02), "-2.0 %");
        assert_eq!(fine_change(-0.000_01), "0.00 %");
        assert_eq!(fine_change(0.05), "+5.13 %");
        assert_eq!(fine_change(f64::NAN), "none");
        assert_eq!(size(0.0021), "0.21 %");
        assert_eq!(size(f64::INFINITY), "none");
        assert_eq!(probability(0.005_41), "0.0054");
        assert_eq!(probability(5.39e-7), "5.4e-7");
        assert_eq!(confidence(95.0), "95 %");
        assert_eq!(confidence(98.333_3), "98.33 %");
        assert_eq!(seconds(83_249_999_999), "83.2 s");
        assert_eq!(share(931, 1000), "93.1 %");
        assert_eq!(share(1, 0), "none");
        assert_eq!(p_value(0.000_01), "p < 0.0001");
    }
}
