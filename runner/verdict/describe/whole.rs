//! The description as a whole.

use sample_table::SampleRow;

use super::course::course;
use super::estimators::estimators;
use super::no_effect::tests_of_no_effect;
use super::outliers::outliers;
use super::pairing::pairing;
use super::rounds::round_figures;
use super::spread::nested_spread;
use super::units::units;
use crate::manifest::Plan;
use crate::verdict::description::Description;
use crate::verdict::estimate::Estimate;
use crate::verdict::pairs::PairedBlock;

/// One comparison, as it was judged.
pub(in crate::verdict) struct DescribeInputs<'a> {
    /// The registered plan.
    pub plan: &'a Plan,
    /// Accepted blocks of the judged rounds, in order of measurement.
    pub pairs: &'a [&'a PairedBlock],
    /// Every sample of the run.
    pub samples: &'a [SampleRow],
    /// The arm that is held against off.
    pub arm: &'a str,
    /// Index of the condition's value.
    pub condition: u32,
    /// Of the interval that the decision was made on.
    pub confidence_percent: f64,
    /// Log ratio.
    pub margin: f64,
    /// What the decision was made on.
    pub registered: &'a Estimate,
}

/// Describes a comparison. A figure that does not exist for these blocks is `None` or left out;
/// none is NaN or infinite.
pub(in crate::verdict) fn describe(inputs: &DescribeInputs<'_>) -> Description {
    let units = units(inputs.pairs, inputs.samples);
    Description {
        rounds: round_figures(inputs.plan, &units),
        estimators: estimators(inputs, &units),
        tests: tests_of_no_effect(inputs),
        pairing: pairing(inputs.pairs),
        spread: nested_spread(inputs),
        course: course(inputs, &units),
        outliers: outliers(inputs.registered, &units),
    }
}
