//! Blocks in which two arms stand side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{ArmBlock, BlockKey, Blocks, at_condition};
use crate::stats::log_ratio;

/// Rounding of the logarithms themselves: a few units in the last place of a log ratio of
/// rates between 1e-3 and 1e9.
const ROUNDING_OF_LOGS: f64 = 1e-13;

/// One block with both arms' values.
#[derive(Debug, Clone)]
pub(super) struct PairedBlock {
    pub key: BlockKey,
    pub input: String,
    pub off: ArmBlock,
    pub arm: ArmBlock,
    /// ln(arm / off) of the rates: more is better. Of an energy that is off over the arm.
    pub log_ratio: f64,
    pub flagged: bool,
    /// What a nanosecond more or less in each clock reading, or a count in each of a counter, can do
    /// to `log_ratio`.
    pub resolution: f64,
}

/// All that pairing two arms at one condition found.
#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    /// Blocks of whole rounds with a number on either side, in order.
    pub blocks: Vec<PairedBlock>,
    /// Rounds in which both arms have every registered block.
    pub whole_rounds: BTreeSet<u32>,
    /// Blocks of whole rounds.
    pub blocks_of_whole_rounds: u32,
    /// Rounds of those with a sample that timed out or lay below the timer's resolution, one for
    /// each such block.
    pub without_number: Vec<u32>,
    /// The first of those that no sensor flagged and in which one arm alone lacks its number, in
    /// words: leaving it out would depend on the arm.
    pub one_sided: Option<String>,
    /// The first block whose sides did not do the same work, in words.
    pub unequal_work: Option<String>,
    /// The first reading outside the metric's support, in words.
    pub outside_support: Option<String>,
}

impl Pairs {
    /// Blocks that the registered analysis reads: those that no sensor flagged.
    pub fn accepted(&self) -> Vec<&PairedBlock> {
        self.blocks.iter().filter(|block| !block.flagged).collect()
    }

    /// How many whole rounds there are before the first that is not.
    pub fn rounds_in_a_row(&self) -> u32 {
        self.whole_rounds.iter().zip(0..).take_while(|(round, place)| *round == place).count()
            as u32
    }

    /// Blocks with flagged ones kept.
    pub fn with_flagged(&self) -> Vec<&PairedBlock> {
        self.blocks.iter().collect()
    }
}

/// Pairs two arms that do the same work, token for token.
pub(super) fn pair(
    blocks: &Blocks,
    condition: u32,
    off: &str,
    arm: &str,
    blocks_per_round: u32,
) -> Pairs {
    pair_with(blocks, condition, (off, arm), blocks_per_round, Work::SAME)
}

/// How the work of an arm may differ from off's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    /// The arm's block may have up to so many tokens more: a draft that ended it was kept whole.
    pub beyond: u32,
    /// Sequences of off and of the arm that were decoded side by side. Each has the same text, so
    /// tokens are counted in all of them and compared in one.
    pub slots: (u32, u32),
    /// Whose texts the arm worked on.
    pub texts: Texts,
}

/// Whose texts an arm worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    /// Off's: its input is off's.
    OfWorkload,
    /// Those of a set of its own: its place there is looked at elsewhere.
    Own,
}

impl Work {
    /// Token for token.
    pub const SAME: Work = Work { beyond: 0, slots: (1, 1), texts: Texts::OfWorkload };
}

/// Pairs `arm` with `off` at a condition. `blocks_per_round` blocks, over all segments of a
/// round, make it whole.
pub(super) fn pair_with(
    blocks: &Blocks,
    condition: u32,
    (off, arm): (&str, &str),
    blocks_per_round: u32,
    work: Work,
) -> Pairs {
    let mut found = Pairs::default();
    let mut present: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut sides = Vec::new();
    for (key, block) in at_condition(blocks, condition) {
        let both = (block.arms.get(off), block.arms.get(arm));
        let (Some(off_side), Some(arm_side)) = both else { continue };
        present.entry(key.round).or_default().insert(key.block);
        sides.push((*key, off_side, arm_side, block.is_flagged()));
    }
    found.whole_rounds = present
        .into_iter()
        .filter(|(_, blocks)| blocks.len() >= blocks_per_round.max(1) as usize)
        .map(|(round, _)| round)
        .collect();
    for (key, off_side, arm_side, flagged) in sides {
        // A wrong clock or unequal work is looked for everywhere, in broken rounds too.
        for side in [off_side, arm_side] {
            if found.outside_support.is_none() {
                found.outside_support.clone_from(&side.outside_support);
            }
        }
        let counted = !off_side.lacks_number() && !arm_side.lacks_number();
        if counted && found.unequal_work.is_none() {
            found.unequal_work = unequal_work(key, (off, off_side), (arm, arm_side), work);
        }
        if !found.whole_rounds.contains(&key.round) {
            continue;
        }
        found.blocks_of_whole_rounds += 1;
        if !counted {
            found.without_number.push(key.round);
            if !flagged && off_side.lacks_number() != arm_side.lacks_number() {
                let lacking = if off_side.lacks_number() { off } else { arm };
                let why = off_side.without_number_because();
                found.one_sided.get_or_insert_with(|| one_sided(key, lacking, why));
            }
            continue;
        }
        let Some(log_ratio) = log_ratio(arm_side.rate(), off_side.rate()) else { continue };
        found.blocks.push(PairedBlock {
            key,
            input: off_side.input.clone(),
            off: off_side.clone(),
            arm: arm_side.clone(),
            log_ratio,
            flagged,
            resolution: off_side.resolution() + arm_side.resolution() + ROUNDING_OF_LOGS,
        });
    }
    found
}

fn one_sided(key: BlockKey, lacking: &str, why: &str) -> String {
    format!(
        "in round {}, block {} `{lacking}` alone has no number ({why}), so leaving the block out \
         would depend on the arm",
        key.round, key.block
    )
}

fn unequal_work(
    key: BlockKey,
    (off, off_side): (&str, &ArmBlock),
    (arm, arm_side): (&str, &ArmBlock),
    work: Work,
) -> Option<String> {
    let place = format!("round {}, block {}", key.round, key.block);
    if work.texts == Texts::OfWorkload && off_side.input != arm_side.input {
        return Some(format!(
            "in {place} `{off}` worked on input `{}` and `{arm}` on `{}`",
            off_side.input, arm_side.input
        ));
    }
    let (of_off, of_arm) = work.slots;
    let in_all =
        |side: &ArmBlock, others: u32| side.tokens.saturating_mul(u64::from(others.max(1)));
    let more = in_all(arm_side, of_off).checked_sub(in_all(off_side, of_arm));
    more.is_none_or(|more| more > u64::from(work.beyond)).then(|| {
        format!(
            "in {place} `{off}` was timed over {} tokens and `{arm}` over {}",
            off_side.tokens, arm_side.tokens
        )
    })
}
