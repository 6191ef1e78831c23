//! Primitives: what is computed without a text, and how arms may cut it.

use engine_protocol::Form;

use crate::manifest::checked::{CheckedTable, CheckedValue};
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::ArmDraft;
use crate::manifest::faults::Faults;
use crate::manifest::language::{Shape, language};
use crate::manifest::plan::{
    ConditionSetting, InputScope, PrimitiveKind, PrimitiveName, TimedWork,
};
use crate::manifest::span::Span;
use crate::manifest::walk;

use super::work::Work;

/// Settings of an arm that a primitive heeds; all others would be accepted and ignored.
const HEEDED: [&str; 9] = [
    "threads",
    "gpu_layers",
    "poll_percent",
    "priority",
    "cpu_mask",
    "cpu_strict",
    "numa",
    "kv_key_type",
    "kv_value_type",
];

/// Of those, what only copies heed.
const HEEDED_BY_COPIES: [&str; 2] = ["kv_key_type", "kv_value_type"];

/// Whether a primitive is asked for, rightly or not.
pub(super) fn is_one(root: &CheckedTable) -> bool {
    root.table("workload").is_some_and(|workload| workload.wrote("primitive").is_some())
}

/// Whether the depth is the size of it.
pub(super) fn has_depth(what: PrimitiveKind) -> bool {
    match what {
        PrimitiveKind::Copy | PrimitiveKind::Attention { .. } => true,
        PrimitiveKind::MatrixProduct { .. } => false,
    }
}

/// A key of `[workload]` that work on texts needs is not there.
pub(super) fn missing(workload: &CheckedTable, key: &str, faults: &mut Faults) {
    let Some(Shape::Table(table)) = language().key("workload").map(|workload| &workload.shape)
    else {
        return;
    };
    if let (None, Some(described)) = (workload.wrote(key), table.key(key)) {
        faults.push(walk::missing(described, &workload.span, table));
    }
}

/// The timed work. `place` is where `primitive` stands.
pub(super) fn work(
    root: &CheckedTable,
    workload: &CheckedTable,
    (place, depth): (Span, u32),
    faults: &mut Faults,
) -> Option<Work> {
    for key in ["inputs", "class", "prompt_tokens", "decode_tokens", "prefill_tokens"] {
        stray(workload, key, &place, faults);
    }
    if let Some(design) = root.table("design") {
        stray(design, "chunk_tokens", &place, faults);
    }
    scope(root, &place, faults);
    let name = workload.choice::<PrimitiveName>("primitive")?.value;
    let (weights, batch) = match name {
        PrimitiveName::Copy => (Needed::Not, Needed::Not),
        PrimitiveName::MatrixProduct => (Needed::Yes, Needed::Yes),
        PrimitiveName::Attention => (Needed::Not, Needed::Yes),
    };
    belongs(workload, ("weight_type", "weight_type = \"q4_1\""), weights, &place, faults);
    belongs(workload, ("batch", "batch = 1"), batch, &place, faults);
    belongs(workload, ("repetitions", "repetitions = 16"), Needed::Yes, &place, faults);
    let batch = || Some(workload.whole32("batch")?.value);
    let what = match name {
        PrimitiveName::Copy => PrimitiveKind::Copy,
        PrimitiveName::Attention => PrimitiveKind::Attention { batch: batch()? },
        PrimitiveName::MatrixProduct => PrimitiveKind::MatrixProduct {
            weight_type: workload.choice::<Form>("weight_type")?.value,
            batch: batch()?,
        },
    };
    size(root, workload, (what, depth), &place, faults);
    let work = TimedWork::Primitive {
        what,
        repetitions: workload.whole32("repetitions")?.value,
        buffers: workload.whole32("buffers").map(|buffers| buffers.value),
    };
    Some(Work { work, span: place.clone(), input_span: place, depth })
}

/// Whether a key belongs to a kind of primitive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Yes,
    Not,
}

fn belongs(
    workload: &CheckedTable,
    (key, example): (&str, &str),
    needed: Needed,
    place: &Span,
    faults: &mut Faults,
) {
    match (needed, workload.wrote(key)) {
        (Needed::Yes, None) => faults.push(
            Diagnostic::error(
                Code::MISSING_KEY,
                place.clone(),
                format!("this primitive needs `{key}` beside it"),
            )
            .help(format!("add `{example}`")),
        ),
        (Needed::Not, Some(written)) => faults.push(
            Diagnostic::error(
                Code::NOT_OF_THIS_WORK,
                written,
                format!("`{key}` says nothing of this primitive"),
            )
            .also(place.clone(), "the primitive")
            .help(format!("leave `{key}` out")),
        ),
        (Needed::Yes, Some(_)) | (Needed::Not, None) => {}
    }
}

fn stray(table: &CheckedTable, key: &str, place: &Span, faults: &mut Faults) {
    let Some(written) = table.wrote(key) else { return };
    faults.push(
        Diagnostic::error(
            Code::NOT_OF_THIS_WORK,
            written,
            format!("`{key}` belongs to work on texts, and this is a primitive"),
        )
        .also(place.clone(), "the primitive")
        .help(format!("leave `{key}` out: a primitive works on buffers of its own")),
    );
}

/// A primitive has no inputs that stand for others.
fn scope(root: &CheckedTable, place: &Span, faults: &mut Faults) {
    let scope = root.table("design").and_then(|design| design.choice::<InputScope>("input_scope"));
    if let Some(scope) = scope.filter(|scope| scope.value == InputScope::Class) {
        faults.push(
            Diagnostic::error(
                Code::INPUTS_OF_NO_CLASS,
                scope.span,
                "buffers are a sample of no class of inputs",
            )
            .also(place.clone(), "the primitive")
            .help("write `input_scope = \"set\"`, or leave it out"),
        );
    }
}

/// What computes nothing cannot be timed.
fn size(
    root: &CheckedTable,
    workload: &CheckedTable,
    (what, depth): (PrimitiveKind, u32),
    place: &Span,
    faults: &mut Faults,
) {
    let written = workload.wrote("depth_tokens");
    if !has_depth(what) {
        if let Some(written) = written.filter(|_| depth > 0) {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    written,
                    "matrix products do not depend on `depth_tokens`",
                )
                .also(place.clone(), "the primitive")
                .help("leave `depth_tokens` out"),
            );
        }
        return;
    }
    let nothing = |span: Span| {
        Diagnostic::error(Code::OUT_OF_RANGE, span, "over 0 cells nothing is computed")
            .also(place.clone(), "the primitive")
            .help("write `depth_tokens = 512`: cells of the KV cache in every layer")
    };
    match varied_depths(root) {
        Some(zeros) => zeros.into_iter().for_each(|span| faults.push(nothing(span))),
        None if depth == 0 => faults.push(nothing(written.unwrap_or_else(|| place.clone()))),
        None => {}
    }
}

/// Places of zeros in a condition on the depth; `None` without one.
fn varied_depths(root: &CheckedTable) -> Option<Vec<Span>> {
    let condition = root.table("condition")?;
    let setting = condition.choice::<ConditionSetting>("setting")?.value;
    let values = (setting == ConditionSetting::DepthTokens).then(|| condition.list("values"))??;
    let is_zero = |value: &CheckedValue| value.scalar_json().is_some_and(|value| value == 0);
    let zeros = values.value.iter().filter(|value| is_zero(&value.value));
    Some(zeros.map(|value| value.span.clone()).collect())
}

/// Arms: pieces belong to primitives; promises and settings that nothing heeds do not.
pub(super) fn hold(root: &CheckedTable, arms: &[ArmDraft], faults: &mut Faults) {
    if !is_one(root) {
        for pieces in arms.iter().filter_map(|arm| arm.pieces.as_ref()) {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    pieces.span.clone(),
                    "`pieces` belongs to primitives, and this is work on texts",
                )
                .help("leave `pieces` out, or write `primitive` in `[workload]`"),
            );
        }
        return;
    }
    let copies = root
        .table("workload")
        .and_then(|workload| workload.choice::<PrimitiveName>("primitive"))
        .is_none_or(|name| name.value == PrimitiveName::Copy);
    for arm in arms {
        let promised = arm.contract_written.iter().cloned();
        let expected = arm.expect_accepted.iter().map(|expected| expected.span.clone());
        for place in promised.chain(expected) {
            faults.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    place,
                    "a primitive has no output to make a promise of",
                )
                .help("leave it out: the worker holds each result against what was to be computed"),
            );
        }
        for (key, place) in &arm.settings.places {
            let heeded = HEEDED.contains(&key.as_str())
                && (copies || !HEEDED_BY_COPIES.contains(&key.as_str()));
            if !heeded {
                faults.push(
                    Diagnostic::error(
                        Code::SETTING_IGNORED,
                        place.clone(),
                        format!("`{key}` changes nothing of a primitive"),
                    )
                    .help(format!(
                        "an arm of a primitive differs by `pieces`, or by {}",
                        HEEDED.join(", ")
                    )),
                );
            }
        }
    }
}
