//! What should make a reader careful.

use super::super::figures::{p_value, percent_change};
use super::super::rows::counted;
use super::course::shift;
use crate::stats::{ChangePoint, is_warm_up};
use crate::verdict::{Description, RunCourse, ShiftFigure};

/// p below which something is a warning. There are a few such tests to a comparison, so a
/// twentieth would warn of nothing too often.
const WARNED_P: f64 = 0.01;

/// Standard normal quantile with 1 % in both tails. Without dependence the lag-1 correlation of n
/// values is about normal with spread 1 / sqrt(n): M. S. Bartlett, "On the theoretical
/// specification and sampling properties of autocorrelated time-series", Supplement to the JRSS 8
/// (1946).
const LAG_QUANTILE: f64 = 2.576;

/// A sentence for each, most telling first. `blocks` entered the comparison, and `rate` is
/// what the metric has more of.
pub(super) fn warnings(description: &Description, blocks: u32, rate: &str) -> Vec<String> {
    let Some(course) = &description.course else { return Vec::new() };
    let mut found = Vec::new();
    found.extend(drift(course));
    // a shift is stored only where its p is low
    if let Some(shifted) = &course.shift {
        found.push(format!("{}{}", shift(shifted, rate), warm_up(shifted, blocks)));
    }
    found.extend(neighbours(course, description.rounds.len()));
    found.extend(places(course));
    found.into_iter().map(|text| format!("warning: {text}")).collect()
}

/// Off that grows faster in the first half of a run had not warmed up when it began.
fn warm_up(shift: &ShiftFigure, blocks: u32) -> &'static str {
    let found = ChangePoint { after: shift.after_block as usize, size: shift.size, p: shift.p };
    if shift.series == "off" && is_warm_up(&found, blocks as usize) {
        ": warm-up had not ended when the run began"
    } else {
        ""
    }
}

fn low(p: Option<f64>) -> Option<f64> {
    p.filter(|p| *p < WARNED_P)
}

fn drift(course: &RunCourse) -> Option<String> {
    let p = low(course.trend_p)?;
    Some(format!(
        "the log ratio drifts by {} over the run, {}",
        percent_change(course.trend),
        p_value(p)
    ))
}

/// Only likeness: neighbours that differ more than chance make the interval too wide, not too
/// narrow.
fn neighbours(course: &RunCourse, units: usize) -> Option<String> {
    let lag_1 = course.lag_1.filter(|lag_1| *lag_1 > LAG_QUANTILE / libm::sqrt(units as f64))?;
    let worth = course.effective_rounds.map_or_else(String::new, |effective| {
        format!(", so {} are worth {effective:.1}", counted(units as u32, "unit"))
    });
    Some(format!(
        "neighbouring rounds are alike (correlation {lag_1:.2}){worth}: the interval is too narrow"
    ))
}

fn places(course: &RunCourse) -> Option<String> {
    let p = low(course.places_p)?;
    let rates = course.places.iter().map(|place| place.log_rate);
    let (least, greatest) =
        (rates.clone().fold(f64::INFINITY, f64::min), rates.fold(f64::NEG_INFINITY, f64::max));
    Some(format!(
        "the place within a chunk matters: fastest over slowest {}, {}",
        percent_change(greatest - least),
        p_value(p)
    ))
}
