//! Drift and carry-over, in words.

use super::super::figures::{fine_change, p_value, percent_change};
use super::super::rows::counted;
use crate::verdict::{RoundFigure, RunCourse, ShiftFigure};

/// A line each: trend, places, neighbouring rounds, shift. `rate` is what the metric has more of.
pub(super) fn lines(course: &RunCourse, rounds: &[RoundFigure], rate: &str) -> Vec<String> {
    let p = |p: Option<f64>| p.map_or_else(|| "no p".to_owned(), p_value);
    let mut lines = vec![format!(
        "drift: the log ratio changes by {} from the first round to the last, {}",
        percent_change(course.trend),
        p(course.trend_p)
    )];
    if !course.places.is_empty() {
        let places: Vec<String> = course
            .places
            .iter()
            .map(|place| {
                let samples = counted(place.n, "sample");
                format!("place {} {} ({samples})", place.place, fine_change(place.log_rate))
            })
            .collect();
        lines.push(format!(
            "{rate} by place within a chunk, against the mean of all places: {}; {}",
            places.join(", "),
            p(course.places_p)
        ));
    }
    if let Some(lag_1) = course.lag_1 {
        let worth = course.effective_rounds.map_or_else(String::new, |effective| {
            let units = counted(rounds.len() as u32, "unit");
            format!("; {units} are worth {effective:.1} independent ones")
        });
        lines.push(format!("neighbouring rounds: correlation {lag_1:.2}{worth}"));
    }
    lines.push(match &course.shift {
        Some(found) => format!("shift: {}", shift(found, rate)),
        None => "shift: none found".to_owned(),
    });
    lines
}

/// `off's own speed shifts by -8.0 % after 40 blocks, p 0.0004 over rounds`.
pub(super) fn shift(shift: &ShiftFigure, rate: &str) -> String {
    let series = match shift.series.as_str() {
        "log_ratio" => "the log ratio".to_owned(),
        "off" => format!("off's own {rate}"),
        other => other.to_owned(),
    };
    format!(
        "{series} shifts by {} after {}, {} over rounds",
        percent_change(shift.size),
        counted(shift.after_block, "block"),
        p_value(shift.p)
    )
}
