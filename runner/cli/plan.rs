//! `runner plan`: what an experiment costs and what it can show, before it is run.

use std::path::PathBuf;

use runner::Failure;
use runner::design::{self, Reach};
use runner::exec::{self, Prepared};
use runner::manifest::{Plan, manifest_hash, question_key};
use runner::record::prior_experiments;
use serde_json::json;

use super::context::App;
use super::outcome::Outcome;

/// Which manifest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The manifest
    file: PathBuf,
}

/// Tokenises the workload with the model, and prints lengths, cost, chances and earlier runs.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let read = app.read(&arguments.file, &project)?;
    let plan = &read.reading.plan;
    let executables = exec::executables(&project.root)?;
    let prepared = Prepared::of(plan, &project)?;
    let tokens = exec::check_lengths(plan, &prepared, &executables)?;
    let schedule = design::schedule(plan, prepared.set.items.len());
    let cost = design::cost(plan, &schedule);
    let reach = design::reach(plan);
    let prior = prior_experiments(&project, &question_key(plan))?;
    let runs = prior.iter().filter(|one| one.run.is_some()).count();
    if app.global.json {
        app.terminal.json(&json!({
            "id": plan.id, "manifest_hash": manifest_hash(plan).to_string(),
            "items": prepared.set.items.len(), "tokens": tokens.lengths.iter().sum::<usize>(),
            "blocks": cost.blocks, "timed_tokens": cost.timed_tokens,
            "untimed_tokens": cost.untimed_tokens, "prompt_tokens": cost.prompt_tokens,
            "depth_tokens": cost.depth_tokens, "contract_tokens": cost.contract_tokens,
            "model_copies": cost.model_copies, "model_bytes": prepared.model.bytes,
            "reach": reach, "earlier_runs_on_this_question": runs,
        }))?;
        return Ok(Outcome::Done);
    }
    let cap_minutes = plan.stop.cap_minutes();
    let shortest = tokens.lengths.iter().min().copied().unwrap_or(0);
    let longest = tokens.lengths.iter().max().copied().unwrap_or(0);
    let lines = [
        format!("{}: {}", plan.id, plan.title),
        format!("manifest    {}", manifest_hash(plan)),
        format!(
            "inputs      {} items of {shortest} to {longest} tokens, {} in all",
            prepared.set.items.len(),
            tokens.lengths.iter().sum::<usize>()
        ),
        format!(
            "schedule    {} arms, {} rounds, {} blocks in all; cap {cap_minutes} min",
            plan.arms.len(),
            plan.design.rounds,
            cost.blocks
        ),
        format!(
            "tokens      {} timed, {} untimed beside them, {} in prompts, {} to depth, {} for \
             contracts",
            cost.timed_tokens,
            cost.untimed_tokens,
            cost.prompt_tokens,
            cost.depth_tokens,
            cost.contract_tokens
        ),
        format!(
            "memory      {} copies of the model at once, {:.0} MB of weights",
            cost.model_copies,
            f64::from(cost.model_copies) * prepared.model.bytes as f64 / 1e6
        ),
        format!("resolution  {}", resolution(plan, &reach)),
        format!("chances     {}", reach.without_effect),
        format!("            {}", reach.with_expected_effect),
        format!(
            "earlier     {runs} runs on this question{}",
            if runs == 0 { "" } else { "; `register` will list them" }
        ),
    ];
    app.terminal.line(lines.join("\n"))?;
    if !reach.is_reached() {
        app.terminal.note("`register` would refuse this design: a chance is under 80 %")?;
    }
    Ok(Outcome::Done)
}

fn resolution(plan: &Plan, reach: &Reach) -> String {
    format!(
        "a round's value is assumed to vary by {:.2} %; margin {} % at {} % confidence over {} \
         comparison{}",
        reach.round_value_sd_percent,
        plan.decision.margin_percent,
        plan.decision.confidence_percent,
        reach.family,
        if reach.family == 1 { "" } else { "s" }
    )
}
