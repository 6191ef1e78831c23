//! Every pair, by round.

use std::collections::BTreeMap;

use sample_table::SampleRow;

use crate::manifest::Plan;
use crate::stats::trimmed_mean;
use crate::verdict::description::{Description, RoundFigure};
use crate::verdict::estimate::Estimate;
use crate::verdict::pairs::PairedBlock;

/// What a description is made of.
#[expect(dead_code, reason = "other estimators and the course of the run need the rest")]
pub(in crate::verdict) struct DescribeInputs<'a> {
    /// The registered plan.
    pub plan: &'a Plan,
    /// Accepted blocks of the judged rounds, in order.
    pub pairs: &'a [&'a PairedBlock],
    /// All samples of the judged rounds, in order of measurement.
    pub samples: &'a [SampleRow],
    /// The comparison's arm.
    pub arm: &'a str,
    /// Index of its condition value.
    pub condition: u32,
    /// Of its interval, percent.
    pub confidence_percent: f64,
    /// Log ratio.
    pub margin: f64,
    /// The registered estimate.
    pub registered: &'a Estimate,
}

/// Describes one comparison.
pub(in crate::verdict) fn describe(inputs: &DescribeInputs<'_>) -> Description {
    let mut by_unit: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
    for block in inputs.pairs {
        by_unit.entry((block.key.round, block.key.segment)).or_default().push(block.log_ratio);
    }
    let mut rounds: Vec<RoundFigure> = Vec::new();
    for ((round, _), blocks) in by_unit {
        let part = match rounds.last() {
            Some(before) if before.round == round => before.part + 1,
            _ => 0,
        };
        let value = trimmed_mean(&blocks).unwrap_or(0.0);
        rounds.push(RoundFigure { round, part, value, blocks });
    }
    Description {
        rounds,
        estimators: Vec::new(),
        tests: Vec::new(),
        pairing: None,
        spread: None,
        course: None,
        outliers: None,
    }
}
