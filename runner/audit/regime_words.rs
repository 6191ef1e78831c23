//! Phases and depths that a sentence speaks of, beside those that its records measured.

use std::collections::BTreeSet;
use std::ops::Range;

use super::regime::Token;
use crate::manifest::{ConditionSetting, Metric, TimedWork};
use crate::record::Record;

/// Words of a phase.
const PREFILL: [&str; 3] = ["prefill", "prefills", "prefilling"];
const DECODE: [&str; 3] = ["decode", "decodes", "decoding"];

/// A part of an engine's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Prefill,
    Decode,
}

impl Phase {
    fn of_word(word: &str) -> Option<Phase> {
        if PREFILL.contains(&word) {
            Some(Phase::Prefill)
        } else if DECODE.contains(&word) {
            Some(Phase::Decode)
        } else {
            None
        }
    }

    fn of_metric(metric: Metric, work: TimedWork) -> Option<Phase> {
        match metric {
            Metric::DecodeTokensPerSecond => Some(Phase::Decode),
            Metric::PrefillTokensPerSecond | Metric::PromptMilliseconds => Some(Phase::Prefill),
            Metric::BytesPerSecond | Metric::OperationsPerSecond => None,
            Metric::JoulesPerToken => match work {
                TimedWork::Decode { .. } => Some(Phase::Decode),
                TimedWork::Prefill { .. } => Some(Phase::Prefill),
                TimedWork::Primitive { .. } => None,
            },
        }
    }

    fn word(self) -> &'static str {
        match self {
            Phase::Prefill => "prefill",
            Phase::Decode => "decode",
        }
    }
}

/// The phases that records measured; none where they measured something else as well.
pub(super) struct Phases(BTreeSet<Phase>);

impl Phases {
    pub(super) fn of(records: &[&Record]) -> Phases {
        let metrics = records.iter().flat_map(|record| {
            let (plan, work) = (&record.plan.metric, record.plan.workload.work);
            let all = std::iter::once(plan.primary).chain(plan.secondary.iter().copied());
            all.map(move |metric| Phase::of_metric(metric, work))
        });
        let phases: Option<BTreeSet<Phase>> = metrics.collect();
        Phases(phases.unwrap_or_default())
    }
}

/// A phase that a sentence names, where it names none that was measured.
pub(super) fn strange_phase(
    tokens: &[Token<'_>],
    measured: &Phases,
    names: &str,
) -> Option<(String, Range<usize>)> {
    let known = measured.0.first()?;
    let named: Vec<(Phase, &Token<'_>)> =
        tokens.iter().filter_map(|token| Some((Phase::of_word(&token.lower)?, token))).collect();
    if named.iter().any(|(phase, _)| measured.0.contains(phase)) {
        return None;
    }
    let (phase, token) = named.first()?;
    let (phase, known) = (phase.word(), known.word());
    Some((format!("it speaks of {phase}, but {names} measured {known}"), token.span.clone()))
}

/// Tokens in the cache that records measured at.
pub(super) struct Depths(BTreeSet<u32>);

impl Depths {
    pub(super) fn of(records: &[&Record]) -> Depths {
        let of = |record: &&Record| -> Vec<u32> {
            let plan = &record.plan;
            match &plan.condition {
                Some(condition) if condition.setting == ConditionSetting::DepthTokens => {
                    condition.values.clone()
                }
                _ => vec![plan.workload.depth_tokens],
            }
        };
        Depths(records.iter().flat_map(of).collect())
    }
}

/// Depths that a sentence names and no record has: numbers behind the word.
pub(super) fn strange_depths(
    tokens: &[Token<'_>],
    measured: &Depths,
    names: &str,
) -> Vec<(String, Range<usize>)> {
    const JOINED: [&str; 4] = ["of", "and", "to", "or"];
    let known: Vec<String> = measured.0.iter().map(u32::to_string).collect();
    let mut found = Vec::new();
    let mut behind = Behind::Nothing;
    for (at, token) in tokens.iter().enumerate() {
        let word = token.lower.as_str();
        behind = match word {
            "depth" | "depth_tokens" => Behind::One,
            "depths" => Behind::Many,
            word if JOINED.contains(&word) => behind,
            word => {
                let setting = word.strip_prefix("depth_tokens=");
                let stated = setting.or_else(|| (behind != Behind::Nothing).then_some(word));
                let grouped = tokens.get(at + 1).is_some_and(|next| is_group(token, next));
                let Some(depth) = stated.and_then(|word| word.parse::<u32>().ok()) else {
                    behind = Behind::Nothing;
                    continue;
                };
                if !measured.0.contains(&depth) && !grouped {
                    let known = known.join(", ");
                    let what =
                        format!("it speaks of depth {depth}, but {names} measured at {known}");
                    found.push((what, token.span.clone()));
                }
                if behind == Behind::Many && !grouped { Behind::Many } else { Behind::Nothing }
            }
        };
    }
    found
}

/// Which word stands before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    /// `depth`: one number follows.
    One,
    /// `depths`: several do.
    Many,
}

/// Whether a number goes on in the next word, as in `4,096`.
fn is_group(token: &Token<'_>, next: &Token<'_>) -> bool {
    next.span.start == token.span.end + 1
        && next.text.len() == 3
        && next.text.bytes().all(|byte| byte.is_ascii_digit())
}
