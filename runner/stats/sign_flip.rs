//! The sign-flip permutation test.

/// Largest sample whose 2^n sign patterns are all tried.
pub const LARGEST_EXACT_SIGN_FLIP: usize = 14;

/// Two sums count as equal within this share of the largest possible one: flipping signs
/// changes the rounding of a sum.
const ROUNDING: f64 = 1e-12;

/// Exact two-sided p: the share of all sign patterns whose sum is as far from zero as the one
/// seen. `None` for no values, more than [`LARGEST_EXACT_SIGN_FLIP`], or values that are not
/// finite.
///
/// Source: R. A. Fisher, The Design of Experiments (1935), section 21.
#[must_use]
pub fn sign_flip_exact_p(differences: &[f64]) -> Option<f64> {
    let n = differences.len();
    if n == 0 || n > LARGEST_EXACT_SIGN_FLIP || differences.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let largest: f64 = differences.iter().map(|value| value.abs()).sum();
    let seen = differences.iter().sum::<f64>().abs();
    let patterns = 1_u32 << n;
    let as_far = (0..patterns)
        .filter(|pattern| {
            let sum: f64 = differences
                .iter()
                .enumerate()
                .map(|(place, value)| if pattern >> place & 1 == 1 { -value } else { *value })
                .sum();
            sum.abs() >= seen - ROUNDING * largest
        })
        .count();
    Some(as_far as f64 / f64::from(patterns))
}

#[cfg(test)]
mod tests {
    use super::sign_flip_exact_p;

    #[test]
    fn by_hand_and_outside() {
        // Sums of (1, 2): 3, 1, -1, -3: two of four are as far as 3.
        assert_eq!(sign_flip_exact_p(&[1.0, 2.0]), Some(0.5));
        assert_eq!(sign_flip_exact_p(&[0.0, 0.0]), Some(1.0));
        assert_eq!(sign_flip_exact_p(&[]), None);
        assert_eq!(sign_flip_exact_p(&[1.0; 15]), None);
        assert_eq!(sign_flip_exact_p(&[f64::NAN]), None);
    }
}
