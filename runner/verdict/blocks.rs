//! Rows of samples gathered into blocks.

use std::collections::{BTreeMap, BTreeSet};

use sample_table::{SampleRow, SampleState, Work};

use super::by_arm::ByArm;
use crate::manifest::{Metric, Plan, TimedWork};

/// Nothing that this program measures does more tokens in a second: a rate above it is a clock
/// that was read wrongly.
const GREATEST_TOKENS_PER_SECOND: f64 = 1e9;

/// No machine that runs one engine draws a million watts: a power above it is a counter that was
/// read wrongly.
const GREATEST_WATTS: f64 = 1e6;

/// What an energy is the count of: RAPL counts in units of 2^-14 J, or finer.
const MICROJOULES_OF_A_COUNT: f64 = 1e6 / 16_384.0;

/// What a metric reads of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// The rows.
    pub work: Work,
    /// What of them.
    pub of: Quantity,
}

/// What tokens are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Quantity {
    #[default]
    Time,
    Energy,
}

impl From<Work> for Reading {
    fn from(work: Work) -> Reading {
        Reading { work, of: Quantity::Time }
    }
}

impl Reading {
    /// Tokens for each unit of what a single row took; `None` without a number.
    pub fn rate_of(self, row: &SampleRow) -> Option<f64> {
        let is_own = row.work == self.work && row.state == SampleState::Timed;
        let rate = match self.of {
            Quantity::Time => f64::from(row.tokens) / (row.nanoseconds as f64 * 1e-9),
            Quantity::Energy => {
                let energy = row.energy?;
                f64::from(energy.tokens) / (energy.microjoules as f64 * 1e-6)
            }
        };
        is_own.then_some(rate)
    }
}

/// Names a block within a run, in order of condition, round, segment and block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockKey {
    pub condition: u32,
    pub round: u32,
    pub segment: u32,
    pub block: u32,
}

impl BlockKey {
    fn of(row: &SampleRow) -> BlockKey {
        BlockKey {
            condition: row.condition,
            round: row.round,
            segment: row.segment,
            block: row.block,
        }
    }
}

/// One arm's readings in one block, added up over its chunks.
#[derive(Debug, Clone, Default)]
pub(super) struct ArmBlock {
    pub input: String,
    pub tokens: u64,
    pub nanoseconds: u64,
    /// Of whole requests, where energy is read.
    pub microjoules: u64,
    /// Tokens that it was spent on, untimed ones included.
    pub energy_tokens: u64,
    /// What `rate` holds tokens against.
    of: Quantity,
    /// Clock readings that were added up: each rounds to a whole nanosecond.
    pub readings: u32,
    /// A sample of it timed out, lay below the timer's resolution, or has no energy where that is
    /// read.
    without_number: bool,
    /// A reading outside the metric's support, in words.
    pub outside_support: Option<String>,
}

impl ArmBlock {
    /// Tokens, or repetitions of a primitive, in a second; tokens for a joule where energy is read.
    /// Above zero and finite whenever `outside_support` is `None` and there is a number. More is
    /// better.
    pub fn rate(&self) -> f64 {
        match self.of {
            Quantity::Time => self.tokens as f64 / (self.nanoseconds as f64 * 1e-9),
            Quantity::Energy => self.energy_tokens as f64 / (self.microjoules as f64 * 1e-6),
        }
    }

    /// What a count more or less in each reading can do to the log of the rate.
    pub fn resolution(&self) -> f64 {
        match self.of {
            Quantity::Time => f64::from(self.readings) / self.nanoseconds.max(1) as f64,
            Quantity::Energy => {
                f64::from(self.readings) * MICROJOULES_OF_A_COUNT / self.microjoules.max(1) as f64
            }
        }
    }

    /// Whether there is none: a sample lacks its number, or a counter stood still.
    pub fn lacks_number(&self) -> bool {
        let stood_still = match self.of {
            Quantity::Time => false,
            Quantity::Energy => self.microjoules == 0,
        };
        self.without_number || stood_still
    }

    /// What may have been the reason where there is none.
    pub fn without_number_because(&self) -> &'static str {
        match self.of {
            Quantity::Time => "timed out, or below what the timer resolves",
            Quantity::Energy => "timed out, or no counter told its energy",
        }
    }

    /// Milliseconds in all.
    pub fn milliseconds(&self) -> f64 {
        self.nanoseconds as f64 * 1e-6
    }

    fn add(&mut self, row: &SampleRow, of: Quantity) {
        self.of = of;
        if self.readings == 0 && !self.without_number {
            self.input.clone_from(&row.input);
        } else if self.input != row.input {
            // Seen as unequal work: no input has this name.
            self.input = format!("{} and {}", self.input, row.input);
        }
        if row.state != SampleState::Timed {
            self.without_number = true;
            return;
        }
        if of == Quantity::Energy && !self.add_energy(row) {
            self.without_number = true;
            return;
        }
        self.readings += 1;
        self.tokens = self.tokens.saturating_add(u64::from(row.tokens));
        self.nanoseconds = self.nanoseconds.saturating_add(row.nanoseconds);
        let rate = f64::from(row.tokens) / (row.nanoseconds as f64 * 1e-9);
        if !(rate > 0.0 && rate <= GREATEST_TOKENS_PER_SECOND) {
            self.outside_support.get_or_insert_with(|| {
                format!(
                    "arm `{}` has {} tokens in {} ns in round {}, block {}, chunk {}",
                    row.arm, row.tokens, row.nanoseconds, row.round, row.block, row.chunk
                )
            });
        }
    }

    /// Whether the row has one.
    fn add_energy(&mut self, row: &SampleRow) -> bool {
        let Some(energy) = row.energy else { return false };
        self.microjoules = self.microjoules.saturating_add(energy.microjoules);
        self.energy_tokens = self.energy_tokens.saturating_add(u64::from(energy.tokens));
        let watts = energy.microjoules as f64 * 1e-6 / (row.nanoseconds as f64 * 1e-9);
        if energy.tokens == 0 || watts > GREATEST_WATTS {
            self.outside_support.get_or_insert_with(|| {
                format!(
                    "arm `{}` has {} µJ for {} tokens, {} ns of them timed, in round {}, block {}, chunk {}",
                    row.arm, energy.microjoules, energy.tokens, row.nanoseconds, row.round,
                    row.block, row.chunk
                )
            });
        }
        true
    }
}

/// Every arm on one input.
#[derive(Debug, Clone, Default)]
pub(super) struct MeasuredBlock {
    /// Readings of the work asked for, by arm.
    pub arms: ByArm<ArmBlock>,
    /// Sensors that flagged the block, by arm, from rows of any work.
    flags: ByArm<BTreeSet<String>>,
}

impl MeasuredBlock {
    /// Sensors that flagged any row of the block.
    pub fn flags(&self) -> BTreeSet<&str> {
        self.flags.values().flatten().map(String::as_str).collect()
    }

    pub fn is_flagged(&self) -> bool {
        self.flags.values().any(|flags| !flags.is_empty())
    }

    /// Flags belong to blocks. Where they differ between arms, a sensor knew the arm.
    pub fn flags_differ_by_arm(&self) -> bool {
        let mut sets = self.flags.values();
        sets.next().is_some_and(|first| sets.any(|other| other != first))
    }
}

/// All blocks of a run, for one sort of work.
pub(super) type Blocks = BTreeMap<BlockKey, MeasuredBlock>;

/// Gathers the readings of one sort; flags come from all rows. Rows of one block mostly stand
/// together, so the block is looked up once for each run of them, and nothing is allocated for a
/// row.
pub(super) fn gather(samples: &[SampleRow], reading: impl Into<Reading>) -> Blocks {
    let reading = reading.into();
    let mut blocks = Blocks::new();
    for rows in samples.chunk_by(|left, right| BlockKey::of(left) == BlockKey::of(right)) {
        let Some(first) = rows.first() else { continue };
        let block = blocks.entry(BlockKey::of(first)).or_default();
        for row in rows {
            let flags = block.flags.entry(&row.arm);
            if !row.flags.is_empty() {
                let named = row.flags.split(',').map(str::trim).filter(|flag| !flag.is_empty());
                flags.extend(named.map(str::to_owned));
            }
            if row.work == reading.work {
                block.arms.entry(&row.arm).add(row, reading.of);
            }
        }
    }
    blocks
}

/// The blocks of one condition value, in order.
pub(super) fn at_condition(
    blocks: &Blocks,
    condition: u32,
) -> impl Iterator<Item = (&BlockKey, &MeasuredBlock)> {
    let first = BlockKey { condition, round: 0, segment: 0, block: 0 };
    blocks.range(first..).take_while(move |(key, _)| key.condition == condition)
}

/// The rows that a metric of a plan is made of, and what it reads of them.
pub(super) fn reading_of(plan: &Plan, metric: Metric) -> Reading {
    let of = match metric {
        Metric::JoulesPerToken => Quantity::Energy,
        Metric::DecodeTokensPerSecond
        | Metric::PrefillTokensPerSecond
        | Metric::PromptMilliseconds
        | Metric::BytesPerSecond
        | Metric::OperationsPerSecond => Quantity::Time,
    };
    Reading { work: work_of(plan, metric), of }
}

/// The rows that a metric of a plan is made of.
pub(super) fn work_of(plan: &Plan, metric: Metric) -> Work {
    match metric {
        Metric::JoulesPerToken => match plan.workload.work {
            TimedWork::Decode { .. } => Work::Decode,
            TimedWork::Prefill { .. } => Work::Prefill,
            TimedWork::Primitive { .. } => Work::Primitive,
        },
        Metric::DecodeTokensPerSecond => Work::Decode,
        Metric::PrefillTokensPerSecond => Work::Prefill,
        Metric::PromptMilliseconds => Work::Prompt,
        Metric::BytesPerSecond | Metric::OperationsPerSecond => Work::Primitive,
    }
}

/// A block's value in the metric's unit, but for the scale of a primitive's repetitions.
pub(super) fn value_of(metric: Metric, block: &ArmBlock) -> f64 {
    match metric {
        Metric::DecodeTokensPerSecond
        | Metric::PrefillTokensPerSecond
        | Metric::BytesPerSecond
        | Metric::OperationsPerSecond => block.rate(),
        Metric::PromptMilliseconds => block.milliseconds(),
        Metric::JoulesPerToken => 1.0 / block.rate(),
    }
}
