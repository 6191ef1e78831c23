//! In what a stored run's work differs from the work that its noise is taken for.

use std::collections::BTreeSet;

use engine_protocol::Form;

use crate::manifest::checked::CheckedTable;
use crate::manifest::draft::{ArmDraft, SettingsDraft};
use crate::manifest::language::LAYERS_KEY;
use crate::manifest::plan::{MeasurementClass, ModelChoice, Plan, Role, TimedWork};

use super::work::{Work, at_values};

/// What the noise is compared with: the work of this manifest.
pub(super) struct Here<'manifest> {
    pub root: &'manifest CheckedTable,
    pub arms: &'manifest [ArmDraft],
    pub engine: &'manifest SettingsDraft,
    pub work: Option<&'manifest Work>,
}

/// `threads 1 there, 2 here` for all in which the run's work is another.
pub(super) fn differences(here: &Here<'_>, there: &Plan) -> Vec<String> {
    let works_there: Vec<(u32, TimedWork)> = there
        .condition_values()
        .into_iter()
        .map(|value| (there.depth_at(value), there.work_at(value)))
        .collect();
    let works_here: Vec<(u64, TimedWork)> = here
        .work
        .map(|work| {
            at_values(here.root, work).into_iter().map(|(depth, work, _)| (depth, work)).collect()
        })
        .unwrap_or_default();
    let facts = [
        ("model", one(model_here(here)), one(Some(model_there(there)))),
        ("form", one(Some(form_here(here))), one(Some(form_there(there)))),
        ("layers", one(Some(layers_here(here))), one(Some(layers_there(there)))),
        ("class", one(class_here(here)), one(key_of(&there.workload.class))),
        (
            "timed tokens",
            works_here.iter().map(|(_, work)| timed(*work).to_string()).collect(),
            works_there.iter().map(|(_, work)| timed(*work).to_string()).collect(),
        ),
        (
            "chunk_tokens",
            works_here.iter().filter_map(|(_, work)| chunk(*work)).collect(),
            works_there.iter().filter_map(|(_, work)| chunk(*work)).collect(),
        ),
        (
            "depth_tokens",
            works_here.iter().map(|(depth, _)| depth.to_string()).collect(),
            works_there.iter().map(|(depth, _)| depth.to_string()).collect(),
        ),
        ("threads", one(threads_here(here)), one(Some(threads_there(there)))),
    ];
    facts
        .into_iter()
        .filter(|(_, here, there)| !here.is_subset(there))
        .map(|(name, here, there)| format!("{name} {} there, {} here", list(there), list(here)))
        .collect()
}

type Facts = BTreeSet<String>;

fn one(fact: Option<String>) -> Facts {
    fact.into_iter().collect()
}

fn list(facts: Facts) -> String {
    facts.into_iter().collect::<Vec<_>>().join(" and ")
}

fn timed(work: TimedWork) -> u32 {
    match work {
        TimedWork::Decode { decode_tokens, .. } => decode_tokens,
        TimedWork::Prefill { prefill_tokens } => prefill_tokens,
        TimedWork::Primitive { repetitions, .. } => repetitions,
    }
}

fn chunk(work: TimedWork) -> Option<String> {
    match work {
        TimedWork::Decode { chunk_tokens, .. } => Some(chunk_tokens.to_string()),
        TimedWork::Prefill { .. } | TimedWork::Primitive { .. } => None,
    }
}

fn model_here(here: &Here<'_>) -> Option<String> {
    let engine = here.root.table("engine")?;
    let file = || engine.text("model_sha256").map(|sha256| short_hash(&sha256.value));
    engine.text("model").map(|name| name.value).or_else(file)
}

fn model_there(there: &Plan) -> String {
    match &there.engine.model {
        ModelChoice::Named(name) => name.clone(),
        ModelChoice::File { sha256, .. } => short_hash(sha256),
    }
}

/// Off's.
fn form_here(here: &Here<'_>) -> String {
    let own = off_here(here).and_then(|off| Some(off.form.as_ref()?.value));
    let engine = || Some(here.root.table("engine")?.choice("form")?.value);
    form_word(own.or_else(engine))
}

fn form_there(there: &Plan) -> String {
    form_word(there.arms.get(there.off()).and_then(|off| there.form_of(off)))
}

/// Off's.
fn layers_here(here: &Here<'_>) -> String {
    let own = off_here(here).and_then(|off| Some(off.layers.as_ref()?.value));
    let engine = || Some(here.root.table("engine")?.whole32(LAYERS_KEY)?.value);
    layers_word(own.or_else(engine))
}

fn layers_there(there: &Plan) -> String {
    layers_word(there.arms.get(there.off()).and_then(|off| there.layers_of(off)))
}

fn layers_word(layers: Option<u32>) -> String {
    layers.map_or_else(|| "all".to_owned(), |layers| layers.to_string())
}

fn form_word(form: Option<Form>) -> String {
    form.and_then(|form| key_of(&form)).unwrap_or_else(|| "as the file is".to_owned())
}

fn short_hash(sha256: &str) -> String {
    sha256.chars().take(12).collect()
}

fn class_here(here: &Here<'_>) -> Option<String> {
    key_of(&here.root.table("workload")?.choice::<MeasurementClass>("class")?.value)
}

fn key_of(value: &impl serde::Serialize) -> Option<String> {
    Some(serde_json::to_value(value).ok()?.as_str()?.to_owned())
}

fn off_here<'here>(here: &Here<'here>) -> Option<&'here ArmDraft> {
    let off = |arm: &&ArmDraft| arm.role.as_ref().is_some_and(|role| role.value == Role::Off);
    here.arms.iter().find(off)
}

fn threads_here(here: &Here<'_>) -> Option<String> {
    let off = off_here(here)?;
    Some(number_of(here.engine.settings.overlaid(&off.settings.settings).threads))
}

fn threads_there(there: &Plan) -> String {
    let off = there.arms.get(there.off());
    number_of(off.and_then(|off| there.settings_of(off).threads))
}

fn number_of(threads: Option<u32>) -> String {
    threads.map_or_else(|| "by default".to_owned(), |threads| threads.to_string())
}
