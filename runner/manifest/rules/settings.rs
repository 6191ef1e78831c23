//! Settings that fit together in each arm.

use std::collections::BTreeMap;

use engine_protocol::{KvType, RpcServer, Toggle};

use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::span::Span;

pub(super) fn hold(arms: &[ArmDraft], engine: &SettingsDraft, faults: &mut Faults) {
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
        if settings.rpc_servers.is_some() && settings.gpu_layers.unwrap_or(0) == 0 {
            add(Diagnostic::error(
                Code::SETTING_IGNORED,
                place("rpc_servers"),
                format!("`rpc_servers` in {} would be ignored: no layer is on a device", arm.called()),
            )
            .help("add `gpu_layers` with the number of layers that the servers shall have; one more than the model has puts its output there too"));
        }
    }
    servers_of_one_arm(arms, engine, &mut found);
    faults.extend(found);
}

/// A server serves one worker at a time, and the workers of all arms are resident.
fn servers_of_one_arm(arms: &[ArmDraft], engine: &SettingsDraft, found: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<RpcServer, &ArmDraft> = BTreeMap::new();
    for arm in arms {
        let settings = engine.settings.overlaid(&arm.settings.settings);
        for server in settings.rpc_servers.iter().flatten() {
            let Some(other) = taken.insert(server.clone(), arm) else { continue };
            let (own, others) =
                (place(arm, engine, "rpc_servers"), place(other, engine, "rpc_servers"));
            if std::ptr::eq(arm, other) {
                let what = format!("`rpc_servers` names {server} twice in {}", arm.called());
                let fault = Diagnostic::error(Code::DUPLICATE_VALUE, own, what);
                found.push(fault.help("leave one of them out"));
                return;
            }
            let fault = Diagnostic::error(
                Code::SERVER_OF_TWO_ARMS,
                own.clone(),
                format!("{} and {} name one server: {server}", other.called(), arm.called()),
            )
            .help("a server serves one worker at a time, and the workers of all arms stay: start another one at another port");
            found.push(if own == others { fault } else { fault.also(others, "here too") });
            return;
        }
    }
}

/// Where a setting in force in an arm was written.
pub(super) fn place(arm: &ArmDraft, engine: &SettingsDraft, key: &str) -> Span {
    let places = [&arm.settings.places, &engine.places];
    places.iter().find_map(|places| places.get(key).cloned()).unwrap_or_else(|| arm.place())
}
