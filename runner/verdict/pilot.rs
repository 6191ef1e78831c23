//! Figures of a quick look: the registered arithmetic without a verdict.

use sample_table::{SampleRow, Work};

use super::analysis::{Effect, Spread};
use super::blocks::{Blocks, gather};
use super::estimate::{estimate, pooled, spread};
use super::pairs::{PairedBlock, Pairs, pair};
use crate::stats::{mean, standard_deviation};

/// Confidence of every interval of a pilot, percent.
pub const PILOT_CONFIDENCE_PERCENT: f64 = 95.0;

/// What was timed: prefill where there are such rows, else decoding.
fn gathered(rows: &[SampleRow]) -> Blocks {
    let prefill = rows.iter().any(|row| row.work == Work::Prefill);
    gather(rows, if prefill { Work::Prefill } else { Work::Decode })
}

/// All blocks of condition 0 in which both arms have a number; there is no registered count,
/// so every round is whole.
fn paired(rows: &[SampleRow], off: &str, arm: &str) -> Pairs {
    pair(&gathered(rows), 0, off, arm, 1)
}

/// Paired effect of `arm` over `off` (log ratio, more is better) with its t interval over
/// rounds; flagged blocks are left out. Under two rounds there is no interval. `None` without a
/// block that has both arms.
#[must_use]
pub fn pilot_effect(rows: &[SampleRow], off: &str, arm: &str) -> Option<Effect> {
    let found = estimate(&paired(rows, off, arm).accepted(), PILOT_CONFIDENCE_PERCENT)?;
    Some(found.effect)
}

/// The same blocks without pairing: Welch's interval on logs.
#[must_use]
pub fn pilot_pooled(rows: &[SampleRow], off: &str, arm: &str) -> Option<Effect> {
    pooled(&paired(rows, off, arm).accepted(), PILOT_CONFIDENCE_PERCENT)
}

/// Order figures of an arm's block values, tokens a second, flagged blocks left out.
#[must_use]
pub fn pilot_spread(rows: &[SampleRow], arm: &str) -> Option<Spread> {
    let pairs = paired(rows, arm, arm);
    let rates: Vec<f64> = pairs.accepted().iter().map(|block| block.arm.rate()).collect();
    spread(&rates)
}

/// Noise that a pilot saw, as a manifest's `[noise]` states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PilotNoise {
    /// Standard deviation of the log ratio between rounds, percent: what is left of the spread
    /// of round means beyond that of their blocks, and never below zero.
    pub round_sd_percent: f64,
    /// Standard deviation of the log ratio between blocks of a round, percent.
    pub block_sd_percent: f64,
}

/// Splits the spread of block log ratios into rounds and blocks by the analysis of variance of
/// one way, with the mean number of blocks. `None` under two rounds, or with no round of two
/// blocks.
///
/// Source: S. R. Searle, G. Casella and C. E. McCulloch, Variance Components (1992), 3.6; a
/// negative estimate counts as zero.
#[must_use]
pub fn pilot_noise(rows: &[SampleRow], off: &str, arm: &str) -> Option<PilotNoise> {
    let pairs = paired(rows, off, arm);
    let rounds = by_round(&pairs.accepted());
    if rounds.len() < 2 {
        return None;
    }
    let mut squares = 0.0;
    let mut freedom = 0.0;
    for round in &rounds {
        if let Some(sd) = standard_deviation(round) {
            squares += sd * sd * (round.len() - 1) as f64;
            freedom += (round.len() - 1) as f64;
        }
    }
    if freedom == 0.0 {
        return None;
    }
    let block_variance = squares / freedom;
    let means: Vec<f64> = rounds.iter().filter_map(|round| mean(round)).collect();
    let between = standard_deviation(&means)?;
    let blocks = rounds.iter().map(Vec::len).sum::<usize>() as f64 / rounds.len() as f64;
    let round_variance = (between * between - block_variance / blocks).max(0.0);
    Some(PilotNoise {
        round_sd_percent: 100.0 * libm::sqrt(round_variance),
        block_sd_percent: 100.0 * libm::sqrt(block_variance),
    })
}

fn by_round(blocks: &[&PairedBlock]) -> Vec<Vec<f64>> {
    let mut rounds = std::collections::BTreeMap::<(u32, u32), Vec<f64>>::new();
    for block in blocks {
        rounds.entry((block.key.round, block.key.segment)).or_default().push(block.log_ratio);
    }
    rounds.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::{pilot_effect, pilot_noise, pilot_pooled, pilot_spread};
    use crate::design::test_plan::plan;
    use crate::verdict::judge;
    use crate::verdict::test_evidence::{World, evidence};

    #[test]
    fn the_same_arithmetic_as_the_judgement() {
        let plan = plan(8, 6);
        let evidence = evidence(&plan, &World::quiet(31, &[("fast", 0.05)]));
        let judged = judge(&plan, &evidence).comparisons.remove(0);
        assert_eq!(pilot_effect(&evidence.samples, "off", "fast"), judged.effect);
        assert_eq!(pilot_pooled(&evidence.samples, "off", "fast"), judged.pooled);
        assert_eq!(pilot_spread(&evidence.samples, "fast"), judged.treatment);
    }

    #[test]
    fn noise_is_split_into_rounds_and_blocks() {
        let plan = plan(60, 6);
        let mut world = World::quiet(32, &[]);
        world.round_sd = 0.01;
        world.block_sd = 0.03;
        let evidence = evidence(&plan, &world);
        let noise = pilot_noise(&evidence.samples, "off", "fast").unwrap();
        assert!((noise.block_sd_percent - 3.0).abs() < 0.4, "{noise:?}");
        assert!((noise.round_sd_percent - 1.0).abs() < 0.6, "{noise:?}");
    }

    #[test]
    fn one_round_has_no_interval_and_no_rows_nothing() {
        let plan = plan(1, 6);
        let evidence = evidence(&plan, &World::quiet(33, &[]));
        let effect = pilot_effect(&evidence.samples, "off", "fast").unwrap();
        assert_eq!((effect.n, effect.lo, effect.hi), (1, None, None));
        assert_eq!(pilot_noise(&evidence.samples, "off", "fast"), None);
        assert_eq!(pilot_effect(&[], "off", "fast"), None);
        assert_eq!(pilot_effect(&evidence.samples, "off", "unknown"), None);
    }
}
