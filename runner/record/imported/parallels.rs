//! Series that speak of the same work, side by side: never paired, never judged.

use std::collections::BTreeMap;

use sample_table::{SampleRow, SampleState, Work};

use super::form::{Better, SeriesKind, Shape};
use super::read::StoredImport;
use crate::manifest::{Metric, ModelChoice, Plan, TimedWork};
use crate::record::Record;
use crate::stats;

/// Fewer values than this on either side get no interval.
pub const FEWEST_FOR_INTERVAL: usize = 5;
const CONFIDENCE_PERCENT: f64 = 95.0;

/// A series of an import, or an arm of a record: values of one piece of work.
#[derive(Debug, Clone, PartialEq)]
pub struct OneSide {
    /// Of which record or import: `imported/a`, `id/run`.
    pub place: String,
    /// Test, or arm with its condition.
    pub label: String,
    /// The model's name, without an ending; `None` where commands are timed.
    pub model: Option<String>,
    /// The work.
    pub shape: Shape,
    /// Metric key.
    pub metric: String,
    /// Of the values.
    pub unit: String,
    /// Which way is better.
    pub better: Better,
    /// Whether there are samples.
    pub kind: SeriesKind,
    /// Settings that are stated.
    pub settings: BTreeMap<String, String>,
    /// The values.
    pub values: Vec<f64>,
}

/// Two sides whose inputs match.
#[derive(Debug, Clone, PartialEq)]
pub struct Parallel {
    /// Of the first record or import.
    pub first: OneSide,
    /// Of the second.
    pub second: OneSide,
    /// Settings that both state and that differ: name, of the first, of the second.
    pub differing: Vec<(String, String, String)>,
    /// What can be said of the two.
    pub unpaired: Option<Unpaired>,
}

/// Second over first, unpaired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unpaired {
    /// Ratio of medians.
    pub of_medians: f64,
    /// Ratio of geometric means with its Welch interval at 95 %, both on the log scale; `None`
    /// under five values on either side, or where a side has a summary alone.
    pub of_means: Option<(f64, f64, f64)>,
}

/// The sides of an import.
#[must_use]
pub fn sides_of_import(import: &StoredImport) -> Vec<OneSide> {
    import
        .series()
        .map(|(series, values)| OneSide {
            place: format!("imported/{}", import.imported.name),
            label: series.label.clone(),
            model: series.model.as_deref().map(model_key),
            shape: series.shape,
            metric: series.metric.clone(),
            unit: series.unit.clone(),
            better: series.better,
            kind: series.kind,
            settings: series.settings.clone(),
            values: values.to_vec(),
        })
        .collect()
}

/// The arms of a record at each condition, each with one value a block, flagged blocks left out.
/// Of primitives there are none: no other tool measures the same.
#[must_use]
pub fn sides_of_record(record: &Record, rows: &[SampleRow]) -> Vec<OneSide> {
    let plan = &record.plan;
    let place = format!("{}/{}", record.sealed.id, record.sealed.run);
    let mut sides = Vec::new();
    for (condition, value) in (0_u32..).zip(plan.condition_values()) {
        let Some((shape, work, metric)) = work(plan, value) else { continue };
        for arm in &plan.arms {
            let named = match (&plan.condition, value) {
                (Some(condition), Some(value)) => {
                    let key = serde_json::to_value(condition.setting).unwrap_or_default();
                    let key = key.as_str().unwrap_or_default().to_owned();
                    format!("{} at {key}={value}", arm.name)
                }
                _ => arm.name.to_string(),
            };
            let values = block_rates(rows, condition, arm.name.as_str(), work);
            if values.is_empty() {
                continue;
            }
            sides.push(OneSide {
                place: place.clone(),
                label: named,
                model: Some(model_key(&record.provenance.model.name)),
                shape,
                metric: metric.key().to_owned(),
                unit: metric.unit().to_owned(),
                better: Better::More,
                kind: SeriesKind::Samples,
                settings: settings(plan, arm),
                values,
            });
        }
    }
    sides
}

/// All pairs of sides with the same model, work, metric and unit.
#[must_use]
pub fn parallels(first: &[OneSide], second: &[OneSide]) -> Vec<Parallel> {
    let mut found = Vec::new();
    for one in first {
        for other in second.iter().filter(|other| same_inputs(one, other)) {
            found.push(Parallel {
                differing: differing(&one.settings, &other.settings),
                unpaired: unpaired(one, other),
                first: one.clone(),
                second: other.clone(),
            });
        }
    }
    found
}

fn same_inputs(one: &OneSide, other: &OneSide) -> bool {
    let same = (&one.model, one.shape, &one.metric, &one.unit)
        == (&other.model, other.shape, &other.metric, &other.unit);
    // without a model and a shape, what is the same is the command
    same && (one.model.is_some() || !one.shape.is_empty() || one.label == other.label)
}

fn differing(
    one: &BTreeMap<String, String>,
    other: &BTreeMap<String, String>,
) -> Vec<(String, String, String)> {
    let both = one.iter().filter_map(|(key, value)| Some((key, value, other.get(key)?)));
    both.filter(|(_, here, there)| here != there)
        .map(|(key, here, there)| (key.clone(), here.clone(), there.clone()))
        .collect()
}

fn unpaired(one: &OneSide, other: &OneSide) -> Option<Unpaired> {
    let of_medians = stats::median(&other.values)? / stats::median(&one.values)?;
    if !of_medians.is_finite() {
        return None;
    }
    let enough = [one, other]
        .iter()
        .all(|side| side.kind == SeriesKind::Samples && side.values.len() >= FEWEST_FOR_INTERVAL);
    let logs = |side: &OneSide| -> Vec<f64> { side.values.iter().map(|v| libm::log(*v)).collect() };
    let of_means = enough
        .then(|| stats::welch_interval(&logs(other), &logs(one), CONFIDENCE_PERCENT))
        .flatten()
        .map(|interval| (interval.difference, interval.lo, interval.hi));
    Some(Unpaired { of_medians, of_means })
}

/// `SmolLM2-135M-Instruct-Q4_1.gguf` and a catalogue's `smollm2-135m-instruct-q4_1` are one.
fn model_key(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    name.strip_suffix(".gguf").map_or(name.clone(), str::to_owned)
}

/// Whether two names mean one model file.
#[must_use]
pub fn same_model(one: &str, other: &str) -> bool {
    model_key(one) == model_key(other)
}

/// The model as a plan names it.
#[must_use]
pub fn model_of_plan(plan: &Plan) -> String {
    match &plan.engine.model {
        ModelChoice::Named(name) => name.clone(),
        ModelChoice::File { path, .. } => {
            path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
        }
    }
}

/// The work of a plan at each of its condition's values; none of primitives.
#[must_use]
pub fn shapes_of_plan(plan: &Plan) -> Vec<Shape> {
    let values = plan.condition_values().into_iter();
    values.filter_map(|value| work(plan, value)).map(|(shape, _, _)| shape).collect()
}

fn work(plan: &Plan, value: Option<u32>) -> Option<(Shape, Work, Metric)> {
    let depth = plan.depth_at(value);
    match plan.work_at(value) {
        TimedWork::Decode { prompt_tokens, decode_tokens, .. } => Some((
            Shape {
                decode_tokens: Some(decode_tokens),
                depth_tokens: Some(depth.saturating_add(prompt_tokens)),
                ..Shape::default()
            },
            Work::Decode,
            Metric::DecodeTokensPerSecond,
        )),
        TimedWork::Prefill { prefill_tokens } => Some((
            Shape {
                prefill_tokens: Some(prefill_tokens),
                depth_tokens: Some(depth),
                ..Shape::default()
            },
            Work::Prefill,
            Metric::PrefillTokensPerSecond,
        )),
        TimedWork::Primitive { .. } => None,
    }
}

fn settings(plan: &Plan, arm: &crate::manifest::Arm) -> BTreeMap<String, String> {
    let json = serde_json::to_value(plan.settings_of(arm)).unwrap_or_default();
    let Some(object) = json.as_object() else { return BTreeMap::new() };
    let text =
        |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    object.iter().map(|(key, value)| (key.clone(), text(value))).collect()
}

/// Tokens a second of each block that no sensor flagged and in which every sample has a number.
fn block_rates(rows: &[SampleRow], condition: u32, arm: &str, work: Work) -> Vec<f64> {
    #[derive(Default)]
    struct Block {
        tokens: u64,
        nanoseconds: u64,
        left_out: bool,
    }
    let mut blocks: BTreeMap<(u32, u32, u32), Block> = BTreeMap::new();
    let own = rows.iter().filter(|row| row.condition == condition && row.arm == arm);
    for row in own.filter(|row| row.work == work) {
        let block = blocks.entry((row.round, row.segment, row.block)).or_default();
        block.tokens = block.tokens.saturating_add(u64::from(row.tokens));
        block.nanoseconds = block.nanoseconds.saturating_add(row.nanoseconds);
        block.left_out |= row.state != SampleState::Timed || !row.flags.is_empty();
    }
    let kept = blocks.values().filter(|block| !block.left_out && block.nanoseconds > 0);
    kept.map(|block| block.tokens as f64 / (block.nanoseconds as f64 * 1e-9)).collect()
}
