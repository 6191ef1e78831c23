//! Metric, condition and decision: what can be judged, and whether every outcome can come about.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::faults::Faults;
use crate::manifest::plan::{Metric, PrimitiveKind, TimedWork};

use super::work::Work;

pub(super) fn hold(root: &CheckedTable, work: Option<&Work>, faults: &mut Faults) {
    metric(root, work, faults);
    reachable(root, faults);
}

fn metric(root: &CheckedTable, work: Option<&Work>, faults: &mut Faults) {
    let (Some(metric), Some(work)) = (root.table("metric"), work) else { return };
    let (kind, own) = match work.work {
        TimedWork::Decode { .. } => ("decode", Metric::DecodeTokensPerSecond),
        TimedWork::Prefill { .. } => ("prefill", Metric::PrefillTokensPerSecond),
        TimedWork::Primitive { what: PrimitiveKind::Copy, .. } => ("copy", Metric::BytesPerSecond),
        TimedWork::Primitive { what: PrimitiveKind::MatrixProduct { .. }, .. } => {
            ("matrix product", Metric::OperationsPerSecond)
        }
        TimedWork::Primitive { what: PrimitiveKind::Attention { .. }, .. } => {
            ("attention", Metric::OperationsPerSecond)
        }
    };
    if let Some(primary) = metric.choice::<Metric>("primary")
        && primary.value != own
        && !(primary.value == Metric::JoulesPerToken && tells_energy(work.work))
    {
        faults.push(
            Diagnostic::error(
                Code::NOT_OF_THIS_WORK,
                primary.span,
                format!("`{}` cannot be the primary metric of {kind} work", primary.value.key()),
            )
            .also(work.span.clone(), format!("{kind} work"))
            .help(format!("write `primary = \"{}\"`", own.key())),
        );
    }
    let is_primary = |value: Metric| {
        metric.choice::<Metric>("primary").is_some_and(|primary| primary.value == value)
    };
    let Some(secondary) = metric.list("secondary") else { return };
    let mut seen: Vec<Metric> = Vec::new();
    for entry in secondary.value {
        let Some(json) = entry.value.scalar_json() else { continue };
        let Ok(value) = serde_json::from_value::<Metric>(json) else { continue };
        if seen.contains(&value) {
            faults.push(
                Diagnostic::error(
                    Code::DUPLICATE_VALUE,
                    entry.span.clone(),
                    format!("`{}` occurs twice", value.key()),
                )
                .help("leave one of them out"),
            );
        }
        seen.push(value);
        if is_primary(value) {
            faults.push(
                Diagnostic::error(
                    Code::DUPLICATE_VALUE,
                    entry.span.clone(),
                    format!("`{}` is the primary metric already", value.key()),
                )
                .help("leave it out of `secondary`"),
            );
            continue;
        }
        // one of the two is judged, and the other may stand beside it
        let of_texts = value == Metric::JoulesPerToken || value == own;
        let fits = match work.work {
            TimedWork::Decode { .. } => of_texts || value == Metric::PromptMilliseconds,
            TimedWork::Prefill { .. } => of_texts,
            // the bytes that the arithmetic moves
            TimedWork::Primitive { .. } => {
                value == Metric::BytesPerSecond && own == Metric::OperationsPerSecond
            }
        };
        if !fits {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    entry.span.clone(),
                    format!("`{}` cannot be a secondary metric of {kind} work", value.key()),
                )
                .help(match work.work {
                    TimedWork::Decode { .. } => {
                        "decode work has `prompt_milliseconds` and `joules_per_token`"
                    }
                    TimedWork::Prefill { .. } => "prefill work has `joules_per_token` alone",
                    TimedWork::Primitive { .. } => {
                        "matrix products and attention have `secondary = [\"bytes_per_second\"]`, copies none"
                    }
                }),
            );
        }
    }
}

/// Energy is read around whole requests; a primitive has no tokens that it could belong to.
fn tells_energy(work: TimedWork) -> bool {
    match work {
        TimedWork::Decode { .. } | TimedWork::Prefill { .. } => true,
        TimedWork::Primitive { .. } => false,
    }
}

/// A win needs the whole interval beyond the margin, so a smaller expected effect never wins.
fn reachable(root: &CheckedTable, faults: &mut Faults) {
    let expected = root.table("noise").and_then(|noise| noise.real("expected_effect_percent"));
    let margin = root.table("decision").and_then(|decision| decision.real("margin_percent"));
    let (Some(expected), Some(margin)) = (expected, margin) else { return };
    let log = |percent: f64| libm::log1p(percent / 100.0);
    if log(expected.value).abs() <= log(margin.value) {
        faults.push(
            Diagnostic::error(
                Code::UNREACHABLE_OUTCOME,
                expected.span,
                format!(
                    "an effect of {} % can never be told from the margin of {} %",
                    expected.value, margin.value
                ),
            )
            .here("expected")
            .also(margin.span, "the whole interval must lie beyond this")
            .help("expect an effect beyond the margin (for equivalence: the smallest that must not be overlooked), or lower the margin"),
        );
    }
}
