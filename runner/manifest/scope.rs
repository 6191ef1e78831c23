//! The scope of a plan: what its figures speak of. A figure of one scope says nothing of another.

use std::collections::BTreeSet;

use engine_protocol::{Form, SETTING_KEYS};
use serde_json::Value;

use super::canonical::canonical_json;
use super::language::{FORM_KEY, LAYERS_KEY};
use super::plan::{Arm, ModelChoice, Plan, Role, TimedWork, WorkerChoice};
use super::question::effective;

/// Something in which the scopes of two plans differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDifference {
    /// `model`, `layers`, `treatments`, …
    pub what: &'static str,
    /// What it is here, in words.
    pub here: String,
    /// What it is there.
    pub there: String,
}

impl ScopeDifference {
    /// Whether it is how much of the model off runs.
    #[must_use]
    pub fn is_extent(&self) -> bool {
        self.what == LAYERS_KEY
    }
}

/// Everything that `here` asks of and `there` does not cover. Inputs, rounds, chunks, margins and
/// contracts are how something is measured, not what it speaks of.
#[must_use]
pub fn scope_differences(here: &Plan, there: &Plan) -> Vec<ScopeDifference> {
    facets(here)
        .into_iter()
        .zip(facets(there))
        .filter(|((_, here), (_, there))| !here.is_subset(there))
        .map(|((what, here), (_, there))| ScopeDifference {
            what,
            here: list(here),
            there: list(there),
        })
        .collect()
}

/// Every arm that is neither off nor off again, by what it is and not by its name: in what it
/// differs from off. Two plans that have one in common ask about the same thing, be it on another
/// model.
#[must_use]
pub fn compared_arms(plan: &Plan) -> BTreeSet<String> {
    let Some(off) = plan.arms.get(plan.off()) else { return BTreeSet::new() };
    let compared = plan.arms.iter().filter(|arm| !matches!(arm.role, Role::Off | Role::Aa));
    let words = compared.map(|arm| arm_words(plan, arm, off));
    words.filter(|words| !words.is_empty()).collect()
}

/// In what the arm of a name differs from off: `flash_attention=on`; empty where it is off again,
/// or there is none.
#[must_use]
pub fn compared_arm(plan: &Plan, name: &str) -> String {
    let off = plan.arms.get(plan.off());
    let arm = plan.arms.iter().find(|arm| arm.name.as_str() == name);
    arm.zip(off).map(|(arm, off)| arm_words(plan, arm, off)).unwrap_or_default()
}

fn arm_words(plan: &Plan, arm: &Arm, off: &Arm) -> String {
    let mut parts = vec![treatment(plan, arm, off)];
    if plan.layers_of(arm) != plan.layers_of(off) {
        parts.push(format!("{LAYERS_KEY}={}", layers(plan.layers_of(arm))));
    }
    let (own, offs) = (plan.environment_of(arm), plan.environment_of(off));
    if own != offs {
        parts.push(format!("environment={}", canonical_json(&serde_json::json!(own))));
    }
    if plan.pieces_of(arm) != plan.pieces_of(off) {
        parts.push(format!("pieces={}", word(&plan.pieces_of(arm))));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// What is timed at each of the condition's values, in words: `prefill of 512 tokens`.
#[must_use]
pub fn works(plan: &Plan) -> BTreeSet<String> {
    plan.condition_values().into_iter().map(|value| work(plan.work_at(value))).collect()
}

type Facts = BTreeSet<String>;

fn facets(plan: &Plan) -> Vec<(&'static str, Facts)> {
    let off = plan.arms.get(plan.off());
    let values = || plan.condition_values().into_iter();
    vec![
        ("model", Facts::from([model(plan)])),
        (LAYERS_KEY, Facts::from([layers(off.and_then(|off| plan.layers_of(off)))])),
        (FORM_KEY, Facts::from([form(off.and_then(|off| plan.form_of(off)))])),
        ("class", Facts::from([word(&plan.workload.class)])),
        ("work", values().map(|value| work(plan.work_at(value))).collect()),
        ("depth_tokens", values().map(|value| plan.depth_at(value).to_string()).collect()),
        ("worker", Facts::from([off.map(|off| worker(plan.worker_of(off))).unwrap_or_default()])),
        ("threads", Facts::from([threads(plan)])),
        ("treatments", treatments(plan)),
    ]
}

fn list(facts: Facts) -> String {
    let facts: Vec<String> = facts.into_iter().collect();
    if facts.is_empty() { "none".to_owned() } else { facts.join(" and ") }
}

fn model(plan: &Plan) -> String {
    match &plan.engine.model {
        ModelChoice::Named(name) => name.clone(),
        ModelChoice::File { sha256, .. } => sha256.chars().take(12).collect(),
    }
}

fn layers(layers: Option<u32>) -> String {
    layers.map_or_else(|| "all".to_owned(), |layers| format!("the first {layers}"))
}

fn form(form: Option<Form>) -> String {
    form.map_or_else(|| "as the file is".to_owned(), |form| word(&form))
}

fn work(work: TimedWork) -> String {
    match work {
        TimedWork::Decode { .. } => "decode".to_owned(),
        TimedWork::Prefill { prefill_tokens } => format!("prefill of {prefill_tokens} tokens"),
        TimedWork::Primitive { .. } => "a primitive".to_owned(),
    }
}

fn worker(worker: &WorkerChoice) -> String {
    match worker {
        WorkerChoice::Native => "native".to_owned(),
        WorkerChoice::Executable(path) => path.clone(),
        WorkerChoice::Build(build) => build.name.to_string(),
        WorkerChoice::Peer(peer) => peer.kind().to_owned(),
    }
}

/// Off's.
fn threads(plan: &Plan) -> String {
    let threads = plan.arms.get(plan.off()).and_then(|off| plan.settings_of(off).threads);
    threads.map_or_else(|| "by default".to_owned(), |threads| threads.to_string())
}

/// `draft_source=prompt_lookup, draft_tokens=4` for each treatment: in what it differs from off.
fn treatments(plan: &Plan) -> Facts {
    let Some(off) = plan.arms.get(plan.off()) else { return Facts::new() };
    let treatments = plan.arms.iter().filter(|arm| arm.role == Role::Treatment);
    treatments.map(|arm| treatment(plan, arm, off)).collect()
}

fn treatment(plan: &Plan, arm: &Arm, off: &Arm) -> String {
    let settings = |arm: &Arm| {
        serde_json::to_value(effective(&plan.engine.settings, &arm.settings)).unwrap_or_default()
    };
    let (own, offs) = (settings(arm), settings(off));
    let mut parts: Vec<String> = SETTING_KEYS
        .iter()
        .filter(|key| own.get(**key) != offs.get(**key))
        .map(|key| match own.get(*key) {
            Some(Value::String(text)) => format!("{key}={text}"),
            Some(value) if !value.is_null() => format!("{key}={value}"),
            _ => format!("{key} by default"),
        })
        .collect();
    if plan.form_of(arm) != plan.form_of(off) {
        parts.push(format!("{FORM_KEY}={}", form(plan.form_of(arm))));
    }
    if plan.worker_of(arm) != plan.worker_of(off) {
        parts.push(format!("worker={}", worker(plan.worker_of(arm))));
    }
    parts.join(", ")
}

fn word(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or("unknown").to_owned()
}
