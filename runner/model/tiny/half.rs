//! IEEE 754 half precision, and blocks of eight-bit integers with a half-precision scale.

/// Elements of a `q8_0` block (ggml's `QK8_0`).
pub(super) const Q8_BLOCK: usize = 32;

/// Bits of the nearest half-precision number, ties to even; too large becomes infinite.
pub(super) fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude >= 0x7f80_0000 {
        let quiet = if magnitude > 0x7f80_0000 { 0x200 } else { 0 };
        return sign | 0x7c00 | quiet;
    }
    // 65520 and more round to infinity, below 2^-25 to zero.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    if magnitude < 0x3300_0000 {
        return sign;
    }
    let exponent = (magnitude >> 23) as i32 - 127;
    let mantissa = (magnitude & 0x007f_ffff) | 0x0080_0000;
    // A normal half keeps 11 bits of the mantissa's 24; a subnormal one fewer.
    let dropped = if exponent >= -14 { 13 } else { (13 - 14 - exponent) as u32 };
    let kept = mantissa >> dropped;
    let rest = mantissa & ((1 << dropped) - 1);
    let middle = 1 << (dropped - 1);
    let rounded = kept + u32::from(rest > middle || (rest == middle && kept & 1 == 1));
    // The leading bit adds 1 to the exponent; a carry out of the mantissa does so too.
    let base = if exponent >= -14 { ((exponent + 14) as u32) << 10 } else { 0 };
    sign | (base + rounded) as u16
}

/// The value of half-precision bits.
pub(super) fn half_value(bits: u16) -> f32 {
    /// 2^-24, the smallest subnormal.
    const SMALLEST: f32 = f32::from_bits(0x3380_0000);
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from((bits >> 10) & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    match exponent {
        0 => f32::from_bits((mantissa as f32 * SMALLEST).to_bits() | sign),
        31 => f32::from_bits(sign | 0x7f80_0000 | (mantissa << 13)),
        // The biases are 15 and 127.
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (mantissa << 13)),
    }
}

/// Appends one `q8_0` block: a scale, then 32 integers. The scale is rounded first, so that the
/// integers fit the scale that is stored.
pub(super) fn push_q8_block(values: &[f32; Q8_BLOCK], output: &mut Vec<u8>) {
    let largest = values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let scale_bits = half_bits(largest / 127.0);
    let scale = half_value(scale_bits);
    output.extend(scale_bits.to_le_bytes());
    for value in values {
        let quotient = if scale == 0.0 { 0.0 } else { value / scale };
        let rounded = libm::roundf(quotient).clamp(-127.0, 127.0) as i8;
        output.push(rounded.cast_unsigned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_match_known_values() {
        // Values of IEEE 754 binary16.
        let known = [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (0.333_251_95, 0x3555),
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            (2.980_232_2e-8, 0x0000),
        ];
        for (value, bits) in known {
            assert_eq!(half_bits(value), bits, "{value}");
        }
    }

    #[test]
    fn every_finite_half_survives_a_round_trip() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            assert_eq!(half_bits(half_value(bits)), bits);
        }
    }

    #[test]
    fn a_midpoint_goes_to_the_even_neighbour() {
        assert_eq!(half_bits(1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(half_bits(1.0 + 3.0 / 2048.0), 0x3c02);
    }

    #[test]
    fn a_block_comes_back_within_half_a_step() {
        let mut values = [0.0; Q8_BLOCK];
        for (index, value) in values.iter_mut().enumerate() {
            *value = (index as f32 - 15.5) / 7.0;
        }
        let mut bytes = Vec::new();
        push_q8_block(&values, &mut bytes);
        assert_eq!(bytes.len(), 34);
        let scale = half_value(u16::from_le_bytes([bytes[0], bytes[1]]));
        for (value, byte) in values.iter().zip(&bytes[2..]) {
            let back = f32::from(byte.cast_signed()) * scale;
            assert!((back - value).abs() <= scale * 0.51, "{back} for {value}");
        }
    }
}
