//! What stands beside a verdict: the short lines under it, and the details below everything.

mod axis;
mod class_intervals;
mod comparison;
mod course;
mod estimators;
mod headline;
mod looks;
mod markdown;
mod no_effect;
mod outliers;
mod pairing;
mod section;
mod spread;
mod strip;
mod strip_rows;
mod terminal;
mod warnings;

#[cfg(test)]
mod detail_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod strip_tests;

pub(super) use axis::pair_axis;
pub(super) use comparison::sections;
pub(super) use estimators::{NOT_COMPARED, is_not_compared, name as estimator_name};
pub(super) use headline::headline;
pub(super) use markdown::markdown_details;
pub(super) use section::{Part, Section};
pub(super) use terminal::terminal_details;
