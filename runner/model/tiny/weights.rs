//! Gaussian numbers from a seed. The generator and the logarithm and cosine are the same bits on
//! every platform, so the model's hash is too.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of normally distributed numbers; one stream a tensor, so that the order in which
/// tensors are made does not matter.
pub(super) struct Gaussian {
    generator: ChaCha8Rng,
}

impl Gaussian {
    pub(super) fn new(seed: u8, stream: u64) -> Gaussian {
        let mut generator = ChaCha8Rng::from_seed([seed; 32]);
        generator.set_stream(stream);
        Gaussian { generator }
    }

    /// Uniform in (0, 1): never 0, whose logarithm is infinite.
    fn uniform(&mut self) -> f64 {
        // 53 bits, at the middle of their cell.
        ((self.generator.next_u64() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
    }

    /// One number with the given standard deviation (Box and Muller 1958, the cosine branch).
    pub(super) fn next(&mut self, deviation: f64) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.uniform()));
        let angle = std::f64::consts::TAU * self.uniform();
        radius * libm::cos(angle) * deviation
    }

    /// A whole tensor.
    pub(super) fn tensor(&mut self, elements: usize, deviation: f64) -> Vec<f32> {
        (0..elements).map(|_| self.next(deviation) as f32).collect()
    }

    /// A permutation (Fisher and Yates) of the values.
    pub(super) fn shuffle(&mut self, values: &mut [usize]) {
        for last in (1..values.len()).rev() {
            let chosen = (self.uniform() * (last + 1) as f64) as usize;
            values.swap(last, chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_mean_and_deviation_asked_for() {
        let values = Gaussian::new(1, 2).tensor(20_000, 0.5);
        let mean = values.iter().map(|v| f64::from(*v)).sum::<f64>() / 20_000.0;
        let square = values.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>() / 20_000.0;
        // Four standard errors.
        assert!(mean.abs() < 0.5 * 4.0 / 20_000.0_f64.sqrt(), "{mean}");
        assert!((square.sqrt() - 0.5).abs() < 0.5 * 4.0 / 40_000.0_f64.sqrt());
    }

    #[test]
    fn a_shuffle_keeps_every_value() {
        let mut values: Vec<usize> = (0..100).collect();
        Gaussian::new(1, 3).shuffle(&mut values);
        assert_ne!(values, (0..100).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..100).collect::<Vec<_>>());
    }
}
