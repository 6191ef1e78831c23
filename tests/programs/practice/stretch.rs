//! Stretches of a record: rounds one after the other, in the order of measurement.

use std::collections::BTreeMap;

use sample_table::{SampleRow, SampleState, Work};

/// One block's log rate by arm, with the time it took.
#[derive(Debug, Clone)]
pub struct Block {
    pub log_rates: Vec<f64>,
    /// Tokens and seconds of each chunk by arm, in order.
    pub chunks: Vec<Vec<(f64, f64)>>,
}

/// All rounds of one condition value.
#[derive(Debug, Clone, Default)]
pub struct Series {
    rounds: Vec<Vec<Block>>,
    arms: usize,
}

/// Rounds one after the other; `off` and `arm` are places of arms.
#[derive(Debug, Clone)]
pub struct Stretch<'series> {
    pub rounds: &'series [Vec<Block>],
    pub off: usize,
    pub arm: usize,
}

impl Series {
    /// One for each condition value, rounds and blocks in order. Flagged blocks and blocks
    /// without a number are left out, for every method alike.
    pub fn of(rows: &[SampleRow]) -> Vec<Series> {
        let arms: Vec<&str> = {
            let mut names: Vec<&str> = rows.iter().map(|row| row.arm.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        type Places = BTreeMap<(u32, u32, u32), BTreeMap<(usize, u32), (f64, f64)>>;
        let mut blocks: BTreeMap<u32, Places> = BTreeMap::new();
        let mut dropped = std::collections::BTreeSet::new();
        for row in rows.iter().filter(|row| row.work != Work::Prompt) {
            let place = (row.round, row.segment, row.block);
            if row.state != SampleState::Timed || !row.flags.is_empty() {
                dropped.insert((row.condition, place));
            }
            let arm = arms.iter().position(|name| *name == row.arm).unwrap_or(0);
            blocks
                .entry(row.condition)
                .or_default()
                .entry(place)
                .or_default()
                .insert((arm, row.chunk), (f64::from(row.tokens), row.nanoseconds as f64 * 1e-9));
        }
        blocks
            .into_iter()
            .map(|(condition, places)| {
                let mut rounds: BTreeMap<u32, Vec<Block>> = BTreeMap::new();
                for (place, samples) in places {
                    if dropped.contains(&(condition, place)) {
                        continue;
                    }
                    let chunks: Vec<Vec<(f64, f64)>> = (0..arms.len())
                        .map(|arm| {
                            samples
                                .iter()
                                .filter(|((of, _), _)| *of == arm)
                                .map(|(_, sample)| *sample)
                                .collect()
                        })
                        .collect();
                    let log_rates = chunks.iter().map(|chunks| rate(chunks).ln()).collect();
                    rounds.entry(place.0).or_default().push(Block { log_rates, chunks });
                }
                Series { rounds: rounds.into_values().collect(), arms: arms.len() }
            })
            .collect()
    }
}

/// Tokens a second over samples.
pub fn rate(samples: &[(f64, f64)]) -> f64 {
    let tokens: f64 = samples.iter().map(|(tokens, _)| tokens).sum();
    let seconds: f64 = samples.iter().map(|(_, seconds)| seconds).sum();
    tokens / seconds
}

/// Every stretch of that many rounds, with every ordered pair of arms.
pub fn stretches(series: &Series, rounds: usize) -> Vec<Stretch<'_>> {
    let pairs: Vec<(usize, usize)> = (0..series.arms)
        .flat_map(|off| (0..series.arms).map(move |arm| (off, arm)))
        .filter(|(off, arm)| off != arm)
        .collect();
    series
        .rounds
        .windows(rounds.max(1))
        .flat_map(|rounds| pairs.iter().map(move |&(off, arm)| Stretch { rounds, off, arm }))
        .collect()
}

impl Stretch<'_> {
    /// Blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.rounds.iter().flatten()
    }

    /// Timed seconds of all arms.
    pub fn seconds(&self) -> f64 {
        self.blocks().flat_map(|block| block.chunks.iter().flatten()).map(|(_, s)| s).sum()
    }

    /// Every arm's samples in the order of time: one stream of the same work.
    pub fn stream(&self) -> Vec<(f64, f64)> {
        self.blocks()
            .flat_map(|block| {
                let longest = block.chunks.iter().map(Vec::len).max().unwrap_or(0);
                (0..longest).flat_map(|chunk| {
                    block.chunks.iter().filter_map(move |chunks| chunks.get(chunk).copied())
                })
            })
            .collect()
    }
}
