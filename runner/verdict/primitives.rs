//! Primitives: what their figures are multiples of, that both sides did the same, and of what a figure
//! may be claimed.

use super::analysis::{Reason, ReasonCode};
use super::evidence::{ArmPrimitive, RunFacts};
use crate::manifest::{Metric, Pieces, Plan};

/// No memory moves and no processor computes a million of thousands of millions a second: a figure
/// above it is a clock that was read wrongly. GB/s or Gop/s.
const GREATEST_FIGURE: f64 = 1e6;

/// The regime of an arm's figures, in words.
#[must_use]
pub fn regime_of(one: &ArmPrimitive) -> String {
    let ArmPrimitive { description, .. } = one;
    match one.pieces {
        Pieces::One => format!("primitive, {description}: says nothing of the composition"),
        Pieces::Composition => format!("composition, {description}: the model's real sizes"),
    }
}

/// What an arm computes in a repetition.
fn of_arm<'facts>(
    facts: &'facts RunFacts,
    arm: &str,
    condition: u32,
) -> Option<&'facts ArmPrimitive> {
    facts.primitives.iter().find(|one| one.arm == arm && one.condition == condition)
}

/// What a rate of tokens, or of repetitions, is multiplied with to be in the metric's unit; `None`
/// where it is not known.
pub(super) fn scale(metric: Metric, facts: &RunFacts, arm: &str, condition: u32) -> Option<f64> {
    let giga = |count: u64| (count > 0).then_some(count as f64 * 1e-9);
    match metric {
        Metric::DecodeTokensPerSecond
        | Metric::PrefillTokensPerSecond
        | Metric::PromptMilliseconds
        | Metric::JoulesPerToken => Some(1.0),
        Metric::BytesPerSecond => giga(of_arm(facts, arm, condition)?.bytes_moved),
        Metric::OperationsPerSecond => giga(of_arm(facts, arm, condition)?.operations),
    }
}

/// What a figure of either side may be claimed of; `None` where texts are worked on.
pub(super) fn regimes(
    plan: &Plan,
    facts: &RunFacts,
    condition: u32,
    (off, arm): (&str, &str),
) -> Option<String> {
    if plan.workload.work.reads_text() {
        return None;
    }
    let side = |name: &str| match of_arm(facts, name, condition) {
        Some(one) => format!("`{name}`: {}", regime_of(one)),
        None => format!("`{name}`: a primitive whose sizes are not known"),
    };
    Some(format!("{}; {}", side(arm), side(off)))
}

/// What speaks against comparing two sides of a primitive: their rates are of repetitions, which must
/// be of the same work.
pub(super) fn objection(
    plan: &Plan,
    facts: &RunFacts,
    condition: u32,
    (off, arm): (&str, &str),
) -> Option<Reason> {
    if plan.workload.work.reads_text() {
        return None;
    }
    let sides = (of_arm(facts, off, condition), of_arm(facts, arm, condition));
    let (Some(off_side), Some(arm_side)) = sides else {
        // a run that ended early has a better reason than what it did not come to
        return facts.end.is_regular().then(|| {
            let text = format!("what `{off}` and `{arm}` computed was never counted");
            Reason::new(ReasonCode::TreatmentNotApplied, text)
        });
    };
    let counts = |one: &ArmPrimitive| (one.bytes_moved, one.operations);
    if counts(off_side) == counts(arm_side) {
        return None;
    }
    let text = format!(
        "a repetition of `{off}` moved {} bytes and computed {} operations, one of `{arm}` {} and {}",
        off_side.bytes_moved, off_side.operations, arm_side.bytes_moved, arm_side.operations
    );
    Some(Reason::new(ReasonCode::UnequalWork, text))
}

/// A figure that is outside the metric's support, in words.
pub(super) fn outside_support(metric: Metric, arm: &str, greatest: Option<f64>) -> Option<Reason> {
    match metric {
        Metric::DecodeTokensPerSecond
        | Metric::PrefillTokensPerSecond
        | Metric::PromptMilliseconds
        | Metric::JoulesPerToken => return None,
        Metric::BytesPerSecond | Metric::OperationsPerSecond => {}
    }
    let greatest = greatest.filter(|figure| *figure > GREATEST_FIGURE)?;
    let unit = metric.unit();
    let text =
        format!("`{arm}` has {greatest:.3e} {unit}, and nothing has over {GREATEST_FIGURE:.0e}");
    Some(Reason::new(ReasonCode::OutsideSupport, text))
}
