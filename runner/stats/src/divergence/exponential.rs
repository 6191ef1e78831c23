//! e to the power of what is zero or less: plain multiplications and additions, so that it is the
//! same on every platform and that a compiler can do several at once.

/// Below this the result is taken as 0; it is under 3.4e-308, and beside a greatest term of 1
/// nothing of it is left.
pub(super) const LOWEST: f64 = -708.0;

const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 with its low bits cleared, so that a whole multiple of it up to 1,024 is exact.
const LN_2_HIGH: f64 = 0.693_147_180_485_539_1;
/// What is missing of ln 2.
const LN_2_LOW: f64 = 7.440_617_110_012_397e-11;
/// Added to a number below 2^51, it leaves the nearest whole number in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// e^x for x from -infinity to 0, within 2 units in the last place of [`libm::exp`] down to
/// [`LOWEST`], and 0 below it. x is 0 or less: what is above gives nothing of use.
///
/// x = k ln 2 + r with |r| <= ln 2 / 2, and e^r = 1 + r + r^2 p(r), p of degree 9: the Chebyshev
/// interpolation of (e^r - 1 - r) / r^2 on that interval (found with 60 digits; greatest error
/// of e^r 1.3e-17).
#[inline(always)]
pub(super) fn exponential(x: f64) -> f64 {
    let held = if x < LOWEST { LOWEST } else { x };
    let shifted = held * LOG2_E + ROUNDING;
    let k = shifted - ROUNDING;
    let r = (held - k * LN_2_HIGH) - k * LN_2_LOW;
    let s = r * r;
    let even = (((2.762_008_844_540_974_6e-7 * s + 2.480_152_129_595_437_6e-5) * s
        + 0.001_388_888_891_721_371_7)
        * s
        + 0.041_666_666_666_624_13)
        * s
        + 0.500_000_000_000_000_1;
    let odd = (((2.510_038_549_551_032e-8 * s + 2.755_726_845_999_706_4e-6) * s
        + 0.000_198_412_698_630_536_18)
        * s
        + 0.008_333_333_333_330_062)
        * s
        + 0.166_666_666_666_666_69;
    let fraction = 1.0 + (r + s * (even + r * odd));
    // the low bits of `shifted` hold k: moved to where the exponent stands, it is 2^k
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    let value = fraction * power;
    if x < LOWEST { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::{LOWEST, exponential};

    #[test]
    fn within_two_units_in_the_last_place_of_libm() {
        let mut worst = 0;
        let steps = 1_000_000;
        for step in 0..=steps {
            let x = LOWEST * f64::from(step) / f64::from(steps);
            for x in [x, x / 64.0, x / 4096.0, x * 1e-9] {
                let (ours, known) = (exponential(x).to_bits(), libm::exp(x).to_bits());
                worst = worst.max(ours.abs_diff(known));
            }
        }
        assert!(worst <= 2, "{worst} units in the last place");
    }

    #[test]
    fn the_ends() {
        assert_eq!(exponential(0.0), 1.0);
        assert_eq!(exponential(-0.0), 1.0);
        assert!(exponential(LOWEST) > 0.0);
        assert_eq!(exponential(LOWEST - 1e-9), 0.0);
        assert_eq!(exponential(-1e300), 0.0);
        assert_eq!(exponential(f64::NEG_INFINITY), 0.0);
    }
}
