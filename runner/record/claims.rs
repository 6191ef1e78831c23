//! The sentences that may be written, with the attempt named in them.

use serde::{Deserialize, Serialize};

use super::sealed::EarlierRun;
use crate::verdict::{Analysis, Comparison, Verdict};

/// A sentence that may be written of one comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedClaim {
    /// The treatment.
    pub arm: String,
    /// The condition; empty without one.
    pub condition: String,
    /// The verdict that it follows from.
    pub verdict: Verdict,
    /// The sentence.
    pub sentence: String,
}

/// One claim for each comparison. The first attempt's are those of the analysis; a later attempt
/// says which it is, and a win after anything but a win says that it does not stand alone.
#[must_use]
pub fn sealed_claims(
    analysis: &Analysis,
    attempt: u32,
    earlier: &[EarlierRun],
) -> Vec<SealedClaim> {
    analysis
        .comparisons
        .iter()
        .map(|comparison| SealedClaim {
            arm: comparison.arm.clone(),
            condition: comparison.condition.clone(),
            verdict: comparison.verdict,
            sentence: sentence(comparison, attempt, earlier),
        })
        .collect()
}

fn sentence(comparison: &Comparison, attempt: u32, earlier: &[EarlierRun]) -> String {
    if attempt <= 1 || earlier.is_empty() {
        return comparison.claim.clone();
    }
    let ends: Vec<Option<Verdict>> =
        earlier.iter().map(|run| verdict_of(run, comparison)).collect();
    let listed: Vec<String> = earlier
        .iter()
        .zip(&ends)
        .map(|(run, end)| format!("{} {}", run.run, end.map_or("unfinished", verdict_word)))
        .collect();
    let before = format!("Attempt {attempt}, after {}: ", listed.join(", "));
    let alone =
        comparison.verdict == Verdict::Win && ends.iter().any(|end| *end != Some(Verdict::Win));
    let after = if alone {
        " This attempt does not win alone: the earlier outcome stands beside it, and the claim \
         needs a registration of its own."
    } else {
        ""
    };
    format!("{before}{}{after}", comparison.claim)
}

fn verdict_of(run: &EarlierRun, comparison: &Comparison) -> Option<Verdict> {
    let same = run
        .verdicts
        .iter()
        .find(|verdict| verdict.arm == comparison.arm && verdict.condition == comparison.condition);
    same.map(|verdict| verdict.verdict)
}

/// A verdict as one word.
#[must_use]
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Loss => "loss",
        Verdict::Level => "level",
        Verdict::Parked => "parked",
        Verdict::Void => "void",
        Verdict::Refused => "refused",
        Verdict::Incomplete => "incomplete",
        Verdict::Insufficient => "insufficient",
    }
}
