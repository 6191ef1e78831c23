//! From paired blocks to an effect with its interval.

use std::collections::BTreeMap;

use super::analysis::{Agreement, Effect, Spread};
use super::pairs::PairedBlock;
use crate::stats::{
    mean, quartiles, sign_counts, standard_deviation, t_interval, trimmed_mean, welch_interval,
};

/// An effect, and what is needed beside it to judge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Estimate {
    pub effect: Effect,
    /// Different rounds that the units come from: a resumed round has several parts.
    pub rounds: u32,
    /// Values of the units, in order of round and segment.
    pub units: Vec<f64>,
    /// Two-sided p against no effect; `None` without an interval or without spread.
    pub p: Option<f64>,
    /// What the timer can resolve of one unit's value, log scale.
    pub resolution: f64,
    /// The units differ by no more than the timer resolves.
    pub resolution_limited: bool,
}

impl Estimate {
    /// Half the width of the interval.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.effect.hi? - self.effect.lo?) / 2.0)
    }

    /// The same with an interval of this half width, or with none. It has no p: that of Student's
    /// t goes with the fixed rule over rounds alone. What is limited by the timer stays as it is.
    pub fn widened_to(mut self, half_width: Option<f64>) -> Estimate {
        self.p = None;
        if !self.resolution_limited {
            self.effect.lo = half_width.map(|half_width| self.effect.log_ratio - half_width);
            self.effect.hi = half_width.map(|half_width| self.effect.log_ratio + half_width);
        }
        self
    }
}

/// One unit of analysis: a round, or a resumed part of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub round: u32,
    /// Trimmed mean of its blocks' log ratios.
    pub value: f64,
    /// Of its blocks, the coarsest resolution of the timer.
    resolution: f64,
}

/// The units that blocks make, in order of round and segment.
pub(super) fn units(blocks: &[&PairedBlock]) -> Vec<Unit> {
    let mut by_unit: BTreeMap<(u32, u32), (Vec<f64>, f64)> = BTreeMap::new();
    for block in blocks {
        let unit = by_unit.entry((block.key.round, block.key.segment)).or_default();
        unit.0.push(block.log_ratio);
        unit.1 = unit.1.max(block.resolution);
    }
    by_unit
        .into_iter()
        .filter_map(|((round, _), (values, resolution))| {
            Some(Unit { round, value: trimmed_mean(&values)?, resolution })
        })
        .collect()
}

/// The registered estimate: each unit (a round, or a resumed part of one) is the trimmed mean of
/// its blocks' log ratios, and the interval is t over units. Where the units differ by no more
/// than the timer resolves, the interval is that resolution instead of nothing. `None` without
/// blocks.
pub(super) fn estimate(blocks: &[&PairedBlock], confidence_percent: f64) -> Option<Estimate> {
    estimate_of(&units(blocks), confidence_percent)
}

/// The same of units that are known already.
pub(super) fn estimate_of(units: &[Unit], confidence_percent: f64) -> Option<Estimate> {
    let resolution = units.iter().fold(0.0_f64, |most, unit| most.max(unit.resolution));
    let rounds = units.chunk_by(|left, right| left.round == right.round).count() as u32;
    let units: Vec<f64> = units.iter().map(|unit| unit.value).collect();
    let centre = mean(&units)?;
    let sd = standard_deviation(&units).unwrap_or(0.0);
    let resolution_limited = units.len() >= 2 && sd <= resolution;
    let interval = t_interval(&units, confidence_percent);
    let (lo, hi) = if resolution_limited {
        (Some(centre - resolution), Some(centre + resolution))
    } else {
        (interval.map(|interval| interval.lo), interval.map(|interval| interval.hi))
    };
    let p = if resolution_limited { None } else { interval.and_then(|interval| interval.p) };
    let effect =
        Effect { log_ratio: centre, sd, lo, hi, confidence_percent, n: units.len() as u32 };
    Some(Estimate { effect, rounds, units, p, resolution, resolution_limited })
}

/// Units whose value has the sign of the estimate.
pub(super) fn units_agree(estimate: &Estimate) -> Agreement {
    agreement(&estimate.units, estimate.effect.log_ratio)
}

/// Inputs whose mean log ratio has the sign of the estimate.
pub(super) fn inputs_agree(blocks: &[&PairedBlock], direction: f64) -> Agreement {
    let mut by_input: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for block in blocks {
        by_input.entry(&block.input).or_default().push(block.log_ratio);
    }
    let means: Vec<f64> = by_input.values().filter_map(|values| mean(values)).collect();
    agreement(&means, direction)
}

fn agreement(values: &[f64], direction: f64) -> Agreement {
    let counts = sign_counts(values);
    Agreement { agree: counts.agreeing_with(direction), of: counts.total() }
}

/// The view that ignores pairing: all block values of one arm against all of the other, Welch's
/// interval on logs. `n` counts the values of both arms; `sd` is the spread of single values.
pub(super) fn pooled(blocks: &[&PairedBlock], confidence_percent: f64) -> Option<Effect> {
    let logs = |rate: fn(&PairedBlock) -> f64| -> Vec<f64> {
        blocks.iter().map(|block| libm::log(rate(block))).collect()
    };
    let arm = logs(|block| block.arm.rate());
    let off = logs(|block| block.off.rate());
    let difference = mean(&arm)? - mean(&off)?;
    let welch = welch_interval(&arm, &off, confidence_percent);
    Some(Effect {
        log_ratio: difference,
        sd: welch.map_or(0.0, |welch| welch.standard_deviation),
        lo: welch.map(|welch| welch.lo),
        hi: welch.map(|welch| welch.hi),
        confidence_percent,
        n: (arm.len() + off.len()) as u32,
    })
}

/// Order figures of a sample; `None` for none.
pub(super) fn spread(values: &[f64]) -> Option<Spread> {
    let five = quartiles(values)?;
    Some(Spread {
        median: five.median,
        q1: five.first,
        q3: five.third,
        least: five.least,
        greatest: five.greatest,
        n: values.len() as u32,
    })
}

/// Whether an effect's interval leaves out zero.
pub(super) fn leaves_out_zero(effect: &Effect) -> bool {
    match (effect.lo, effect.hi) {
        (Some(lo), Some(hi)) => lo > 0.0 || hi < 0.0,
        _ => false,
    }
}
