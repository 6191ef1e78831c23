//! Ways to call a difference.

use runner::stats::{mean, standard_deviation, t_interval, trimmed_mean, welch_interval};

use crate::stretch::{Stretch, rate};

/// Repetitions that llama-bench makes by default.
const REPETITIONS: usize = 5;

/// A way to measure and to call a difference. All spend the same stretch of wall time.
#[derive(Debug, Clone, Copy)]
pub enum Method {
    /// First all of off, then all of the treatment, five repetitions each; a difference when the
    /// bars of mean and standard deviation do not overlap.
    FiveRepetitionsBars,
    /// The same; a difference when the means are further apart than 2 %.
    FiveRepetitionsMeans,
    /// Alternating, block values not paired, Welch at 95 %.
    WelchBlocks,
    /// Alternating, every chunk a sample, Welch at 95 %.
    WelchChunks,
    /// Alternating, block log ratios as if independent, t at 95 %.
    PairedBlocks,
    /// Alternating, paired, trimmed by round, t over rounds at 95 %: the registered rule at
    /// margin 0.
    PairedRounds,
}

impl Method {
    pub const ALL: [Method; 6] = [
        Method::FiveRepetitionsBars,
        Method::FiveRepetitionsMeans,
        Method::WelchChunks,
        Method::WelchBlocks,
        Method::PairedBlocks,
        Method::PairedRounds,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Method::FiveRepetitionsBars => {
                "five repetitions, one arm after the other: bars of mean and sd do not overlap"
            }
            Method::FiveRepetitionsMeans => {
                "five repetitions, one arm after the other: means differ by over 2 %"
            }
            Method::WelchChunks => "alternating, not paired: Welch over chunks",
            Method::WelchBlocks => "alternating, not paired: Welch over blocks",
            Method::PairedBlocks => "alternating, paired: t over blocks",
            Method::PairedRounds => {
                "alternating, paired: t over rounds (this program's rule, margin 0)"
            }
        }
    }

    /// Whether it calls a difference when the treatment is `effect` (log ratio) faster than the
    /// record says.
    pub fn calls(self, stretch: &Stretch<'_>, effect: f64) -> bool {
        match self {
            Method::FiveRepetitionsBars | Method::FiveRepetitionsMeans => {
                let stream = stretch.stream();
                let half = stream.len() / 2;
                let (Some(off), Some(arm)) =
                    (repetitions(&stream[..half], 0.0), repetitions(&stream[half..], effect))
                else {
                    return false;
                };
                let apart = (arm.0 - off.0).abs();
                match self {
                    Method::FiveRepetitionsBars => apart > off.1 + arm.1,
                    _ => apart > 0.02 * off.0,
                }
            }
            Method::WelchChunks => {
                let logs = |place: usize, effect: f64| -> Vec<f64> {
                    stretch
                        .blocks()
                        .filter_map(|block| block.chunks.get(place))
                        .flatten()
                        .map(|(tokens, seconds)| (tokens / seconds).ln() + effect)
                        .collect()
                };
                welch(&logs(stretch.off, 0.0), &logs(stretch.arm, effect))
            }
            Method::WelchBlocks => {
                let logs = |place: usize, effect: f64| -> Vec<f64> {
                    stretch.blocks().map(|block| block.log_rates[place] + effect).collect()
                };
                welch(&logs(stretch.off, 0.0), &logs(stretch.arm, effect))
            }
            Method::PairedBlocks => {
                let ratios: Vec<f64> = stretch
                    .blocks()
                    .map(|block| {
                        block.log_rates[stretch.arm] - block.log_rates[stretch.off] + effect
                    })
                    .collect();
                leaves_out_zero(&ratios)
            }
            Method::PairedRounds => {
                let values: Vec<f64> = stretch
                    .rounds
                    .iter()
                    .filter_map(|blocks| {
                        let ratios: Vec<f64> = blocks
                            .iter()
                            .map(|block| {
                                block.log_rates[stretch.arm] - block.log_rates[stretch.off] + effect
                            })
                            .collect();
                        trimmed_mean(&ratios)
                    })
                    .collect();
                leaves_out_zero(&values)
            }
        }
    }
}

/// Mean and standard deviation of five equal parts of a stream, tokens a second.
fn repetitions(stream: &[(f64, f64)], effect: f64) -> Option<(f64, f64)> {
    let size = stream.len() / REPETITIONS;
    if size == 0 {
        return None;
    }
    let rates: Vec<f64> =
        stream.chunks_exact(size).take(REPETITIONS).map(|part| rate(part) * effect.exp()).collect();
    Some((mean(&rates)?, standard_deviation(&rates)?))
}

fn welch(off: &[f64], arm: &[f64]) -> bool {
    welch_interval(arm, off, 95.0).is_some_and(|found| found.lo > 0.0 || found.hi < 0.0)
}

fn leaves_out_zero(values: &[f64]) -> bool {
    t_interval(values, 95.0).is_some_and(|found| found.lo > 0.0 || found.hi < 0.0)
}
