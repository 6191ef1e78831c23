//! Which question a plan asks, whatever its names are.

use engine_protocol::{DraftAcceptance, DraftSource, Settings};
use serde_json::{Value, json};

use super::canonical::{QuestionKey, canonical_json};
use super::plan::{Plan, Role, WorkerChoice};

/// The settings in force: an arm's over the engine's, and as many batch threads as threads
/// where none are named, and the defaults of drafts (the protocol says so).
pub(super) fn effective(engine: &Settings, arm: &Settings) -> Settings {
    let mut settings = engine.overlaid(arm);
    settings.batch_threads = settings.batch_threads.or(settings.threads);
    match settings.draft_source {
        None => {}
        // that nothing is drafted may be said or not
        Some(DraftSource::Nothing) => settings.draft_source = None,
        Some(source) => {
            settings.draft_acceptance.get_or_insert(DraftAcceptance::Greedy);
            if source == DraftSource::PromptLookup {
                settings.draft_lookup_tokens.get_or_insert(LOOKUP_TOKENS);
            }
        }
    }
    settings
}

/// A build without its name: what it is made of is asked about.
fn worker(worker: &WorkerChoice) -> Value {
    match worker {
        WorkerChoice::Build(build) => json!({ "build": build.spec }),
        WorkerChoice::Native | WorkerChoice::Executable(_) | WorkerChoice::Peer(_) => json!(worker),
    }
}

/// The protocol's default of `draft_lookup_tokens`.
const LOOKUP_TOKENS: u32 = 3;

/// The key under which earlier experiments on the same question are found: BLAKE3 over arms
/// (effective settings, worker and role, sorted, without names; `aa` arms left out), model,
/// primary metric, measurement class, and the work with its conditions. Inputs, rounds, margin,
/// contracts and wording are not of it. `docs/canonical-form.md` spells it out.
#[must_use]
pub fn question_key(plan: &Plan) -> QuestionKey {
    let mut arms: Vec<String> = plan
        .arms
        .iter()
        .filter(|arm| arm.role != Role::Aa)
        .map(|arm| {
            let mut asked = json!({
                "role": arm.role,
                "settings": effective(&plan.engine.settings, &arm.settings),
                "worker": worker(plan.worker_of(arm)),
            });
            // absent where the file is taken as it is, so that older keys stay
            if let (Some(form), Some(asked)) = (plan.form_of(arm), asked.as_object_mut()) {
                asked.insert("form".to_owned(), json!(form));
            }
            if let (Some(layers), Some(asked)) = (plan.layers_of(arm), asked.as_object_mut()) {
                asked.insert("layers".to_owned(), json!(layers));
            }
            let environment = plan.environment_of(arm);
            if let (false, Some(asked)) = (environment.is_empty(), asked.as_object_mut()) {
                asked.insert("environment".to_owned(), json!(environment));
            }
            // which set it is, is as little of it as the workload's name
            if let (Some(_), Some(asked)) = (&arm.inputs, asked.as_object_mut()) {
                asked.insert("own_inputs".to_owned(), json!(true));
            }
            if let (Some(pieces), Some(asked)) = (arm.pieces, asked.as_object_mut()) {
                asked.insert("pieces".to_owned(), json!(pieces));
            }
            canonical_json(&asked)
        })
        .collect();
    arms.sort();
    arms.dedup();
    let arms: Vec<Value> =
        arms.iter().map(|arm| serde_json::from_str(arm).unwrap_or_default()).collect();
    let mut works: Vec<String> = plan
        .condition_values()
        .into_iter()
        .map(|value| {
            // Chunks are how it is measured, not what is asked.
            let mut work = serde_json::to_value(plan.work_at(value)).unwrap_or_default();
            if let Some(decode) = work.get_mut("decode").and_then(Value::as_object_mut) {
                decode.remove("chunk_tokens");
            }
            if let Some(primitive) = work.get_mut("primitive").and_then(Value::as_object_mut) {
                primitive.remove("repetitions");
                primitive.remove("buffers");
            }
            canonical_json(&json!({ "depth_tokens": plan.depth_at(value), "work": work }))
        })
        .collect();
    works.sort();
    // Chunk lengths of one condition ask the same question: how it is measured is not of it.
    works.dedup();
    let works: Vec<Value> =
        works.iter().map(|work| serde_json::from_str(work).unwrap_or_default()).collect();
    let mut question = json!({
        "arms": arms,
        "class": plan.workload.class,
        "metric": plan.metric.primary,
        "model": plan.engine.model,
        "question": 1,
        "works": works,
    });
    if let (Some(history), Some(asked)) = (&plan.history, question.as_object_mut()) {
        asked.insert("history".to_owned(), json!([history.good, history.bad]));
    }
    QuestionKey::of(canonical_json(&question).as_bytes())
}
