//! Numbers as text: one text a number, as ECMAScript's `Number::toString` writes it, which
//! RFC 8785 (section 3.2.2.3) asks for; and numbers to a few digits.

/// A finite number as canonical text; zero has no sign.
pub(super) fn canonical_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    // Shortest digits that read back as the same number: `d.ddde-7`.
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // The decimal point stands after `point` digits (ECMA-262, 6.1.6.1.20, calls it n).
    let point = exponent + 1;
    let at = |place: i32| usize::try_from(place).unwrap_or(0);
    let text = if count <= point && point <= 21 {
        format!("{digits}{}", "0".repeat(at(point - count)))
    } else if 0 < point && point <= 21 {
        format!("{}.{}", &digits[..at(point)], &digits[at(point)..])
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(at(-point)))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{sign}{}", exponent.abs())
    };
    if number < 0.0 { format!("-{text}") } else { text }
}

/// A finite number to so many significant digits.
pub(super) fn significant(number: f64, digits: usize) -> f64 {
    let text = format!("{number:.*e}", digits.saturating_sub(1));
    text.parse().unwrap_or(number)
}

/// For messages: two significant digits, without an exponent.
pub(super) fn two_digits(number: f64) -> String {
    format!("{}", significant(number, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_are_kept() {
        for (number, four, two) in [
            (0.812_345_678, 0.8123, "0.81"),
            (12.3456, 12.35, "12"),
            (123.456, 123.5, "120"),
            (0.000_123_456, 0.000_123_5, "0.00012"),
            (0.0, 0.0, "0"),
            (2.0, 2.0, "2"),
            (9.9999, 10.0, "10"),
        ] {
            assert_eq!(significant(number, 4), four);
            assert_eq!(two_digits(number), two);
        }
        assert!(significant(f64::NAN, 4).is_nan());
        assert_eq!(significant(f64::INFINITY, 4), f64::INFINITY);
    }

    /// Values of RFC 8785, appendix B.
    #[test]
    fn numbers_are_written_as_rfc_8785_lists_them() {
        for (bits, text) in [
            (0x0000_0000_0000_0000_u64, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        ] {
            assert_eq!(canonical_number(f64::from_bits(bits)), text);
        }
    }
}
