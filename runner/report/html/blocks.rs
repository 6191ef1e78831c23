//! A record's samples gathered into blocks, as far as drawings need them. Nothing is judged here.

use std::collections::{BTreeMap, BTreeSet};

use sample_table::{SampleRow, SampleState, Work};

use crate::manifest::{Metric, Plan, TimedWork};
use crate::record::Record;
use crate::stats::median;
use crate::verdict::condition_label;

/// Every arm on one input.
#[derive(Debug, Clone)]
pub(super) struct Block<'a> {
    pub condition: u32,
    pub round: u32,
    pub segment: u32,
    /// When its first sample started, on the clock of its segment.
    started: u64,
    /// What sensors said of it.
    pub flags: BTreeSet<&'a str>,
    arms: BTreeMap<&'a str, Reading>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    tokens: u64,
    /// Nanoseconds, or microjoules of a metric of energy.
    spent: u64,
    without_number: bool,
}

impl Block<'_> {
    pub fn is_flagged(&self) -> bool {
        !self.flags.is_empty()
    }

    /// Log of an arm's rate; `None` without a number.
    pub fn log_rate(&self, arm: &str) -> Option<f64> {
        let reading = self.arms.get(arm).filter(|reading| !reading.without_number)?;
        let rate = reading.tokens as f64 / reading.spent as f64;
        Some(libm::log(rate)).filter(|log| log.is_finite())
    }
}

/// The blocks of a record in order of measurement.
pub(super) fn blocks<'a>(record: &Record, samples: &'a [SampleRow]) -> Vec<Block<'a>> {
    let metric = record.plan.metric.primary;
    let work = work_of(&record.plan, metric);
    let mut found: BTreeMap<(u32, u32, u32, u32), Block<'a>> = BTreeMap::new();
    for row in samples {
        let key = (row.segment, row.condition, row.round, row.block);
        let block = found.entry(key).or_insert_with(|| Block {
            condition: row.condition,
            round: row.round,
            segment: row.segment,
            started: row.started_nanoseconds,
            flags: BTreeSet::new(),
            arms: BTreeMap::new(),
        });
        block.started = block.started.min(row.started_nanoseconds);
        let flags = row.flags.split(',').map(str::trim).filter(|flag| !flag.is_empty());
        block.flags.extend(flags);
        if row.work != work {
            continue;
        }
        let reading = block.arms.entry(&row.arm).or_default();
        match spent(metric, row) {
            Some((tokens, spent)) => {
                reading.tokens = reading.tokens.saturating_add(u64::from(tokens));
                reading.spent = reading.spent.saturating_add(spent);
            }
            None => reading.without_number = true,
        }
    }
    let mut found: Vec<Block<'a>> = found.into_values().collect();
    found.sort_by_key(|block| (block.segment, block.started));
    found
}

/// The index of a condition by its label.
pub(super) fn condition_index(plan: &Plan, label: &str) -> Option<u32> {
    let values = plan.condition_values();
    let place = values.iter().position(|value| condition_label(plan, *value) == label)?;
    u32::try_from(place).ok()
}

/// Off's name.
pub(super) fn off(plan: &Plan) -> &str {
    plan.arms.get(plan.off()).map_or("off", |off| off.name.as_str())
}

/// Median of an arm's log rates over blocks.
pub(super) fn median_log_rate<'a>(
    blocks: impl Iterator<Item = &'a Block<'a>>,
    arm: &str,
) -> Option<f64> {
    let rates: Vec<f64> = blocks.filter_map(|block| block.log_rate(arm)).collect();
    median(&rates)
}

/// Tokens of a row and what they took; `None` without a number.
fn spent(metric: Metric, row: &SampleRow) -> Option<(u32, u64)> {
    match (row.state, metric) {
        (SampleState::TimedOut | SampleState::Censored, _) => None,
        (SampleState::Timed, Metric::JoulesPerToken) => {
            row.energy.map(|energy| (energy.tokens, energy.microjoules))
        }
        (SampleState::Timed, _) => Some((row.tokens, row.nanoseconds)),
    }
}

fn work_of(plan: &Plan, metric: Metric) -> Work {
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
