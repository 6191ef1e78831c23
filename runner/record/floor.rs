//! Floors: a record's distribution under a name, that later records are held against. A floor moves
//! only with a mechanism and a record, never because a number did.

use std::collections::BTreeMap;

use sample_table::{SampleRow, SampleState, Work};

use super::append::{Appended, append};
use super::entries::{FloorAnchor, FloorDistribution, FloorName};
use super::entry::EntryBody;
use super::figure_state::{FigureState, record_state};
use super::hash::EntryHash;
use super::ledger::read_ledger;
use super::reference::RecordName;
use super::registered::Circumstances;
use super::runs;
use super::samples::samples;
use super::sealed::Record;
use crate::failure::Failure;
use crate::manifest::{Metric, TimedWork};
use crate::project::Project;
use crate::stats::{mean, quantile, standard_deviation};
use crate::verdict::{RunSummary, condition_label};

/// Fewest rounds that make a distribution: as few as bounds of a machine may have. One draw is an
/// anchor of nothing.
pub const FEWEST_ROUNDS: usize = 5;

/// What shall become a floor.
#[derive(Debug, Clone, Copy)]
pub struct FloorRequest<'text> {
    /// The floor's name.
    pub floor: &'text FloorName,
    /// The arm.
    pub arm: &'text str,
    /// The condition; empty without one.
    pub condition: &'text str,
    /// Why it is there, or why it moves.
    pub mechanism: &'text str,
}

/// A floor as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// The record whose distribution it is.
    pub record: RecordName,
    /// The entry that set it.
    pub entry: EntryHash,
    /// When: UTC, RFC 3339.
    pub at: String,
    /// What it says.
    pub anchor: FloorAnchor,
    /// How often it moved before.
    pub moves: usize,
    /// What became of that record since.
    pub state: FigureState,
}

/// Sets a floor, or moves it.
///
/// # Errors
/// Refused when the record is not current, is void or incomplete, has fewer than
/// [`FEWEST_ROUNDS`] rounds of the arm, its metric is no throughput of tokens, or the floor is that
/// record's already. Failed when samples or ledgers cannot be read.
pub fn anchor(
    project: &Project,
    record: &Record,
    request: FloorRequest<'_>,
    circumstances: &Circumstances,
) -> Result<Appended, Failure> {
    let own = RecordName { id: record.sealed.id.clone(), run: record.sealed.run.clone() };
    super::retract::refuse_newer_record(record)?;
    let state = record_state(&read_ledger(project, &own.id)?, &own.run);
    if !state.is_current() {
        return Err(Failure::refused(format!("the record {}", state.predicate()))
            .at(&own)
            .hint("a floor stands on a current record"));
    }
    if record.sealed.analysis.summary != RunSummary::Judged {
        return Err(Failure::refused(
            "the run is void or incomplete, so its numbers prove nothing",
        )
        .at(&own)
        .hint("name a record whose run was judged"));
    }
    let distribution = distribution(project, record, request.arm, request.condition)?;
    let before = floors(project)?.remove(request.floor);
    let body = FloorAnchor {
        floor: request.floor.clone(),
        run: own.run.clone(),
        arm: request.arm.to_owned(),
        condition: request.condition.to_owned(),
        metric: record.plan.metric.primary.key().to_owned(),
        unit: record.plan.metric.primary.unit().to_owned(),
        mechanism: request.mechanism.to_owned(),
        previous: before.as_ref().map(|floor| floor.entry.clone()),
        distribution,
    };
    if before.is_some_and(|floor| {
        floor.record == own
            && floor.anchor.arm == body.arm
            && floor.anchor.condition == body.condition
    }) {
        return Err(Failure::refused("the floor is this distribution already")
            .at(format!("floor {}", request.floor))
            .hint("it moves to another record only"));
    }
    let written =
        append(project, &own.id, circumstances, |_| Ok(Some(EntryBody::Anchor(Box::new(body)))))?;
    written.ok_or_else(|| Failure::failed("nothing was written").at(own))
}

/// All floors as they stand, by name: of each the newest anchor.
///
/// # Errors
/// When results/ or a ledger cannot be read.
pub fn floors(project: &Project) -> Result<BTreeMap<FloorName, Floor>, Failure> {
    let mut floors: BTreeMap<FloorName, Floor> = BTreeMap::new();
    for id in runs::experiments(project)? {
        let entries = read_ledger(project, &id)?;
        for entry in &entries {
            let EntryBody::Anchor(body) = &entry.body else { continue };
            let known = floors.get(&body.floor);
            let moves = known.map_or(0, |floor| floor.moves + 1);
            let newer = known.is_none_or(|floor| {
                (&floor.at, &floor.entry) < (&entry.circumstances.at, &entry.hash)
            });
            let floor = Floor {
                record: RecordName { id: id.clone(), run: body.run.clone() },
                entry: entry.hash.clone(),
                at: entry.circumstances.at.clone(),
                anchor: body.as_ref().clone(),
                moves,
                state: record_state(&entries, &body.run),
            };
            if newer {
                floors.insert(body.floor.clone(), floor);
            } else if let Some(known) = floors.get_mut(&body.floor) {
                known.moves = moves;
            }
        }
    }
    Ok(floors)
}

/// The distribution of an arm's throughput over rounds.
///
/// # Errors
/// A usage failure when the record has no such arm or condition; refused when its metric is no
/// throughput of tokens or there are too few rounds.
pub(super) fn distribution(
    project: &Project,
    record: &Record,
    arm: &str,
    condition: &str,
) -> Result<FloorDistribution, Failure> {
    let place = format!("{}/{}", record.sealed.id, record.sealed.run);
    let metric = record.plan.metric.primary;
    if !matches!(metric, Metric::DecodeTokensPerSecond | Metric::PrefillTokensPerSecond) {
        return Err(Failure::refused(format!(
            "a floor holds tokens/s, and the metric is {}",
            metric.key()
        ))
        .at(place)
        .hint("name a record of a decode or of a prefill"));
    }
    if !record.plan.arms.iter().any(|one| one.name.as_str() == arm) {
        let arms: Vec<&str> = record.plan.arms.iter().map(|one| one.name.as_str()).collect();
        return Err(Failure::usage(format!("the record has no arm `{arm}`"))
            .at(place)
            .hint(format!("it has {}", arms.join(", "))));
    }
    let Some(index) = condition_index(record, condition) else {
        return Err(Failure::usage(format!("the record has no condition `{condition}`"))
            .at(place)
            .hint("`runner show` names its conditions"));
    };
    let rounds = round_values(&samples(project, record)?, record, arm, index);
    if rounds.len() < FEWEST_ROUNDS {
        return Err(Failure::refused(format!(
            "{} rounds of `{arm}` are no distribution: {FEWEST_ROUNDS} or more make one",
            rounds.len()
        ))
        .at(place)
        .hint("a single draw anchors nothing; name a record with more rounds"));
    }
    described(&rounds).ok_or_else(|| {
        Failure::refused("its values have no distribution: one of them is not above zero").at(place)
    })
}

/// Tokens a second of each whole round, flagged blocks and blocks without a number left out.
fn round_values(rows: &[SampleRow], record: &Record, arm: &str, condition: u32) -> Vec<f64> {
    let work = match record.plan.workload.work {
        TimedWork::Decode { .. } => Work::Decode,
        TimedWork::Prefill { .. } => Work::Prefill,
        TimedWork::Primitive { .. } => Work::Primitive,
    };
    let mut sums: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for row in rows {
        let counts = row.arm == arm
            && row.condition == condition
            && row.work == work
            && row.state == SampleState::Timed
            && row.flags.is_empty();
        if counts {
            let sum = sums.entry((row.round, row.segment)).or_default();
            sum.0 = sum.0.saturating_add(u64::from(row.tokens));
            sum.1 = sum.1.saturating_add(row.nanoseconds);
        }
    }
    let judged = record.sealed.analysis.rounds_judged;
    sums.into_iter()
        .filter(|((round, _), (_, nanoseconds))| *round < judged && *nanoseconds > 0)
        .map(|(_, (tokens, nanoseconds))| tokens as f64 / (nanoseconds as f64 * 1e-9))
        .collect()
}

fn described(rounds: &[f64]) -> Option<FloorDistribution> {
    if rounds.iter().any(|value| !(value.is_finite() && *value > 0.0)) {
        return None;
    }
    let logs: Vec<f64> = rounds.iter().map(|value| libm::log(*value)).collect();
    let at = |probability| quantile(rounds, probability);
    Some(FloorDistribution {
        n: u32::try_from(rounds.len()).ok()?,
        percentiles: [at(0.05)?, at(0.25)?, at(0.5)?, at(0.75)?, at(0.95)?],
        log_mean: mean(&logs)?,
        log_sd: standard_deviation(&logs)?,
        rounds: rounds.to_vec(),
    })
}

/// Which of the record's condition values a label names; 0 where there is none.
fn condition_index(record: &Record, condition: &str) -> Option<u32> {
    let Some(registered) = &record.plan.condition else {
        return condition.is_empty().then_some(0);
    };
    let labels = registered.values.iter().map(|value| condition_label(&record.plan, Some(*value)));
    labels
        .into_iter()
        .position(|label| label == condition)
        .and_then(|index| u32::try_from(index).ok())
}
