//! Every loaded tensor against the checkpoint; every tensor of both sides must be accounted for.

use std::collections::{BTreeMap, BTreeSet};

use super::gate::{Bar, Counts, Gate, GateKind};
use super::names::Rule;

/// Types whose values are the checkpoint's, bit for bit.
const UNQUANTISED: [&str; 3] = ["f32", "f16", "bf16"];
/// How far a dequantised value may lie from the reference's, in units of the last place.
const MOST_ULPS: u64 = 1;

/// A tensor as the engine holds it.
#[derive(Debug, Clone, Copy)]
pub struct Held<'values> {
    /// Its name.
    pub name: &'values str,
    /// Its type as loaded.
    pub tensor_type: &'values str,
    /// Its values.
    pub values: &'values [f32],
}

/// Tensors as they come in.
#[derive(Debug, Clone, Default)]
pub struct WeightsComparison {
    /// The engine's tensors: how many of their values were compared, of how many.
    held: BTreeMap<String, (usize, usize)>,
    unknown: BTreeSet<String>,
    compared: u64,
    checkpoint: u64,
    equal_values: u64,
    values: u64,
    most_ulps: u64,
    first: Option<String>,
}

impl WeightsComparison {
    /// The engine's tensors, each with its number of values.
    #[must_use]
    pub fn of(held: impl IntoIterator<Item = (String, usize)>) -> WeightsComparison {
        WeightsComparison {
            held: held.into_iter().map(|(name, count)| (name, (0, count))).collect(),
            ..WeightsComparison::default()
        }
    }

    /// A tensor of the checkpoint begins.
    pub fn begin(&mut self) {
        self.checkpoint += 1;
    }

    /// A tensor of the checkpoint has no counterpart.
    pub fn unmatched(&mut self, checkpoint: &str) {
        self.unknown.insert(format!("`{checkpoint}` of the checkpoint"));
    }

    /// Compares a tensor of the checkpoint, of the given shape (the slowest dimension first), with
    /// one of the engine's.
    pub fn add(&mut self, checkpoint: (&str, &[usize], &[f32]), rule: Rule, held: Held<'_>) {
        let (name, shape, values) = checkpoint;
        let place = |index: usize| format!("`{}` ({name}), value {index}", held.name);
        let Some(pairs) = pairs(shape, values.len(), rule, held.values.len()) else {
            self.first.get_or_insert_with(|| {
                format!(
                    "`{}` has {} values, `{name}` has the shape {shape:?}",
                    held.name,
                    held.values.len()
                )
            });
            return;
        };
        let exact = UNQUANTISED.contains(&held.tensor_type);
        let allowed = if exact { 0 } else { MOST_ULPS };
        let mut count = 0;
        for (here, there) in pairs {
            let (Some(wanted), Some(is)) = (values.get(here), held.values.get(there)) else {
                continue;
            };
            let wanted = if rule == Rule::PlusOne { *wanted + 1.0 } else { *wanted };
            let ulps = ulps(wanted, *is);
            count += 1;
            self.equal_values += u64::from(ulps == 0);
            self.most_ulps = self.most_ulps.max(ulps);
            if ulps > allowed {
                self.first.get_or_insert_with(|| {
                    format!("{}: {wanted:e} in the checkpoint, {is:e} loaded", place(there))
                });
            }
        }
        self.values += count as u64;
        self.compared += 1;
        if let Some(done) = self.held.get_mut(held.name) {
            done.0 += count;
        }
    }

    /// The gate: all tensors of both sides, the engine's wholly covered.
    #[must_use]
    pub fn gate(&self) -> Gate {
        let uncovered = self.held.iter().filter(|(_, (done, all))| done < all);
        let left: Vec<String> = self
            .unknown
            .iter()
            .cloned()
            .chain(uncovered.map(|(name, (done, all))| match done {
                0 => format!("`{name}` of the engine"),
                _ => format!("{} of {all} values of `{name}` of the engine", all - done),
            }))
            .collect();
        let kept = left.is_empty() && self.first.is_none() && self.compared > 0;
        let mut detail = format!(
            "{} tensors of the engine, {} of the checkpoint; {} of {} values equal, the others \
             within {} ulp",
            self.held.len(),
            self.checkpoint,
            self.equal_values,
            self.values,
            self.most_ulps
        );
        if let Some(first) = &self.first {
            detail = format!("{first}; {detail}");
        }
        if !left.is_empty() {
            let shown: Vec<&str> = left.iter().take(4).map(String::as_str).collect();
            let more = left.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            detail = format!("not accounted for: {}{more}; {detail}", shown.join(", "));
        }
        let covered = self.held.values().filter(|(done, all)| done >= all).count();
        let counts =
            Counts { compared: covered as u64, required: self.held.len() as u64, prompts: 0 };
        let bar = if kept { Bar::Kept } else { Bar::Broken };
        Gate::judged(GateKind::Weights, bar, counts, Some(self.most_ulps as f64), detail)
    }
}

/// Pairs of places: in the checkpoint's tensor, in the engine's. `None` where shapes do not fit.
fn pairs(
    shape: &[usize],
    count: usize,
    rule: Rule,
    held: usize,
) -> Option<Box<dyn Iterator<Item = (usize, usize)>>> {
    match rule {
        Rule::Same | Rule::PlusOne => (count == held).then(|| -> Box<dyn Iterator<Item = _>> {
            Box::new((0..count).map(|place| (place, place)))
        }),
        Rule::Interleaved { heads } => {
            let rows = *shape.first()?;
            let width = count.checked_div(rows)?;
            let head = rows.checked_div(heads)?;
            let half = head / 2;
            if count != held || head * heads != rows || half * 2 != head {
                return None;
            }
            Some(Box::new((0..count).map(move |there| {
                let (row, column) = (there / width, there % width);
                let (within, first) = (row % head, row - row % head);
                let here = first + (within % 2) * half + within / 2;
                (here * width + column, there)
            })))
        }
        Rule::Expert { index } => {
            let start = index.checked_mul(count)?;
            (start.checked_add(count)? <= held).then(|| -> Box<dyn Iterator<Item = _>> {
                Box::new((0..count).map(move |place| (place, start + place)))
            })
        }
        Rule::FirstHalf | Rule::SecondHalf => {
            let experts = *shape.first()?;
            let each = count.checked_div(experts)?;
            let half = each / 2;
            if half * 2 != each || half * experts != held {
                return None;
            }
            let skip = if rule == Rule::FirstHalf { 0 } else { half };
            Some(Box::new(
                (0..held).map(move |there| (there / half * each + skip + there % half, there)),
            ))
        }
    }
}

/// How many numbers lie between two, counted in representable ones; the largest count where one
/// of them is no number.
fn ulps(left: f32, right: f32) -> u64 {
    if left == right {
        return 0;
    }
    if left.is_nan() || right.is_nan() {
        return u64::MAX;
    }
    let ordered = |value: f32| {
        let bits = i64::from(value.to_bits() & 0x7fff_ffff);
        if value.is_sign_negative() { -bits } else { bits }
    };
    ordered(left).abs_diff(ordered(right))
}
