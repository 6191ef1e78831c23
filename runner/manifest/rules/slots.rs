//! Arms that decode several sequences side by side: which work, contracts and settings go with them.

use crate::manifest::checked::CheckedTable;
use crate::manifest::code::Code;
use crate::manifest::diagnostics::Diagnostic;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::faults::Faults;
use crate::manifest::plan::{Contract, Drafting, MeasurementClass, TimedWork};

use super::settings::place;
use super::work::{Work, at_values};

/// What the rule looks at.
pub(super) struct Here<'a> {
    pub root: &'a CheckedTable,
    pub arms: &'a [ArmDraft],
    pub engine: &'a SettingsDraft,
    pub work: Option<&'a Work>,
}

pub(super) fn hold(here: &Here<'_>, faults: &mut Faults) {
    let mut found: Vec<Diagnostic> = Vec::new();
    for arm in here.arms {
        let settings = here.engine.settings.overlaid(&arm.settings.settings);
        let Some(slots) = settings.slots.filter(|slots| *slots > 1) else { continue };
        for fault in of_work(here, arm).into_iter().chain(of_contracts(here, arm)) {
            found.push(fault);
        }
        let slots_place = || place(arm, here.engine, "slots");
        if Drafting::of(&settings).is_some() {
            found.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    slots_place(),
                    format!("{} drafts, and slots do not", arm.called()),
                )
                .help("leave `slots` out, or what is drafted"),
            );
        }
        if let Some(batch) = settings.batch_tokens.filter(|batch| *batch < slots) {
            found.push(
                Diagnostic::error(
                    Code::OUT_OF_RANGE,
                    place(arm, here.engine, "batch_tokens"),
                    format!("a batch of {batch} has no room for a token of each of {slots} slots"),
                )
                .also(slots_place(), "slots")
                .help(format!("write `batch_tokens = {slots}` or more")),
            );
        }
    }
    // A fault that all rungs share stands in one place: it is told once.
    let mut told: Vec<(Code, usize)> = Vec::new();
    for fault in found {
        let key = (fault.code, fault.offset());
        if !told.contains(&key) {
            told.push(key);
            faults.push(fault);
        }
    }
}

/// Decoding alone, from an empty cache, of texts whose content does not matter.
fn of_work(here: &Here<'_>, arm: &ArmDraft) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let slots = place(arm, here.engine, "slots");
    if let Some(work) = here.work {
        let bad = |why: &str, help: &str| {
            Diagnostic::error(Code::NOT_OF_THIS_WORK, work.span.clone(), why.to_owned())
                .also(slots.clone(), "slots")
                .help(help.to_owned())
        };
        if matches!(work.work, TimedWork::Prefill { .. }) {
            found.push(bad("slots decode, and this is prefill work", "leave `slots` out"));
        }
        if at_values(here.root, work).iter().any(|(depth, _, _)| *depth > 0) {
            found.push(bad("slots are begun without a depth", "write `depth_tokens = 0`"));
        }
    }
    let workload = here.root.table("workload");
    let class = workload.and_then(|workload| workload.choice::<MeasurementClass>("class"));
    if let Some(class) = class.filter(|class| class.value != MeasurementClass::DenseThroughput) {
        found.push(
            Diagnostic::error(
                Code::WORKLOAD_CLASS,
                class.span,
                "all slots hold one text, which is a best case wherever content matters",
            )
            .also(slots, "slots")
            .help("write `class = \"dense_throughput\"`"),
        );
    }
    found
}

fn of_contracts(here: &Here<'_>, arm: &ArmDraft) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let identical = arm.contracts.iter().any(|spot| spot.value == Contract::Identical);
    for contract in &arm.contracts {
        match &contract.value {
            Contract::Identical => {}
            Contract::Cosine { .. } | Contract::Kl { .. } => found.push(
                Diagnostic::error(
                    Code::NOT_OF_THIS_WORK,
                    contract.span.clone(),
                    "logits of several slots are not compared",
                )
                .help("write `contract.argmax`, which is held against the choices while timed, or `contract.identical`"),
            ),
            Contract::Argmax { .. } if identical => found.push(
                Diagnostic::error(
                    Code::EXCLUSIVE_KEYS,
                    contract.span.clone(),
                    "slots are fed off's tokens for `argmax`, and choose their own for `identical`",
                )
                .help("leave one of the two contracts out"),
            ),
            Contract::Argmax { positions, .. } => {
                let timed = choices(here);
                if timed.is_some_and(|timed| timed < u64::from(*positions)) {
                    let timed = timed.unwrap_or(0);
                    found.push(
                        Diagnostic::error(
                            Code::UNREACHABLE_OUTCOME,
                            contract.span.clone(),
                            format!("{positions} positions are asked for, and a run has {timed}"),
                        )
                        .help("the contract is held against the tokens that are timed: more rounds, blocks or `decode_tokens`"),
                    );
                }
            }
        }
    }
    found
}

/// Choices of one slot over a whole run, untimed ones included; at the condition value with the
/// fewest chunks.
fn choices(here: &Here<'_>) -> Option<u64> {
    let design = here.root.table("design")?;
    let rounds = u64::from(design.whole32("rounds")?.value);
    let blocks = u64::from(design.whole32("blocks_per_round")?.value);
    let values = at_values(here.root, here.work?);
    let of_block = values.iter().filter_map(|(_, work, _)| match work {
        TimedWork::Decode { decode_tokens, chunk_tokens, .. } => {
            let chunks = decode_tokens.div_ceil((*chunk_tokens).max(1));
            Some(u64::from(*decode_tokens) + u64::from(chunks))
        }
        TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => None,
    });
    Some(rounds.saturating_mul(blocks).saturating_mul(of_block.min()?))
}
