//! What another version of the rules would have said.

use serde_json::{Value, json};

use super::escape::plain_text;
use super::rows::{counted, estimate, interval, name, reason_word};
use crate::record::verdict_word;
use crate::verdict::Comparison;

/// One comparison whose verdict depends on the version of the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct RulesDifference {
    /// `ID/RUN`.
    pub record: String,
    /// Rules that it was judged by.
    pub sealed_rules: u32,
    /// As it is sealed.
    pub before: Comparison,
    /// Under the other version.
    pub now: Comparison,
}

/// Lines for a terminal.
#[must_use]
pub fn rules_differences_text(
    version: u32,
    records: u32,
    differences: &[RulesDifference],
) -> String {
    let mut lines = vec![format!(
        "judged by version {version} of the rules: {}; verdicts stay those of their own version",
        counted(records, "record")
    )];
    if differences.is_empty() {
        lines.push("no verdict differs".to_owned());
    }
    for one in differences {
        let side = |comparison: &Comparison| {
            let effect = comparison.effect.as_ref();
            format!(
                "{} ({}), {}, {}",
                verdict_word(comparison.verdict),
                reason_word(comparison.reason.code),
                effect.map_or_else(|| "none".to_owned(), estimate),
                interval(effect)
            )
        };
        lines.push(format!(
            "{} {}: sealed under version {}: {}; version {version}: {}",
            one.record,
            plain_text(&name(&one.before.arm, &one.before.condition)),
            one.sealed_rules,
            side(&one.before),
            side(&one.now)
        ));
    }
    lines.join("\n")
}

/// The same for programs.
#[must_use]
pub fn rules_differences_json(differences: &[RulesDifference]) -> Value {
    let all = differences.iter().map(|one| {
        json!({
            "record": one.record,
            "arm": one.before.arm,
            "condition": one.before.condition,
            "sealed_rules_version": one.sealed_rules,
            "sealed_verdict": verdict_word(one.before.verdict),
            "sealed_reason_code": reason_word(one.before.reason.code),
            "verdict": verdict_word(one.now.verdict),
            "reason_code": reason_word(one.now.reason.code),
        })
    });
    Value::Array(all.collect())
}
