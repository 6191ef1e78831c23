//! All details of one comparison, in the order in which they are read. What stands in full under
//! its verdict is not said again.

use super::super::energy::rate_word;
use super::section::{Part, Section};
use super::{course, estimators, looks, no_effect, outliers, pairing, spread, strip};
use crate::manifest::Plan;
use crate::stats::log_of_percent;
use crate::verdict::Comparison;

/// The sections of a comparison; drawings are `width` columns wide or less. Empty for a record of
/// rules version 1, which describes nothing more.
pub(in crate::report) fn sections(
    plan: &Plan,
    comparison: &Comparison,
    width: usize,
) -> Vec<Section> {
    let mut found = Vec::new();
    if let Some(description) = &comparison.description {
        let margin = log_of_percent(plan.decision.margin_percent);
        found.push(Section::new(
            "Every pair",
            strip::every_pair(description, comparison.effect.as_ref(), margin, width),
        ));
        found.push(Section::new(
            "Estimators",
            vec![
                Part::Table(estimators::table(&description.estimators)),
                Part::Lines(estimators::at_a_look(&comparison.looks).into_iter().collect()),
                Part::Lines(no_effect::line(&description.tests).into_iter().collect()),
            ],
        ));
    }
    found.push(Section::new("Looks", vec![Part::Table(looks::table(&comparison.looks))]));
    if let Some(description) = &comparison.description {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(description.pairing.as_ref().map(pairing::errors));
        lines.extend(description.spread.as_ref().map(spread::line));
        lines.extend(description.course.iter().flat_map(|found| {
            course::lines(found, &description.rounds, rate_word(&comparison.metric))
        }));
        lines.extend(description.outliers.as_ref().map(outliers::line));
        found.push(Section::new("Noise", vec![Part::Lines(lines)]));
    }
    found.into_iter().flatten().collect()
}
