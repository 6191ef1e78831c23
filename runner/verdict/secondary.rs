//! Metrics that are described and never judged.

use std::collections::BTreeSet;

use super::analysis::SecondaryFigure;
use super::blocks::{gather, reading_of, value_of};
use super::estimate::spread;
use super::evidence::Evidence;
use super::primitives::scale;
use super::words::condition as condition_label;
use crate::manifest::Plan;

/// Each secondary metric of each arm at each condition value, over blocks of `whole_rounds`
/// that no sensor flagged. A metric of which nothing was recorded is left out.
pub(super) fn secondary(
    plan: &Plan,
    evidence: &Evidence,
    whole_rounds: &BTreeSet<u32>,
) -> Vec<SecondaryFigure> {
    let mut figures = Vec::new();
    for &metric in &plan.metric.secondary {
        let blocks = gather(&evidence.samples, reading_of(plan, metric));
        for (condition, value) in plan.condition_values().into_iter().enumerate() {
            for arm in &plan.arms {
                let name = arm.name.as_str();
                let scale = scale(metric, &evidence.facts, name, condition as u32);
                let Some(scale) = scale else { continue };
                let values: Vec<f64> = blocks
                    .iter()
                    .filter(|(key, block)| {
                        key.condition as usize == condition
                            && whole_rounds.contains(&key.round)
                            && !block.is_flagged()
                    })
                    .filter_map(|(_, block)| block.arms.get(arm.name.as_str()))
                    .filter(|arm| !arm.lacks_number() && arm.outside_support.is_none())
                    .map(|arm| value_of(metric, arm) * scale)
                    .collect();
                if let Some(values) = spread(&values) {
                    figures.push(SecondaryFigure {
                        arm: arm.name.to_string(),
                        condition: condition_label(plan, value),
                        metric: metric.key().to_owned(),
                        values,
                    });
                }
            }
        }
    }
    figures
}
