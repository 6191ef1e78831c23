//! Seeded random draws whose algorithm is stored with the seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of draws. Only the generator's 64-bit output is taken from a crate (ChaCha with 8
/// rounds is a fixed algorithm); what is made of it is written here, so that no other crate's
/// choice of method can change a registered schedule.
#[derive(Debug, Clone)]
pub struct Draws {
    generator: ChaCha8Rng,
    spare_normal: Option<f64>,
}

impl Draws {
    /// The stream of a seed and a purpose: different purposes draw independently, so that one
    /// that needs more draws does not shift another. The key is the seed in 8 little-endian
    /// bytes and then up to 24 bytes of the purpose's name.
    #[must_use]
    pub fn new(seed: u64, purpose: &str) -> Draws {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (slot, byte) in key[8..].iter_mut().zip(purpose.bytes()) {
            *slot = byte;
        }
        Draws { generator: ChaCha8Rng::from_seed(key), spare_normal: None }
    }

    /// Uniform in `0..bound`, without bias: draws that would favour low numbers are thrown
    /// away. 0 when `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // The largest multiple of `bound` that fits; what lies above it is rejected.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.generator.next_u64();
            if draw < limit {
                return draw % bound;
            }
        }
    }

    /// Puts `items` into uniformly random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Fills `bytes` with random ones: the fastest way to many.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.generator.fill_bytes(bytes);
    }

    /// Uniform in [0, 1), in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Standard normal.
    ///
    /// Source: G. Marsaglia and T. A. Bray, "A convenient method for generating normal
    /// variables", SIAM Review 6 (1964): the polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare_normal.take() {
            return spare;
        }
        loop {
            let u = 2.0 * self.unit() - 1.0;
            let v = 2.0 * self.unit() - 1.0;
            let square = u * u + v * v;
            if square > 0.0 && square < 1.0 {
                let factor = libm::sqrt(-2.0 * libm::log(square) / square);
                self.spare_normal = Some(v * factor);
                return u * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Draws;
    use crate::{mean, standard_deviation};

    #[test]
    fn a_seed_gives_the_same_draws_for_ever() {
        let mut draws = Draws::new(20_261_129, "test");
        let first: Vec<u64> = (0..4).map(|_| draws.below(1000)).collect();
        let mut items = [0, 1, 2, 3, 4, 5];
        draws.shuffle(&mut items);
        assert_eq!(first, [477, 546, 279, 35]);
        assert_eq!(items, [3, 2, 0, 1, 5, 4]);
    }

    #[test]
    fn purposes_draw_apart() {
        let mut one = Draws::new(1, "inputs");
        let mut other = Draws::new(1, "orders");
        assert_ne!(one.below(u64::MAX), other.below(u64::MAX));
    }

    #[test]
    fn draws_below_a_bound_are_even() {
        let mut draws = Draws::new(7, "even");
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[draws.below(6) as usize] += 1;
        }
        // Standard deviation of a count: 91.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 460), "{counts:?}");
        assert_eq!(draws.below(0), 0);
        assert_eq!(draws.below(1), 0);
    }

    #[test]
    fn normals_have_mean_zero_and_deviation_one() {
        let mut draws = Draws::new(3, "normal");
        let sample: Vec<f64> = (0..40_000).map(|_| draws.normal()).collect();
        assert!(mean(&sample).unwrap().abs() < 0.025);
        assert!((standard_deviation(&sample).unwrap() - 1.0).abs() < 0.018);
        let beyond = sample.iter().filter(|value| value.abs() > 1.959_964).count();
        assert!(beyond.abs_diff(2_000) < 220, "{beyond}");
    }
}
