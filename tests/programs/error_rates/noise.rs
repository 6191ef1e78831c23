//! Made-up instruments: how the log speed of one arm departs from its true value.

use clap::ValueEnum;
use runner::stats::Draws;

/// Sorts of noise. Log standard deviations; those of two arms together are the registered ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Noise {
    /// Blocks alone, normal, 3 %.
    Normal,
    /// Rounds 0.8 % and blocks 3 %, normal: what manifests assume.
    TwoLevel,
    /// Blocks after Student's t with 2 degrees of freedom, scale 1 %.
    HeavyTails,
    /// All arms slow down by 20 % over the run, and each later place in a block by 1 %.
    Drift,
    /// Round values follow each other with a correlation of 0.5.
    Autocorrelation,
    /// One block of an arm in a hundred takes fifteen times as long.
    Stalls,
}

impl Noise {
    /// What the theory promises of a rule under it.
    pub fn promised(self) -> bool {
        matches!(self, Noise::Normal | Noise::TwoLevel)
    }

    /// In the table.
    pub fn label(self) -> &'static str {
        match self {
            Noise::Normal => "normal blocks",
            Noise::TwoLevel => "normal rounds and blocks",
            Noise::HeavyTails => "Student t(2) blocks",
            Noise::Drift => "drift and place effect",
            Noise::Autocorrelation => "rounds correlated 0.5",
            Noise::Stalls => "a stall in 1 of 100",
        }
    }
}

/// The noise of one run, arm by arm.
pub struct Instrument {
    noise: Noise,
    draws: Draws,
    rounds: f64,
    /// Of the round in progress, by arm.
    of_round: Vec<f64>,
}

/// One arm's share of a difference of two.
const SHARE: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl Instrument {
    pub fn new(noise: Noise, seed: u64, arms: usize, rounds: u32) -> Instrument {
        let draws = Draws::new(seed, "error-rates");
        Instrument { noise, draws, rounds: f64::from(rounds), of_round: vec![0.0; arms] }
    }

    /// A round begins: its processes are new.
    pub fn begin_round(&mut self) {
        for value in &mut self.of_round {
            *value = match self.noise {
                Noise::Normal | Noise::HeavyTails => 0.0,
                Noise::Autocorrelation => {
                    // stationary with standard deviation 2 % from the second value on
                    0.5 * *value + 0.02 * 0.75_f64.sqrt() * SHARE * self.draws.normal()
                }
                _ => 0.008 * SHARE * self.draws.normal(),
            };
        }
    }

    /// What is added to an arm's log speed in one block. `when` is the share of the run that is
    /// over.
    pub fn block(&mut self, arm: usize, round: u32, place: usize) -> f64 {
        let of_round = self.of_round.get(arm).copied().unwrap_or(0.0);
        let normal = self.draws.normal();
        of_round
            + match self.noise {
                Noise::HeavyTails => {
                    let square = self.draws.normal().powi(2) + self.draws.normal().powi(2);
                    0.01 * SHARE * normal / (square / 2.0).sqrt()
                }
                Noise::Drift => {
                    let over = f64::from(round) / self.rounds;
                    0.03 * SHARE * normal - 0.2 * over - 0.01 * place as f64
                }
                Noise::Stalls if self.draws.below(100) == 0 => -15_f64.ln(),
                _ => 0.03 * SHARE * normal,
            }
    }
}
