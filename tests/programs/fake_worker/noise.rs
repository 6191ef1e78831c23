//! Reproducible noise.

/// A small generator (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Noise {
    state: u64,
}

impl Noise {
    /// From a seed and a stream number.
    pub fn new(seed: u64, stream: u64) -> Noise {
        let mut noise = Noise { state: seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
        noise.bits();
        noise
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Standard normal (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}
