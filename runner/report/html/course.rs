//! How the run went: its blocks in order, the gate, the canary, what sensors flagged.

use std::collections::BTreeMap;

use super::super::energy::rate_word;
use super::super::figures::fine_change;
use super::super::plot::{Timeline, timeline};
use super::super::rows::counted;
use super::blocks::{Block, median_log_rate, off};
use super::context::SamplesShown;
use super::facts::early_end;
use super::figure::Figure;
use super::tables::Table;
use crate::record::Record;
use crate::stats::quantile;
use crate::verdict::CanarySpread;

/// Share of blocks at either end that may lie beyond the axis.
const BEYOND: f64 = 0.01;

/// The course of a run. Not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CourseView {
    pub early_end: Option<String>,
    pub figure: Option<Figure>,
    /// What is not recorded, or not shown.
    pub missing: Vec<String>,
    pub gate: Vec<String>,
    pub tables: Vec<Table>,
}

/// All of it.
pub(super) fn course(
    record: &Record,
    samples: SamplesShown<'_>,
    blocks: Option<&[Block<'_>]>,
) -> CourseView {
    let mut missing = Vec::new();
    let figure = blocks.and_then(|blocks| drawing(record, blocks));
    match (samples, &figure) {
        (SamplesShown::NotRead { why }, _) => {
            missing.push(format!("The samples are not shown: {why}."));
        }
        (SamplesShown::Read(_), None) => {
            missing.push("No block of off has a number: there is nothing to draw.".to_owned());
        }
        (SamplesShown::Read(_), Some(_)) => {}
    }
    let facts = &record.sealed.facts;
    missing.push(
        "Records hold the gate's and the canary's readings over all blocks, not block by block; \
         what a sensor flagged is kept with each block."
            .to_owned(),
    );
    let tables = [canary(record), flags(blocks), readings(record)];
    if facts.canary.is_none() {
        missing.push("No canary is recorded.".to_owned());
    }
    CourseView {
        early_end: early_end(record),
        figure,
        missing,
        gate: gate(record),
        tables: tables.into_iter().flatten().collect(),
    }
}

fn drawing(record: &Record, blocks: &[Block<'_>]) -> Option<Figure> {
    let name = off(&record.plan);
    let mut medians: BTreeMap<u32, Option<f64>> = BTreeMap::new();
    for block in blocks {
        medians.entry(block.condition).or_insert_with(|| {
            median_log_rate(blocks.iter().filter(|one| one.condition == block.condition), name)
        });
    }
    let value = |block: &Block<'_>| {
        let middle = medians.get(&block.condition).copied().flatten()?;
        Some(block.log_rate(name)? - middle)
    };
    let values: Vec<Option<f64>> = blocks.iter().map(value).collect();
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let ends = (quantile(&known, BEYOND)?, quantile(&known, 1.0 - BEYOND)?);
    let begins = |of: fn(&Block<'_>) -> u32| -> Vec<usize> {
        let pairs = blocks.iter().zip(blocks.iter().skip(1)).enumerate();
        let changed = pairs.filter(|(_, (before, after))| of(before) != of(after));
        changed.map(|(place, _)| place + 1).collect()
    };
    let flagged: Vec<bool> = blocks.iter().map(Block::is_flagged).collect();
    let flag_count = flagged.iter().filter(|flagged| **flagged).count();
    let mut round_starts = begins(|block| block.round);
    round_starts.insert(0, 0);
    let run = Timeline { off: values, flagged, round_starts, cuts: cuts(record, blocks), ends };
    let title = "The run, block by block";
    let rate = rate_word(record.plan.metric.primary.key());
    let said = format!(
        "{} blocks; off's {rate} from {} to {} of its median; {flag_count} flagged; {}",
        blocks.len(),
        fine_change(ends.0),
        fine_change(ends.1),
        counted(run.cuts.len() as u32, "interruption")
    );
    let svg = timeline("timeline", (title, &said), &run);
    let caption = format!(
        "Off's own {rate} in each block against its median{}: how evenly the machine ran. Cross: \
         flagged by a sensor ({flag_count} of {}).",
        if medians.len() > 1 { " at the same condition" } else { "" },
        blocks.len()
    );
    Some(Figure::new(title, svg, caption))
}

/// Blocks before which the run was interrupted: those that follow the blocks done of its round.
fn cuts(record: &Record, blocks: &[Block<'_>]) -> Vec<usize> {
    let place = |round: u32, done: u32| {
        let own = blocks.iter().enumerate().filter(|(_, block)| block.round == round);
        own.map(|(place, _)| place).nth(done as usize)
    };
    let cuts = record.sealed.facts.interruptions.iter();
    cuts.filter_map(|cut| place(cut.round, cut.blocks_done)).collect()
}

fn gate(record: &Record) -> Vec<String> {
    let facts = &record.sealed.facts;
    let mut lines = Vec::new();
    match &facts.surroundings {
        None => lines.push("What the gate did is not recorded.".to_owned()),
        Some(found) if found.waits == 0 => {
            lines.push("The gate was never shut: no block had to wait.".to_owned());
        }
        Some(found) => {
            lines.push(format!(
                "The gate was shut before {}, for {:.1} s in all.",
                counted(found.waits, "block"),
                found.waited_seconds
            ));
            lines.extend(found.shut_by.iter().map(|why| format!("shut by: {why}")));
        }
    }
    if !facts.unread_sensors.is_empty() {
        lines.push(format!("Sensors without a reading: {}.", facts.unread_sensors.join(", ")));
    }
    lines
}

fn canary(record: &Record) -> Option<Table> {
    let canary = record.sealed.facts.canary.as_ref()?;
    let row = |name: &str, spread: &CanarySpread| {
        let times = [spread.least, spread.q1, spread.median, spread.q3, spread.greatest];
        let mut cells = vec![name.to_owned()];
        cells.extend(times.map(|nanoseconds| format!("{:.3}", nanoseconds * 1e-6)));
        cells.push(format!("{:.1} %", spread.spread_percent));
        cells.push(spread.n.to_string());
        cells
    };
    Table::of(
        "Canary before each block, milliseconds",
        &["canary", "least", "quartile", "median", "quartile", "greatest", "spread", "readings"],
        [row("processor", &canary.processor), row("memory", &canary.memory)],
    )
}

/// Flags by sensor, with the rounds in which they fell.
fn flags(blocks: Option<&[Block<'_>]>) -> Option<Table> {
    let mut seen: BTreeMap<&str, (u32, Vec<u32>)> = BTreeMap::new();
    for block in blocks? {
        for flag in &block.flags {
            let (count, rounds) = seen.entry(flag).or_default();
            *count += 1;
            if rounds.last() != Some(&block.round) {
                rounds.push(block.round);
            }
        }
    }
    let rows = seen.into_iter().map(|(flag, (count, mut rounds))| {
        rounds.sort_unstable();
        rounds.dedup();
        let rounds: Vec<String> = rounds.iter().map(u32::to_string).collect();
        [flag.to_owned(), count.to_string(), rounds.join(", ")]
    });
    Table::of("Flagged blocks by sensor", &["sensor", "blocks", "in rounds"], rows)
}

fn readings(record: &Record) -> Option<Table> {
    let found = record.sealed.facts.surroundings.as_ref()?;
    let rows = found.readings.iter().map(|reading| {
        [
            reading.name.replace('_', " "),
            format!("{:.2}", reading.median),
            format!("{:.2}", reading.most),
            reading.blocks.to_string(),
        ]
    });
    Table::of("Readings around blocks", &["reading", "median", "most", "blocks"], rows)
}
