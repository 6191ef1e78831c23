//! The sentence that may be written for each outcome.

use engine_protocol::DraftSource;

use super::analysis::{Comparison, Effect, Reason, ReasonCode, Verdict};
use super::loaded::LoadedWords;
use super::rules::Rules;
use super::words::{confidence, counted, model, percent};
use crate::manifest::{
    Better, ConditionSetting, InputScope, MeasurementClass, Metric, Plan, TimedWork,
};

/// What is said beside the figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside<'words> {
    /// Named where a side did not load the model's file as it is, whole.
    pub loaded: &'words LoadedWords,
    /// Of a primitive: of what the figures of either side may be claimed. Of an arm with inputs of its
    /// own: which.
    pub regimes: Option<&'words str>,
}

/// The registered wording of the verdict, or the default one. It names only what the plan
/// contains: the arms, the model, the inputs, the condition. `looks` are those of its rule, 0 for
/// the fixed one. Under rules 2 the figures follow a registered wording too. What a side loaded is
/// named where it was not the model's file as it is, whole, and so is a primitive: no wording can leave
/// that out.
pub(super) fn claim(
    rules: Rules,
    plan: &Plan,
    comparison: &Comparison,
    looks: usize,
    beside: Beside<'_>,
) -> String {
    let worded = match comparison.verdict {
        Verdict::Win => &plan.claim.win,
        Verdict::Loss => &plan.claim.loss,
        Verdict::Level => &plan.claim.level,
        Verdict::Parked => &plan.claim.parked,
        Verdict::Void | Verdict::Refused | Verdict::Incomplete | Verdict::Insufficient => &None,
    };
    let Some(worded) = worded else {
        return default_claim(rules, plan, comparison, looks, beside);
    };
    match (rules, &comparison.effect) {
        (Rules::One, _) => worded.clone(),
        (Rules::Two | Rules::Three, None) => match beside.loaded.extent() {
            Some(extent) => with_figures(worded, extent),
            None => worded.clone(),
        },
        (Rules::Two | Rules::Three, Some(effect)) => {
            let change = told(plan.metric.primary, effect).change;
            let figures = figures(plan, comparison, effect, looks);
            let loaded = beside.loaded.behind_figures();
            let regimes = beside.regimes.map_or_else(String::new, |text| format!("; {text}"));
            with_figures(worded, &format!("{change}, {figures}{loaded}{regimes}"))
        }
    }
}

/// The figures in parentheses, before a full stop that the wording may end with.
fn with_figures(worded: &str, figures: &str) -> String {
    let sentence = worded.trim_end();
    match sentence.strip_suffix('.') {
        Some(open) => format!("{open} ({figures})."),
        None => format!("{sentence} ({figures})"),
    }
}

fn default_claim(
    rules: Rules,
    plan: &Plan,
    comparison: &Comparison,
    looks: usize,
    beside: Beside<'_>,
) -> String {
    let arm = &comparison.arm;
    let off = plan.arms.get(plan.off()).map_or("off", |off| off.name.as_str());
    let loaded = beside.loaded.behind_model();
    let regimes = beside.regimes.map_or_else(String::new, |regimes| format!(" ({regimes})"));
    let scope = format!("{}{loaded}{regimes}", scope(rules, plan, &comparison.condition));
    let metric = plan.metric.primary;
    let code = reason_name(&comparison.reason);
    let Some(effect) = &comparison.effect else {
        return format!("Nothing may be said of `{arm}` against `{off}` {scope} ({code}).");
    };
    let figures = figures(plan, comparison, effect, looks);
    let change = told(metric, effect).change;
    let size = change.trim_start_matches(['+', '-']);
    let beyond = |way: Way| beyond(plan, size, way);
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
        Verdict::Win => {
            format!("`{arm}` {} than `{off}` {scope} ({figures}).", beyond(Way::Better))
        }
        Verdict::Loss => {
            format!("`{arm}` {} than `{off}` {scope} ({figures}).", beyond(Way::Worse))
        }
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

/// An effect in the metric's own direction: of a speed the change of the speed, of an energy that of
/// the energy, which falls where the effect is better.
struct Told {
    change: String,
    interval: Option<String>,
}

fn told(metric: Metric, effect: &Effect) -> Told {
    let (sign, ends) = match metric.better() {
        Better::More => (1.0, (effect.lo, effect.hi)),
        Better::Less => (-1.0, (effect.hi, effect.lo)),
    };
    let interval = match ends {
        (Some(from), Some(to)) => {
            let from = percent(sign * from);
            Some(format!("{} to {}", from.trim_end_matches(" %"), percent(sign * to)))
        }
        _ => None,
    };
    Told { change: percent(sign * effect.log_ratio), interval }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Better,
    Worse,
}

/// `decodes 5.10 % faster`, `takes 9.50 % less energy a token to decode`.
fn beyond(plan: &Plan, size: &str, way: Way) -> String {
    let metric = plan.metric.primary;
    if metric == Metric::JoulesPerToken {
        let more_or_less = if way == Way::Better { "less" } else { "more" };
        let to_do = match plan.workload.work {
            TimedWork::Decode { .. } => "to decode",
            TimedWork::Prefill { .. } => "to prefill",
            TimedWork::Primitive { .. } => "to compute",
        };
        return format!("takes {size} {more_or_less} energy a token {to_do}");
    }
    let speed = if way == Way::Better { "faster" } else { "slower" };
    format!("{} {size} {speed}", doing(metric))
}

fn doing(metric: Metric) -> &'static str {
    match metric {
        Metric::JoulesPerToken => "spends energy",
        Metric::DecodeTokensPerSecond => "decodes",
        Metric::PrefillTokensPerSecond => "prefills",
        Metric::PromptMilliseconds => "evaluates prompts",
        Metric::BytesPerSecond => "copies",
        Metric::OperationsPerSecond => "computes",
    }
}

fn scope(rules: Rules, plan: &Plan, condition: &str) -> String {
    let set = &plan.workload.inputs;
    let inputs = match (plan.design.input_scope, rules) {
        _ if !plan.workload.work.reads_text() => "when timed alone".to_owned(),
        (InputScope::Set, _) => format!("on these inputs ({set})"),
        // Rules 1 do not widen the interval for the choice of inputs, so no more is claimed.
        (InputScope::Class, Rules::One) => {
            format!("on these inputs ({set}, a sample of their class)")
        }
        (InputScope::Class, Rules::Two | Rules::Three) => {
            format!("on inputs of the class {} (as sampled by {set})", class(plan))
        }
    };
    let depth = match rules {
        Rules::One => None,
        Rules::Two | Rules::Three => depth(plan),
    };
    let places: Vec<&str> = [condition, depth.as_deref().unwrap_or("")]
        .into_iter()
        .filter(|at| !at.is_empty())
        .collect();
    let at = if places.is_empty() { String::new() } else { format!(" at {}", places.join(", ")) };
    format!("{inputs}{at} with {}", model(plan))
}

/// `depth_tokens=512` where every block has that depth, and the condition does not say so.
fn depth(plan: &Plan) -> Option<String> {
    let varied = plan
        .condition
        .as_ref()
        .is_some_and(|condition| condition.setting == ConditionSetting::DepthTokens);
    let tokens = plan.workload.depth_tokens;
    (tokens > 0 && !varied).then(|| format!("depth_tokens={tokens}"))
}

fn class(plan: &Plan) -> &'static str {
    match plan.workload.class {
        MeasurementClass::DenseThroughput => "dense_throughput",
        MeasurementClass::Routing => "routing",
        MeasurementClass::Speculation => "speculation",
        MeasurementClass::Divergence => "divergence",
        MeasurementClass::LongContext => "long_context",
    }
}

/// `95 % interval +3.93 to +6.30 %, 16 rounds`, or `…, stopped at look 1 of 2 after 8 rounds`;
/// parts of resumed rounds are named.
fn figures(plan: &Plan, comparison: &Comparison, effect: &Effect, looks: usize) -> String {
    let measured = interval_and_rounds(plan.metric.primary, comparison, effect, looks);
    [drafter(plan, comparison), binaries(plan, comparison)]
        .into_iter()
        .flatten()
        .fold(measured, |words, more| format!("{words}; {more}"))
}

/// Where two builds were compared: whether anything shows what the layout of a program alone does,
/// which no change to a source leaves as it is.
fn binaries(plan: &Plan, comparison: &Comparison) -> Option<String> {
    let arm = plan.arms.iter().find(|arm| arm.name.as_str() == comparison.arm)?;
    let off = plan.arms.get(plan.off())?;
    let declared = [arm, off].map(|arm| plan.build_of(arm));
    if plan.worker_of(arm) == plan.worker_of(off) || declared.iter().all(Option::is_none) {
        return None;
    }
    match plan.relinked(arm) {
        Some(relinked) => Some(format!(
            "of these builds; `{}`, the same objects in another order, stands beside it",
            relinked.name
        )),
        None => Some(
            "of these two binaries: no arm shows what the layout of a program alone does"
                .to_owned(),
        ),
    }
}

/// Whose drafter it is, where one could think that it is the engine's.
fn drafter(plan: &Plan, comparison: &Comparison) -> Option<String> {
    let arm = plan.arms.iter().find(|arm| arm.name.as_str() == comparison.arm)?;
    match plan.drafting_of(arm)?.source {
        DraftSource::Nothing => None,
        DraftSource::PromptLookup => {
            Some("drafted by this program's own prompt lookup, not by the engine's".to_owned())
        }
        DraftSource::DraftModel => {
            let model = plan.settings_of(arm).draft_model;
            let named = model.map_or_else(String::new, |model| format!(", `{model}`"));
            Some(format!("drafted by a second model{named}, by this program"))
        }
        DraftSource::SelfSlice => {
            Some("drafted by the first layers of the same model, by this program".to_owned())
        }
    }
}

fn interval_and_rounds(
    metric: Metric,
    comparison: &Comparison,
    effect: &Effect,
    looks: usize,
) -> String {
    let rounds = match comparison.looks.last() {
        Some(look) => {
            let seen = counted(look.rounds, "round");
            let lost = match look.rounds.saturating_sub(comparison.rounds) {
                0 => String::new(),
                _ => format!(" ({} with accepted blocks)", comparison.rounds),
            };
            if look.look as usize >= looks {
                format!("at the last of {looks} looks, after {seen}{lost}")
            } else {
                format!("stopped at look {} of {looks}, after {seen}{lost}", look.look)
            }
        }
        None => counted(comparison.rounds, "round"),
    };
    let parts = if effect.n == comparison.rounds {
        String::new()
    } else {
        format!(" in {} parts", effect.n)
    };
    match told(metric, effect).interval {
        Some(interval) => format!(
            "{} % interval {interval}, {rounds}{parts}",
            confidence(effect.confidence_percent)
        ),
        None => format!("no interval, {rounds}{parts}"),
    }
}

fn reason_name(reason: &Reason) -> String {
    match serde_json::to_value(reason.code) {
        Ok(serde_json::Value::String(name)) => name,
        _ => format!("{:?}", reason.code),
    }
}
