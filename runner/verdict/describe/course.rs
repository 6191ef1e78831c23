//! Drift and carry-over.

use super::pending::run_course;
use super::units::Unit;
use super::whole::DescribeInputs;
use crate::verdict::description::RunCourse;

/// Trend over blocks, effect of the place in a chunk, likeness of neighbouring rounds, a shift.
pub(super) fn course(inputs: &DescribeInputs<'_>, units: &[Unit<'_>]) -> Option<RunCourse> {
    run_course(inputs, units)
}
