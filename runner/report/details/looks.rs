//! Looks, each on exactly the samples that it saw.

use super::super::figures::{percent_change, probability, ratio};
use super::super::rows::counted;
use crate::verdict::{AdjustedEstimate, LookFigure, LookOutcome};

/// Looks shown under a verdict: the first and the last of a longer row of them.
const FIRST_SHOWN: usize = 1;
const LAST_SHOWN: usize = 3;

/// Every look, and the estimate corrected for them.
pub(super) fn all(looks: &[LookFigure], adjusted: Option<&AdjustedEstimate>) -> Vec<String> {
    looks.iter().map(line).chain(adjusted.map(corrected)).collect()
}

/// The same with the middle of a long row of looks left out.
pub(super) fn short(looks: &[LookFigure], adjusted: Option<&AdjustedEstimate>) -> Vec<String> {
    let hidden = looks.len().saturating_sub(FIRST_SHOWN + LAST_SHOWN);
    if hidden < 2 {
        return all(looks, adjusted);
    }
    let mut lines: Vec<String> = looks.iter().take(FIRST_SHOWN).map(line).collect();
    lines.push(format!("{hidden} more looks, none of which ended the run"));
    lines.extend(looks.iter().skip(FIRST_SHOWN + hidden).map(line));
    lines.extend(adjusted.map(corrected));
    lines
}

fn line(look: &LookFigure) -> String {
    let interval = match (look.lo, look.hi) {
        (Some(lo), Some(hi)) => format!("repeated interval {} to {}", ratio(lo), ratio(hi)),
        _ => "no interval".to_owned(),
    };
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
        LookOutcome::GoOn => "open, went on",
        LookOutcome::Undecided => "open at the last look",
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
