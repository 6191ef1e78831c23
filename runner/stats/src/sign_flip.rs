//! The sign-flip permutation test.

use super::draws::Draws;

/// Largest sample whose 2^n sign patterns are all tried.
pub const LARGEST_EXACT_SIGN_FLIP: usize = 14;

/// Two sums count as equal within this share of the largest possible one: flipping signs
/// changes the rounding of a sum.
const ROUNDING: f64 = 1e-12;

/// A two-sided p, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SignFlipP {
    /// From all sign patterns.
    Exact {
        /// Share of patterns whose sum is as far from zero as the one seen.
        p: f64,
    },
    /// From patterns drawn at random.
    Sampled {
        /// `(b + 1) / (draws + 1)`, with `b` the patterns drawn that are as far: a valid p
        /// whatever the number of draws, and never zero.
        p: f64,
        /// Patterns drawn.
        draws: u32,
        /// Of the stream they came from.
        seed: u64,
    },
}

impl SignFlipP {
    /// The p, however it was found.
    #[must_use]
    pub fn p(&self) -> f64 {
        match self {
            SignFlipP::Exact { p } | SignFlipP::Sampled { p, .. } => *p,
        }
    }
}

/// Two-sided p that differences are symmetric about zero, from the sum under flipped signs:
/// exact to [`LARGEST_EXACT_SIGN_FLIP`] differences, from `draws` random patterns beyond.
/// `None` for no values, values that are not finite, or no draws where draws are needed.
///
/// Source: R. A. Fisher, The Design of Experiments (1935), section 21; B. Phipson and G. K.
/// Smyth, "Permutation p-values should never be zero", Statistical Applications in Genetics and
/// Molecular Biology 9 (2010), for the sampled form.
#[must_use]
pub fn sign_flip_p(differences: &[f64], draws: u32, seed: u64) -> Option<SignFlipP> {
    if differences.len() <= LARGEST_EXACT_SIGN_FLIP {
        return sign_flip_exact_p(differences).map(|p| SignFlipP::Exact { p });
    }
    if draws == 0 || differences.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let scaled = scaled(differences);
    let bar = bar(&scaled);
    let mut stream = Draws::new(seed, "sign flips");
    let as_far = (0..draws)
        .filter(|_| {
            let sum: f64 = scaled
                .chunks(64)
                .map(|chunk| {
                    let signs = stream.bits();
                    signed_sum(chunk, signs)
                })
                .sum();
            sum.abs() >= bar
        })
        .count();
    let p = (as_far as f64 + 1.0) / (f64::from(draws) + 1.0);
    Some(SignFlipP::Sampled { p, draws, seed })
}

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
    let scaled = scaled(differences);
    let bar = bar(&scaled);
    let patterns = 1_u64 << n;
    let as_far = (0..patterns).filter(|pattern| signed_sum(&scaled, *pattern).abs() >= bar).count();
    Some(as_far as f64 / patterns as f64)
}

/// Divided by the largest, so that no sum overflows; the same tests hold.
fn scaled(differences: &[f64]) -> Vec<f64> {
    let largest = differences.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return differences.to_vec();
    }
    differences.iter().map(|value| value / largest).collect()
}

/// Sums from here on are as far from zero as the one seen.
fn bar(scaled: &[f64]) -> f64 {
    let greatest: f64 = scaled.iter().map(|value| value.abs()).sum();
    let seen: f64 = scaled.iter().sum();
    seen.abs() - ROUNDING * greatest
}

/// Up to 64 values, those flipped whose bit is set.
fn signed_sum(values: &[f64], flips: u64) -> f64 {
    let sign = 1_u64 << 63;
    values
        .iter()
        .enumerate()
        .map(|(place, value)| f64::from_bits(value.to_bits() ^ ((flips << (63 - place)) & sign)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{SignFlipP, sign_flip_exact_p, sign_flip_p};
    use crate::Draws;

    #[test]
    fn by_hand_and_outside() {
        // Sums of (1, 2): 3, 1, -1, -3: two of four are as far as 3.
        assert_eq!(sign_flip_exact_p(&[1.0, 2.0]), Some(0.5));
        assert_eq!(sign_flip_exact_p(&[0.0, 0.0]), Some(1.0));
        assert_eq!(sign_flip_exact_p(&[]), None);
        assert_eq!(sign_flip_exact_p(&[1.0; 15]), None);
        assert_eq!(sign_flip_exact_p(&[f64::NAN]), None);
        // Sums that would overflow.
        assert_eq!(sign_flip_exact_p(&[f64::MAX, f64::MAX]), Some(0.5));
    }

    #[test]
    fn exact_to_fourteen_and_sampled_beyond() {
        assert!(matches!(sign_flip_p(&[1.0; 14], 0, 1), Some(SignFlipP::Exact { .. })));
        // All on one side: only the pattern seen and its mirror image are as far, 2 of 2^15.
        let found = sign_flip_p(&[1.0; 15], 999, 7).unwrap();
        let SignFlipP::Sampled { p, draws: 999, seed: 7 } = found else { panic!("{found:?}") };
        assert!((0.001..=0.003).contains(&p), "{p}");
        assert_eq!(sign_flip_p(&[1.0; 15], 0, 7), None);
        assert_eq!(sign_flip_p(&[], 10, 7), None);
        let mut bad = [1.0; 15];
        bad[3] = f64::INFINITY;
        assert_eq!(sign_flip_p(&bad, 10, 7), None);
        assert_eq!(sign_flip_p(&[0.0; 15], 10, 7).unwrap().p(), 1.0);
    }

    #[test]
    fn sampled_is_near_exact() {
        // Fourteen values and their exact p; with a zero added the distribution is the same and
        // it is sampled.
        let mut draws = Draws::new(11, "values");
        let mut values: Vec<f64> = (0..14).map(|_| draws.normal() + 0.4).collect();
        let exact = sign_flip_exact_p(&values).unwrap();
        values.push(0.0);
        let sampled = sign_flip_p(&values, 20_000, 20_261_129).unwrap();
        // Four standard errors of a share.
        let error = 4.0 * (exact * (1.0 - exact) / 20_000.0).sqrt();
        assert!((sampled.p() - exact).abs() < error, "{exact} {sampled:?}");
        assert_eq!(sign_flip_p(&values, 20_000, 20_261_129), Some(sampled));
    }

    #[test]
    fn scale_and_side_do_not_matter() {
        let mut draws = Draws::new(12, "values");
        let values: Vec<f64> = (0..70).map(|_| draws.normal() + 0.2).collect();
        let right = sign_flip_p(&values, 2_000, 3).unwrap().p();
        let mirrored: Vec<f64> = values.iter().map(|value| -value * 1024.0).collect();
        assert_eq!(sign_flip_p(&mirrored, 2_000, 3).unwrap().p(), right);
    }
}
