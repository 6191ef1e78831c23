//! The timed work: one kind, in whole chunks, within the context.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::plan::{ConditionSetting, Contract, Drafting, TimedWork};
use crate::manifest::span::Span;

use super::arms::positions;
use super::chunks;
use super::primitives;
use super::settings::place;

/// The timed work with its place.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::manifest) struct Work {
    /// What is timed.
    pub work: TimedWork,
    /// `decode_tokens` or `prefill_tokens`.
    pub span: Span,
    /// What comes from an input: `prompt_tokens` or `prefill_tokens`.
    pub input_span: Span,
    /// Filler before it.
    pub depth: u32,
}

pub(super) fn hold(
    root: &CheckedTable,
    arms: &[ArmDraft],
    engine: &SettingsDraft,
    faults: &mut Faults,
) -> Option<Work> {
    let work = kind(root, faults);
    condition(root, work.as_ref(), faults);
    if let Some(work) = &work {
        context(root, arms, engine, work, faults);
    }
    work
}

fn kind(root: &CheckedTable, faults: &mut Faults) -> Option<Work> {
    let workload = root.table("workload")?;
    let design = root.table("design");
    let depth = workload.whole32("depth_tokens")?.value;
    if let Some(place) = workload.wrote("primitive") {
        return primitives::work(root, workload, (place, depth), faults);
    }
    match (workload.wrote("decode_tokens"), workload.wrote("prefill_tokens")) {
        (Some(decode), Some(prefill)) => {
            faults.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    prefill,
                    "`decode_tokens` and `prefill_tokens` exclude each other",
                )
                .also(decode, "the other one")
                .help("one experiment times one kind of work: leave one of them out"),
            );
            None
        }
        (None, None) => {
            faults.push(
                Diagnostic::error(
                    Code::MISSING_KEY,
                    workload.span.clone(),
                    "`[workload]` does not say what is timed",
                )
                .help(
                    "add `prompt_tokens = 32` and `decode_tokens = 64`, or `prefill_tokens = 512`, or `primitive = \"copy\"` and `repetitions = 16`",
                ),
            );
            None
        }
        (Some(place), None) => {
            if workload.wrote("prompt_tokens").is_none() {
                faults.push(
                    Diagnostic::error(
                        Code::MISSING_KEY,
                        place,
                        "`decode_tokens` needs `prompt_tokens` beside it",
                    )
                    .help("add `prompt_tokens = 32`: tokens of the input put in front, untimed"),
                );
            }
            let decode = workload.whole32("decode_tokens")?;
            let prompt = workload.whole32("prompt_tokens");
            let chunk = chunks::length(root, &decode, faults)?;
            let prompt = prompt?;
            let work = TimedWork::Decode {
                prompt_tokens: prompt.value,
                decode_tokens: decode.value,
                chunk_tokens: chunk.value,
            };
            Some(Work { work, span: decode.span, input_span: prompt.span, depth })
        }
        (None, Some(_)) => {
            let prefill = workload.whole32("prefill_tokens");
            let strays = [
                (workload.wrote("prompt_tokens"), "prompt_tokens"),
                (design.and_then(|design| design.wrote("chunk_tokens")), "chunk_tokens"),
            ];
            for (place, key) in strays {
                if let Some(place) = place {
                    faults.push(
                        Diagnostic::error(
                            Code::NOT_OF_THIS_WORK,
                            place,
                            format!("`{key}` belongs to decode work, and this is prefill work"),
                        )
                        .help(format!("leave `{key}` out: a prefill is timed whole")),
                    );
                }
            }
            let prefill = prefill?;
            let work = TimedWork::Prefill { prefill_tokens: prefill.value };
            Some(Work { work, span: prefill.span.clone(), input_span: prefill.span, depth })
        }
    }
}

fn condition(root: &CheckedTable, work: Option<&Work>, faults: &mut Faults) {
    let Some(condition) = root.table("condition") else { return };
    let setting = condition.choice::<ConditionSetting>("setting");
    if let (Some(setting), Some(work)) = (&setting, work) {
        let (fits, kind) = match work.work {
            TimedWork::Decode { .. } => {
                (setting.value != ConditionSetting::PrefillTokens, "decode")
            }
            TimedWork::Prefill { .. } => {
                let varied = matches!(
                    setting.value,
                    ConditionSetting::PrefillTokens | ConditionSetting::DepthTokens
                );
                (varied, "prefill")
            }
            TimedWork::Primitive { what, .. } => (
                setting.value == ConditionSetting::DepthTokens && primitives::has_depth(what),
                "primitive",
            ),
        };
        if !fits {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    setting.span.clone(),
                    format!("{kind} work has no such setting to vary"),
                )
                .also(work.span.clone(), format!("{kind} work"))
                .help(match work.work {
                    TimedWork::Decode { .. } => {
                        "write `setting = \"prompt_tokens\"`, `\"depth_tokens\"` or `\"chunk_tokens\"`"
                    }
                    TimedWork::Prefill { .. } => {
                        "write `setting = \"prefill_tokens\"` or `\"depth_tokens\"`"
                    }
                    TimedWork::Primitive { .. } => {
                        "copies and attention have `setting = \"depth_tokens\"`: leave `[condition]` out otherwise"
                    }
                }),
            );
        }
    }
    let Some(values) = condition.list("values") else { return };
    let mut seen: Vec<(serde_json::Value, Span)> = Vec::new();
    for value in values.value {
        let Some(number) = value.value.scalar_json() else { continue };
        let counts_work =
            setting.as_ref().is_some_and(|setting| setting.value != ConditionSetting::DepthTokens);
        if counts_work && number == 0 {
            faults.push(
                Diagnostic::error(Code::OUT_OF_RANGE, value.span.clone(), "a value cannot be 0")
                    .here("at least 1"),
            );
        }
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == number) {
            faults.push(
                Diagnostic::error(
                    Code::DUPLICATE_VALUE,
                    value.span.clone(),
                    format!("the value {number} occurs twice"),
                )
                .here("again")
                .also(first.clone(), "first")
                .help("leave one of them out"),
            );
        }
        seen.push((number, value.span.clone()));
    }
}

/// Depth and work at each value of the condition, with the value's place.
pub(super) fn at_values(root: &CheckedTable, work: &Work) -> Vec<(u64, TimedWork, Span)> {
    let plain = || vec![(u64::from(work.depth), work.work, work.span.clone())];
    let Some(condition) = root.table("condition") else { return plain() };
    let setting = condition.choice::<ConditionSetting>("setting").map(|setting| setting.value);
    let (Some(setting), Some(values)) = (setting, condition.list("values")) else {
        return plain();
    };
    let at = |value: u32, span: &Span| {
        let (mut depth, mut timed) = (u64::from(work.depth), work.work);
        match (&mut timed, setting) {
            (_, ConditionSetting::DepthTokens) => depth = u64::from(value),
            (TimedWork::Decode { prompt_tokens, .. }, ConditionSetting::PromptTokens) => {
                *prompt_tokens = value;
            }
            (TimedWork::Decode { chunk_tokens, .. }, ConditionSetting::ChunkTokens) => {
                *chunk_tokens = value;
            }
            (TimedWork::Prefill { prefill_tokens }, ConditionSetting::PrefillTokens) => {
                *prefill_tokens = value;
            }
            _ => {}
        }
        (depth, timed, span.clone())
    };
    values
        .value
        .iter()
        .filter_map(|value| {
            let number = value.value.scalar_json()?.as_u64()?;
            Some(at(u32::try_from(number).ok()?, &value.span))
        })
        .collect()
}

/// Tokens in the KV cache at the end of a block, and in words.
fn tokens(depth: u64, work: TimedWork) -> (u64, String) {
    match work {
        TimedWork::Decode { prompt_tokens, decode_tokens, chunk_tokens } => {
            let (prompt, decode) = (u64::from(prompt_tokens), u64::from(decode_tokens));
            // Each chunk begins with one untimed token.
            let untimed = decode.div_ceil(u64::from(chunk_tokens.max(1)));
            (
                depth + prompt + decode + untimed,
                format!(
                    "{depth} of depth, {prompt} of prompt, {decode} timed and {untimed} untimed (one a chunk)"
                ),
            )
        }
        TimedWork::Prefill { prefill_tokens } => {
            let prefill = u64::from(prefill_tokens);
            (depth + prefill, format!("{depth} of depth and {prefill} timed"))
        }
        TimedWork::Primitive { .. } => (depth, format!("{depth} cells")),
    }
}

fn context(
    root: &CheckedTable,
    arms: &[ArmDraft],
    engine: &SettingsDraft,
    work: &Work,
    faults: &mut Faults,
) {
    let mut seen: Vec<(usize, usize)> = Vec::new();
    let drafted = arms
        .iter()
        .filter_map(|arm| Drafting::of(&engine.settings.overlaid(&arm.settings.settings)))
        .map(|drafting| drafting.tokens)
        .max()
        .unwrap_or(0);
    for arm in arms {
        let settings = engine.settings.overlaid(&arm.settings.settings);
        let Some(context) = settings.context_tokens else { continue };
        let context_place = place(arm, engine, "context_tokens");
        let mut over = |needed: u64, words: String, span: Span| {
            if needed > u64::from(context) && !seen.contains(&(span.start, context_place.start)) {
                seen.push((span.start, context_place.start));
                faults.push(
                    Diagnostic::error(
                        Code::OVER_CONTEXT,
                        span,
                        format!("{needed} tokens do not fit into a context of {context}"),
                    )
                    .here(words)
                    .also(context_place.clone(), "the context")
                    .help(format!("write `context_tokens = {needed}` or more")),
                );
            }
        };
        let values = at_values(root, work);
        for (depth, timed, span) in &values {
            let (mut needed, mut words) = tokens(*depth, *timed);
            if drafted > 0 && matches!(timed, TimedWork::Decode { .. }) {
                needed += u64::from(drafted);
                words.push_str(&format!(", {drafted} drafted beyond"));
            }
            over(needed, words, span.clone());
        }
        let deepest = values.iter().map(|(depth, _, _)| *depth).max().unwrap_or(0);
        let slots = settings.slots.unwrap_or(1);
        for contract in &arm.contracts {
            if slots > 1 && matches!(contract.value, Contract::Argmax { .. }) {
                continue; // held against what is timed, not against a text of its own
            }
            if let Some(positions) = positions(&contract.value) {
                let words = format!("{deepest} of depth and {positions} positions of the contract");
                over(deepest + u64::from(positions), words, contract.span.clone());
            }
        }
    }
}
