//! Looks, each on exactly the samples that it saw.

use super::super::figures::{percent_change, probability, ratio};
use super::super::rows::counted;
use crate::verdict::{AdjustedEstimate, LookFigure, LookOutcome};

/// Looks shown under a verdict: the first and the last of a longer row of them.
const FIRST_SHOWN: usize = 1;
const LAST_SHOWN: usize = 3;

/// A line for each look, open ones in the middle of a long row left out, and the estimate
/// corrected for looking.
pub(super) fn lines(looks: &[LookFigure], adjusted: Option<&AdjustedEstimate>) -> Vec<String> {
    let middle = FIRST_SHOWN..looks.len().saturating_sub(LAST_SHOWN);
    let hidden = |place: usize, look: &LookFigure| {
        middle.len() > 1 && middle.contains(&place) && look.outcome == LookOutcome::GoOn
    };
    let mut found = Vec::new();
    let mut left_out = 0;
    for (place, look) in looks.iter().enumerate() {
        if hidden(place, look) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            found.push(format!("{}, open each time", counted(left_out, "more look")));
            left_out = 0;
        }
        found.push(line(look));
    }
    found.extend(adjusted.map(corrected));
    found
}

/// A header and a row for each look.
pub(super) fn table(looks: &[LookFigure]) -> Vec<Vec<String>> {
    let header = ["look", "rounds", "share", "nominal p", "ratio to off", "interval", "outcome"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(looks.iter().map(|look| {
        vec![
            look.look.to_string(),
            look.rounds.to_string(),
            format!("{:.2}", look.information),
            probability(look.nominal_p),
            format!("{} ({})", ratio(look.log_ratio), percent_change(look.log_ratio)),
            interval(look).unwrap_or_else(|| "no interval".to_owned()),
            outcome(look.outcome).to_owned(),
        ]
    }));
    rows
}

fn interval(look: &LookFigure) -> Option<String> {
    Some(format!("{} to {}", ratio(look.lo?), ratio(look.hi?)))
}

fn line(look: &LookFigure) -> String {
    let interval = interval(look)
        .map_or_else(|| "no interval".to_owned(), |text| format!("repeated interval {text}"));
    let units = if look.units == look.rounds {
        String::new()
    } else {
        format!(" in {}", counted(look.units, "part"))
    };
    let chance = look.chance_of_decision.map_or_else(String::new, |chance| {
        format!("; chance of a decision by the last look {:.0} %", 100.0 * chance)
    });
    format!(
        "look {}: {}{units}, information {:.2}, nominal p {}, {} ({}), {interval}: {}{chance}",
        look.look,
        counted(look.rounds, "round"),
        look.information,
        probability(look.nominal_p),
        ratio(look.log_ratio),
        percent_change(look.log_ratio),
        outcome(look.outcome)
    )
}

fn outcome(outcome: LookOutcome) -> &'static str {
    match outcome {
        LookOutcome::Win => "win",
        LookOutcome::Loss => "loss",
        LookOutcome::Level => "level",
        LookOutcome::Futile => "futile, parked",
        LookOutcome::GoOn => "open",
        LookOutcome::Undecided => "undecided",
    }
}

fn corrected(estimate: &AdjustedEstimate) -> String {
    format!(
        "corrected for looking: {} ({}), {} to {} (described, not judged)",
        ratio(estimate.log_ratio),
        percent_change(estimate.log_ratio),
        ratio(estimate.lo),
        ratio(estimate.hi)
    )
}
