use super::units::Unit;
use super::whole::DescribeInputs;
use crate::verdict::description::{NestedSpread, RunCourse};

pub(super) type Located = (f64, f64, f64);

pub(super) fn hodges_lehmann_rounds(_: &[f64], _: f64) -> Option<Located> {
    None
}

pub(super) fn bca_rounds(_: &DescribeInputs<'_>, _: &[Vec<f64>]) -> Option<Located> {
    None
}

pub(super) fn percentile_rounds(_: &DescribeInputs<'_>, _: &[Vec<f64>]) -> Option<Located> {
    None
}

pub(super) fn trimmed_blocks(_: &[f64], _: f64) -> Option<Located> {
    None
}

pub(super) fn sampled_sign_flip(_: &DescribeInputs<'_>, _: &[f64]) -> Option<(f64, String)> {
    None
}

pub(super) fn mad_marked(_: &[f64], _: f64) -> Option<Vec<bool>> {
    None
}

pub(super) fn nested_variance(_: &DescribeInputs<'_>, _: &[Unit<'_>]) -> Option<NestedSpread> {
    None
}

pub(super) fn run_course(_: &DescribeInputs<'_>, _: &[Unit<'_>]) -> Option<RunCourse> {
    None
}
