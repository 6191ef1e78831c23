//! What pairing bought.

use crate::stats::{mean, standard_deviation, sum};
use crate::verdict::description::PairingGain;
use crate::verdict::pairs::PairedBlock;

/// Both arms' log values over blocks: how they go together, and the standard error of the mean
/// log ratio with and without pairing. `None` under two blocks.
///
/// With n blocks, spreads s1 and s2 of either arm's log values and s of their differences, the
/// standard errors are s / sqrt(n) and sqrt((s1^2 + s2^2) / n). Both fall with the root of n, so
/// the square of their ratio is the number of blocks that pairing saved, over those measured.
pub(super) fn pairing(pairs: &[&PairedBlock]) -> Option<PairingGain> {
    let off: Vec<f64> = pairs.iter().map(|block| libm::log(block.off.rate())).collect();
    let arm: Vec<f64> = pairs.iter().map(|block| libm::log(block.arm.rate())).collect();
    let differences: Vec<f64> = pairs.iter().map(|block| block.log_ratio).collect();
    let resolution = pairs.iter().map(|block| block.resolution).fold(0.0, f64::max);
    let root = libm::sqrt(pairs.len() as f64);
    let (off_sd, arm_sd) = (standard_deviation(&off)?, standard_deviation(&arm)?);
    let paired_sd = standard_deviation(&differences)?;
    let pooled_standard_error = libm::hypot(off_sd, arm_sd) / root;
    let paired_standard_error = paired_sd / root;
    let factor = pooled_standard_error / paired_standard_error;
    let figures = [paired_standard_error, pooled_standard_error];
    figures.iter().all(|figure| figure.is_finite()).then(|| PairingGain {
        correlation: (off_sd > resolution && arm_sd > resolution)
            .then(|| correlation(&off, &arm))
            .flatten(),
        paired_standard_error,
        pooled_standard_error,
        blocks_factor: (paired_sd > resolution)
            .then_some(factor * factor)
            .filter(|factor| factor.is_finite()),
    })
}

/// Pearson's correlation; `None` without spread.
fn correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let (centre_1, centre_2) = (mean(first)?, mean(second)?);
    let products = |left: &[f64], at: f64, right: &[f64], other: f64| {
        sum(&left.iter().zip(right).map(|(a, b)| (a - at) * (b - other)).collect::<Vec<f64>>())
    };
    let together = products(first, centre_1, second, centre_2);
    let alone = libm::sqrt(products(first, centre_1, first, centre_1))
        * libm::sqrt(products(second, centre_2, second, centre_2));
    (alone > 0.0).then(|| (together / alone).clamp(-1.0, 1.0)).filter(|r| r.is_finite())
}
