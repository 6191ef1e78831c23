//! What rounds, blocks and chunks cost in wall time, read from when samples were started.

use std::collections::BTreeMap;

use sample_table::{SampleRow, Work};

use super::blocks::work_of;
use crate::manifest::Plan;
use crate::stats::median;

/// Typical costs of a run at one condition value, in seconds of wall time, over all its arms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredCosts {
    /// A round without its blocks: workers end, start, load and warm up, and the machine is
    /// looked at. `None` where a single round gives no distance to the next, and the run's wall
    /// time is not known.
    pub round_seconds: Option<f64>,
    /// A whole block.
    pub block_seconds: f64,
    /// One chunk; `None` for work that is not cut.
    pub chunk_seconds: Option<f64>,
    /// Chunks of a block.
    pub chunks: u32,
}

/// One block on the segment's clock.
#[derive(Debug, Clone, Default)]
struct Span {
    condition: u32,
    start: u64,
    end: u64,
    /// Start of each chunk of the timed work.
    chunks: BTreeMap<u32, u64>,
}

/// Segment, round, block: in order of measurement.
type Spans = BTreeMap<(u32, u32, u32), Span>;

/// Costs by condition value, in the order of the plan's; `None` for a value without blocks, and
/// where no clock was kept. `wall_nanoseconds` is the run's, or 0 where it is not known.
///
/// All are medians of distances between starts, which hold whatever lies between: a block costs
/// the time to the next one of its round, waiting for quiet included; a round the time from its
/// last block to the first of the next, less that block. Stalls and long waits do not count.
#[must_use]
pub fn measured_costs(
    plan: &Plan,
    rows: &[SampleRow],
    wall_nanoseconds: u64,
) -> Vec<Option<MeasuredCosts>> {
    let spans = spans(rows, work_of(plan, plan.metric.primary));
    let conditions = plan.condition_values().len() as u32;
    let blocks: Vec<Option<f64>> =
        (0..conditions).map(|condition| block_seconds(&spans, condition)).collect();
    let round = round_seconds(&spans, &blocks, wall_nanoseconds);
    (0..conditions)
        .zip(&blocks)
        .map(|(condition, block)| {
            let here = || spans.values().filter(|span| span.condition == condition);
            let chunks = here().map(|span| span.chunks.len()).max().unwrap_or(1).max(1) as u32;
            let between: Vec<f64> = here()
                .flat_map(|span| {
                    let starts: Vec<u64> = span.chunks.values().copied().collect();
                    let between = starts.windows(2).map(|two| seconds(two[0], two[1]));
                    between.collect::<Vec<f64>>()
                })
                .collect();
            Some(MeasuredCosts {
                round_seconds: round,
                block_seconds: (*block)?,
                chunk_seconds: median(&between),
                chunks,
            })
        })
        .collect()
}

fn spans(rows: &[SampleRow], work: Work) -> Spans {
    let mut spans = Spans::new();
    for row in rows {
        let end = row.started_nanoseconds.saturating_add(row.nanoseconds);
        // an untimed prefill of the same shape stands before a timed one
        let before = if row.work == Work::Prefill { row.nanoseconds } else { 0 };
        let begun = row.started_nanoseconds.saturating_sub(before);
        let span = spans.entry((row.segment, row.round, row.block)).or_insert_with(|| Span {
            condition: row.condition,
            start: begun,
            end,
            chunks: BTreeMap::new(),
        });
        span.start = span.start.min(begun);
        span.end = span.end.max(end);
        if row.work == work {
            let start = span.chunks.entry(row.chunk).or_insert(begun);
            *start = (*start).min(begun);
        }
    }
    spans
}

fn seconds(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 * 1e-9
}

/// From a block's start to the next one's in the same round; where no block has a next one, to
/// its own last sample's end.
fn block_seconds(spans: &Spans, condition: u32) -> Option<f64> {
    let all: Vec<(&(u32, u32, u32), &Span)> = spans.iter().collect();
    let to_next: Vec<f64> = all
        .windows(2)
        .filter(|two| two[0].1.condition == condition && same_round(two[0].0, two[1].0))
        .map(|two| seconds(two[0].1.start, two[1].1.start))
        .collect();
    let own: Vec<f64> = spans
        .values()
        .filter(|span| span.condition == condition)
        .map(|span| seconds(span.start, span.end))
        .collect();
    median(&to_next).or_else(|| median(&own)).filter(|cost| *cost > 0.0)
}

/// Neighbours of one round, with no block missing between them.
fn same_round(one: &(u32, u32, u32), next: &(u32, u32, u32)) -> bool {
    (one.0, one.1, one.2 + 1) == *next
}

fn round_seconds(spans: &Spans, blocks: &[Option<f64>], wall_nanoseconds: u64) -> Option<f64> {
    let cost = |span: &Span| blocks.get(span.condition as usize).copied().flatten();
    let all: Vec<(&(u32, u32, u32), &Span)> = spans.iter().collect();
    let between: Vec<f64> = all
        .windows(2)
        .filter(|two| two[0].0.0 == two[1].0.0 && two[0].0.1 != two[1].0.1)
        .filter_map(|two| {
            let whole = seconds(two[0].1.start, two[1].1.start);
            Some((whole - cost(two[0].1)?).max(0.0))
        })
        .collect();
    if let Some(found) = median(&between) {
        return Some(found);
    }
    let rounds: std::collections::BTreeSet<(u32, u32)> =
        spans.keys().map(|(segment, round, _)| (*segment, *round)).collect();
    let in_blocks: f64 = spans.values().filter_map(cost).sum();
    let wall = wall_nanoseconds as f64 * 1e-9;
    (wall > 0.0 && !rounds.is_empty()).then(|| (wall - in_blocks).max(0.0) / rounds.len() as f64)
}

#[cfg(test)]
mod tests {
    use sample_table::{SampleRow, Work};

    use super::measured_costs;
    use crate::design::test_plan::{plan, with_depths};
    use crate::manifest::{Condition, ConditionSetting, Metric, Plan, TimedWork};
    use crate::verdict::test_evidence::{World, evidence};

    /// Rows with a clock: a restart of 2 s, a prompt of 0.1 s an arm, decoding of 0.05 s an arm and
    /// chunk, at the second depth of 0.1 s.
    fn timed(plan: &Plan) -> Vec<SampleRow> {
        let mut rows = evidence(plan, &World::quiet(61, &[])).samples;
        let mut now = 0_u64;
        let mut round = u32::MAX;
        for row in &mut rows {
            if row.round != round {
                (now, round) = (now + 2_000_000_000, row.round);
            }
            let slow = u64::from(row.condition) + 1;
            row.segment = 0;
            row.started_nanoseconds = now;
            row.nanoseconds = 40_000_000;
            now += if row.work == Work::Prompt { 100_000_000 } else { 50_000_000 * slow };
        }
        rows
    }

    fn close(found: f64, right: f64) {
        assert!((found - right).abs() < 1e-9, "{found} {right}");
    }

    #[test]
    fn costs_of_decoding() {
        let plan = plan(5, 4);
        let found = measured_costs(&plan, &timed(&plan), 0)[0].unwrap();
        close(found.round_seconds.unwrap(), 2.0);
        // 3 prompts and 6 chunks of 3 arms
        close(found.block_seconds, 0.3 + 18.0 * 0.05);
        // a prompt of the test's world stands before each arm's first chunk
        close(found.chunk_seconds.unwrap(), 0.15);
        assert_eq!(found.chunks, 6);
    }

    #[test]
    fn condition_values_cost_what_they_cost() {
        let plan = with_depths(plan(6, 4), &[0, 512]);
        let found = measured_costs(&plan, &timed(&plan), 0);
        close(found[0].unwrap().block_seconds, 1.2);
        close(found[1].unwrap().block_seconds, 0.3 + 18.0 * 0.1);
        close(found[1].unwrap().round_seconds.unwrap(), 2.0);
    }

    #[test]
    fn work_that_is_not_cut_and_rounds_of_one_block() {
        let mut plan = plan(5, 1);
        plan.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
        plan.metric.primary = Metric::PrefillTokensPerSecond;
        let found = measured_costs(&plan, &timed(&plan), 0)[0].unwrap();
        assert_eq!((found.chunk_seconds, found.chunks), (None, 1));
        // no next block in its round: to the end of its last sample; the rest is the round's
        close(found.block_seconds, 0.14 + 0.04);
        close(found.round_seconds.unwrap(), 2.15 - 0.18);
    }

    #[test]
    fn a_short_prefill_does_not_pay_for_the_long_one_after_it() {
        let mut plan = plan(6, 4);
        plan.workload.work = TimedWork::Prefill { prefill_tokens: 512 };
        plan.metric.primary = Metric::PrefillTokensPerSecond;
        plan.condition =
            Some(Condition { setting: ConditionSetting::PrefillTokens, values: vec![128, 1024] });
        let mut rows = evidence(&plan, &World::quiet(62, &[])).samples;
        let (mut now, mut round) = (0_u64, u32::MAX);
        for row in &mut rows {
            if row.round != round {
                (now, round) = (now + 2_000_000_000, row.round);
            }
            row.segment = 0;
            row.nanoseconds = [100_000_000, 800_000_000][row.condition as usize];
            // first untimed, then timed
            row.started_nanoseconds = now + row.nanoseconds;
            now += 2 * row.nanoseconds;
        }
        let found = measured_costs(&plan, &rows, 0);
        close(found[0].unwrap().block_seconds, 0.6);
        close(found[1].unwrap().block_seconds, 4.8);
        close(found[0].unwrap().round_seconds.unwrap(), 2.0);
    }

    #[test]
    fn one_round_costs_what_the_wall_clock_leaves() {
        let plan = plan(1, 4);
        let rows = timed(&plan);
        assert_eq!(measured_costs(&plan, &rows, 0)[0].unwrap().round_seconds, None);
        let found = measured_costs(&plan, &rows, 9_000_000_000)[0].unwrap();
        close(found.round_seconds.unwrap(), 9.0 - 4.0 * 1.2);
        let broken = measured_costs(&plan, &rows, 1)[0].unwrap();
        assert_eq!(broken.round_seconds, Some(0.0));
    }

    #[test]
    fn a_stall_and_a_resumed_round_do_not_count() {
        let plan = plan(8, 4);
        let mut rows = timed(&plan);
        for row in rows.iter_mut().filter(|row| (row.round, row.block) >= (3, 2)) {
            row.started_nanoseconds += 60_000_000_000;
        }
        for row in rows.iter_mut().filter(|row| (row.round, row.block) >= (5, 1)) {
            row.segment = 1;
            row.started_nanoseconds -= 30_000_000_000;
        }
        let found = measured_costs(&plan, &rows, 0)[0].unwrap();
        close(found.block_seconds, 1.2);
        close(found.round_seconds.unwrap(), 2.0);
    }

    #[test]
    fn without_rows_or_clock_there_are_none() {
        let plan = plan(5, 4);
        assert_eq!(measured_costs(&plan, &[], 0), [None]);
        let mut rows = timed(&plan);
        for row in &mut rows {
            (row.started_nanoseconds, row.nanoseconds) = (0, 0);
        }
        assert_eq!(measured_costs(&plan, &rows, 0), [None]);
    }
}
