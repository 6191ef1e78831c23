//! The sentence that may be written for each outcome.

use super::analysis::{Comparison, Effect, Reason, ReasonCode, Verdict};
use super::words::{confidence, counted, interval, model, percent};
use crate::manifest::{InputScope, Metric, Plan};

/// The registered wording of the verdict, or the default one. It names only what the plan
/// contains: the arms, the model, the inputs, the condition.
pub(super) fn claim(plan: &Plan, comparison: &Comparison) -> String {
    let worded = match comparison.verdict {
        Verdict::Win => &plan.claim.win,
        Verdict::Loss => &plan.claim.loss,
        Verdict::Level => &plan.claim.level,
        Verdict::Parked => &plan.claim.parked,
        Verdict::Void | Verdict::Refused | Verdict::Incomplete | Verdict::Insufficient => &None,
    };
    worded.clone().unwrap_or_else(|| default_claim(plan, comparison))
}

fn default_claim(plan: &Plan, comparison: &Comparison) -> String {
    let arm = &comparison.arm;
    let off = plan.arms.get(plan.off()).map_or("off", |off| off.name.as_str());
    let scope = scope(plan, &comparison.condition);
    let doing = doing(plan.metric.primary);
    let code = reason_name(&comparison.reason);
    let Some(effect) = &comparison.effect else {
        return format!("Nothing may be said of `{arm}` against `{off}` {scope} ({code}).");
    };
    let figures = figures(comparison, effect);
    let change = percent(effect.log_ratio);
    let size = change.trim_start_matches(['+', '-']);
    match comparison.reason.code {
        ReasonCode::DescribedOnly => {
            return format!(
                "`{arm}` against `{off}` {scope} was described, not judged: {change} ({figures})."
            );
        }
        ReasonCode::ResolutionLimited => {
            return format!(
                "Whether `{arm}` differs from `{off}` {scope} is open ({code}): {}.",
                comparison.reason.text
            );
        }
        _ => {}
    }
    match comparison.verdict {
        Verdict::Win => format!("`{arm}` {doing} {size} faster than `{off}` {scope} ({figures})."),
        Verdict::Loss => format!("`{arm}` {doing} {size} slower than `{off}` {scope} ({figures})."),
        Verdict::Level => format!(
            "`{arm}` and `{off}` are level {scope}: within {} % of each other ({change}, \
             {figures}).",
            plan.decision.margin_percent
        ),
        Verdict::Parked => format!(
            "Whether `{arm}` differs from `{off}` {scope} by more than {} % is open ({code}): \
             {change} ({figures}).",
            plan.decision.margin_percent
        ),
        Verdict::Void | Verdict::Refused | Verdict::Incomplete | Verdict::Insufficient => {
            format!("Nothing may be said of `{arm}` against `{off}` {scope} ({code}).")
        }
    }
}

fn doing(metric: Metric) -> &'static str {
    match metric {
        Metric::DecodeTokensPerSecond => "decodes",
        Metric::PrefillTokensPerSecond => "prefills",
        Metric::PromptMilliseconds => "evaluates prompts",
    }
}

fn scope(plan: &Plan, condition: &str) -> String {
    let inputs = match plan.design.input_scope {
        InputScope::Set => format!("on these inputs ({})", plan.workload.inputs),
        // Rules 1 do not widen the interval for the choice of inputs, so no more is claimed.
        InputScope::Class => {
            format!("on these inputs ({}, a sample of their class)", plan.workload.inputs)
        }
    };
    let at = if condition.is_empty() { String::new() } else { format!(" at {condition}") };
    format!("{inputs}{at} with {}", model(plan))
}

/// `95 % interval +3.93 to +6.30 %, 16 rounds`; parts of resumed rounds are named.
fn figures(comparison: &Comparison, effect: &Effect) -> String {
    let rounds = counted(comparison.rounds, "round");
    let parts = if effect.n == comparison.rounds {
        String::new()
    } else {
        format!(" in {} parts", effect.n)
    };
    match (effect.lo, effect.hi) {
        (Some(_), Some(_)) => format!(
            "{} % interval {}, {rounds}{parts}",
            confidence(effect.confidence_percent),
            interval(effect)
        ),
        _ => format!("no interval, {rounds}{parts}"),
    }
}

fn reason_name(reason: &Reason) -> String {
    match serde_json::to_value(reason.code) {
        Ok(serde_json::Value::String(name)) => name,
        _ => format!("{:?}", reason.code),
    }
}
