//! Numbers and names as reasons and claims write them.

use crate::manifest::{ConditionSetting, ModelChoice, Plan};
use crate::stats::percent_of_log;

use super::analysis::Effect;

/// A log ratio as a signed change in percent: `+5.13 %`.
pub(super) fn percent(log: f64) -> String {
    signed(percent_of_log(log))
}

/// A percentage with its sign, two decimals; zero has none.
pub(super) fn signed(percent: f64) -> String {
    let text = format!("{percent:+.2}");
    if text == "-0.00" || text == "+0.00" { "0.00 %".to_owned() } else { format!("{text} %") }
}

/// `+3.93 to +6.30 %`, or that there is no interval.
pub(super) fn interval(effect: &Effect) -> String {
    match (effect.lo, effect.hi) {
        (Some(lo), Some(hi)) => {
            let lo = percent(lo);
            format!("{} to {}", lo.trim_end_matches(" %"), percent(hi))
        }
        _ => "no interval".to_owned(),
    }
}

/// `95` or `98.33`: a confidence without needless decimals.
pub(super) fn confidence(percent: f64) -> String {
    let text = format!("{percent:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 round`, `2 rounds`.
pub(super) fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `depth_tokens=512`; empty without a condition.
#[must_use]
pub fn condition(plan: &Plan, value: Option<u32>) -> String {
    match (&plan.condition, value) {
        (Some(condition), Some(value)) => {
            let key = match condition.setting {
                ConditionSetting::DepthTokens => "depth_tokens",
                ConditionSetting::PromptTokens => "prompt_tokens",
                ConditionSetting::PrefillTokens => "prefill_tokens",
                ConditionSetting::ChunkTokens => "chunk_tokens",
            };
            format!("{key}={value}")
        }
        _ => String::new(),
    }
}

/// The model's name, or its file's name without folders: claims are published.
pub(super) fn model(plan: &Plan) -> &str {
    match &plan.engine.model {
        ModelChoice::Named(name) => name,
        ModelChoice::File { path, .. } => path.rsplit(['/', '\\']).next().unwrap_or(path),
    }
}

#[cfg(test)]
mod tests {
    use super::{confidence, counted, signed};

    #[test]
    fn zero_has_no_sign_and_confidence_no_needless_zeros() {
        assert_eq!(signed(-0.001), "0.00 %");
        assert_eq!(signed(5.0), "+5.00 %");
        assert_eq!(confidence(95.0), "95");
        assert_eq!(confidence(98.333_333), "98.33");
        assert_eq!(confidence(100.0), "100");
        assert_eq!(
            (counted(1, "round"), counted(0, "round")),
            ("1 round".into(), "0 rounds".into())
        );
    }
}
