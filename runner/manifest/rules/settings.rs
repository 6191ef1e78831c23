//! Settings that fit together in each arm.

use engine_protocol::{KvType, Toggle};

use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::span::Span;

pub(super) fn hold(arms: &[ArmDraft], engine: &SettingsDraft, faults: &mut Vec<Diagnostic>) {
    // A fault of the engine's settings shows in every arm: it is reported once.
    let mut found: Vec<Diagnostic> = Vec::new();
    for arm in arms {
        let mut add = |fault: Diagnostic| {
            let known =
                |other: &Diagnostic| other.code == fault.code && other.offset() == fault.offset();
            if !found.iter().any(known) {
                found.push(fault);
            }
        };
        let place = |key: &str| place(arm, engine, key);
        let settings = engine.settings.overlaid(&arm.settings.settings);
        if let Some(kv) = settings.kv_value_type
            && !matches!(kv, KvType::F32 | KvType::F16 | KvType::Bf16)
            && settings.flash_attention != Some(Toggle::On)
        {
            add(Diagnostic::error(
                Code::NEEDS_FLASH_ATTENTION,
                place("kv_value_type"),
                format!("a quantised `kv_value_type` in {} works with flash attention only", arm.called()),
            )
            .help("the engine's other attention cannot read quantised values: add `flash_attention = \"on\"`, or use \"f16\""));
        }
        if let (Some(micro), Some(batch)) = (settings.micro_batch_tokens, settings.batch_tokens)
            && micro > batch
        {
            add(Diagnostic::error(
                Code::SETTING_IGNORED,
                place("micro_batch_tokens"),
                format!(
                    "`micro_batch_tokens` of {micro} in {} would be cut to `batch_tokens`",
                    arm.called()
                ),
            )
            .also(place("batch_tokens"), format!("{batch}"))
            .help(format!("raise `batch_tokens` to {micro} or more")));
        }
    }
    faults.extend(found);
}

/// Where a setting in force in an arm was written.
pub(super) fn place(arm: &ArmDraft, engine: &SettingsDraft, key: &str) -> Span {
    let places = [&arm.settings.places, &engine.places];
    places.iter().find_map(|places| places.get(key).cloned()).unwrap_or_else(|| arm.place())
}
