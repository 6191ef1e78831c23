//! The sentence that may be written for each outcome.

use super::analysis::{Comparison, Effect, Reason, Verdict};
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
    let figures = figures(effect);
    let change = percent(effect.log_ratio.abs());
    let change = change.trim_start_matches('+');
    match comparison.verdict {
        Verdict::Win => format!("`{arm}` {doing} {change} faster than `{off}` {scope} {figures}."),
        Verdict::Loss => {
            let slower = percent(effect.log_ratio);
            let slower = slower.trim_start_matches('-');
            format!("`{arm}` {doing} {slower} slower than `{off}` {scope} {figures}.")
        }
        Verdict::Level => format!(
            "`{arm}` and `{off}` are level {scope}: within {} % of each other {figures}.",
            plan.decision.margin_percent
        ),
        Verdict::Parked => format!(
            "Whether `{arm}` differs from `{off}` {scope} is open ({code}): {figures_bare}.",
            figures_bare = bare_figures(effect)
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
        InputScope::Class => format!("on inputs of the class of {}", plan.workload.inputs),
    };
    let at = if condition.is_empty() { String::new() } else { format!(" at {condition}") };
    format!("{inputs}{at} with {}", model(plan))
}

fn bare_figures(effect: &Effect) -> String {
    let rounds = counted(effect.n, "round");
    match (effect.lo, effect.hi) {
        (Some(_), Some(_)) => format!(
            "{}, {} % interval {} over {rounds}",
            percent(effect.log_ratio),
            confidence(effect.confidence_percent),
            interval(effect)
        ),
        _ => format!("{} over {rounds}, no interval", percent(effect.log_ratio)),
    }
}

fn figures(effect: &Effect) -> String {
    format!("({})", bare_figures(effect))
}

fn reason_name(reason: &Reason) -> String {
    match serde_json::to_value(reason.code) {
        Ok(serde_json::Value::String(name)) => name,
        _ => format!("{:?}", reason.code),
    }
}
