//! `runner register`: freezes a manifest in the ledger.

use std::path::{Path, PathBuf};

use runner::Failure;
use runner::design::history::{CommitOfStep, step_plan};
use runner::design::{self, Reach};
use runner::exec::{self, BuildWatcher, Prepared};
use runner::manifest::Plan;
use runner::project::Project;
use runner::record::{
    self, Circumstances, CommitState, Frozen, FrozenHistory, NewRegistration, PriorExperiment,
    RegistrationOutcome,
};
use runner::{report, workload};
use serde_json::json;

use super::builds;
use super::context::App;
use super::outcome::Outcome;

/// Which manifest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The manifest to freeze
    file: PathBuf,
}

/// Registers, and says what comes next.
pub fn run(app: &App, arguments: &Arguments) -> Result<Outcome, Failure> {
    let project = app.project()?;
    let read = app.read(&arguments.file, &project)?;
    let plan = &read.reading.plan;
    let circumstances = exec::circumstances(&project, &arguments.file);
    let new = freeze(plan, &circumstances, &project, &mut |step| builds::say(app, &step))?;
    if app.global.json {
        app.terminal.json(&json!({
            "id": plan.id, "manifest_hash": new.registered.manifest_hash().to_string(),
            "entry": new.registered.entry().to_string(),
            "state": new.registered.circumstances().state.word(),
            "outcome": match new.outcome {
                RegistrationOutcome::Written => "written",
                RegistrationOutcome::AlreadyThere => "already_there",
            },
            "earlier_experiments": new.prior.len(),
        }))?;
        return Ok(Outcome::Done);
    }
    say(app, &project, plan, &new)?;
    let art = record::prior_art(&project, plan)?;
    for line in report::prior_art_short(&art, &arguments.file.display().to_string()) {
        app.terminal.note(format!("  {line}"))?;
    }
    app.terminal.note(format!(
        "next: commit it (`git add {} {} && git commit`), then `runner exec {}`",
        arguments.file.display(),
        shown(&new.file, &project),
        arguments.file.display()
    ))?;
    Ok(Outcome::Done)
}

/// Registers a plan after asking whether its verdicts can be reached.
pub fn freeze(
    plan: &Plan,
    circumstances: &Circumstances,
    project: &Project,
    watcher: &mut BuildWatcher<'_>,
) -> Result<NewRegistration, Failure> {
    let frozen = frozen_facts(plan, project, watcher)?;
    record::register(project, plan, &frozen, circumstances)
}

/// What is frozen beside a plan, after asking whether its verdicts can be reached. Of a history these
/// are its commits by their hashes: steps are registered when they are made.
pub fn frozen_facts(
    plan: &Plan,
    project: &Project,
    watcher: &mut BuildWatcher<'_>,
) -> Result<Frozen, Failure> {
    if plan.history.is_some() {
        let history = exec::history_commits(plan, project)?;
        refuse_unreachable(&first_step(plan, &history)?, project)?;
        let frozen = Prepared::of(plan, project)?.frozen_with(plan, Vec::new());
        return Ok(Frozen { history: Some(history), ..frozen });
    }
    refuse_unreachable(plan, project)?;
    let executables = exec::ready_for(plan, project, watcher)?;
    let prepared = Prepared::of(plan, project)?;
    exec::check_lengths(plan, &prepared, &executables)?;
    prepared.frozen(plan, &executables)
}

fn refuse_unreachable(plan: &Plan, project: &Project) -> Result<(), Failure> {
    let items = workload::load(&plan.workload.inputs, project)?.items.len();
    let reach = design::reach(plan, Some(items));
    if reach.is_reached() { Ok(()) } else { Err(unreachable_design(plan, &reach)) }
}

/// The plan of a history's first step: good against bad.
pub fn first_step(plan: &Plan, history: &FrozenHistory) -> Result<Plan, Failure> {
    let bad = history.commits.last().map_or("", String::as_str);
    let commits = history.commits.len();
    step_plan(plan, CommitOfStep { number: 1, good: &history.good, commit: bad, commits })
}

/// What was frozen, and what is known of the question.
pub fn say(
    app: &App,
    project: &Project,
    plan: &Plan,
    new: &NewRegistration,
) -> Result<(), Failure> {
    let registered = &new.registered;
    app.terminal.note(match new.outcome {
        RegistrationOutcome::Written => {
            format!("registered {} as {}", plan.id, registered.manifest_hash())
        }
        RegistrationOutcome::AlreadyThere => {
            format!("{} is registered already, as {}", plan.id, registered.manifest_hash())
        }
    })?;
    let state = registered.circumstances().state;
    app.terminal.note(format!("the manifest is {}{}", state.word(), what_it_proves(state)))?;
    let number = record::experiment_number(&new.prior);
    app.terminal.note(format!("experiment {number} on this question"))?;
    for prior in &new.prior {
        app.terminal.note(format!("  earlier: {}", prior_text(prior)))?;
    }
    let pilots = record::pilots_on(project, &registered.question_key().to_string())?;
    for pilot in &pilots {
        app.terminal.note(format!("  pilot: {} of {}", pilot.run, pilot.at))?;
    }
    Ok(())
}

/// What a reader may conclude from a state.
fn what_it_proves(state: CommitState) -> &'static str {
    match state {
        CommitState::Pushed => ": others can see that it came before the run",
        CommitState::Committed => {
            ": push it before the run, so that others can see which came first"
        }
        CommitState::Uncommitted => ": commit it before the run; the record says so otherwise",
        CommitState::Unknown => ": no repository is here, so nothing shows which came first",
    }
}

fn prior_text(prior: &PriorExperiment) -> String {
    match &prior.run {
        Some(run) => format!("{}/{run}", prior.id),
        None => format!("{} (registered, not run)", prior.id),
    }
}

fn unreachable_design(plan: &Plan, reach: &Reach) -> Failure {
    if let Some(why) = &reach.not_simulated {
        return Failure::refused(format!("no chances of this design can be given: {why}"))
            .at(format!("experiment {}", plan.id))
            .hint("lower [design] rounds, or register fewer arms or condition values at once");
    }
    let short = [&reach.without_effect, &reach.with_expected_effect]
        .into_iter()
        .filter(|reachable| !reachable.is_reached());
    let texts: Vec<String> = short.map(ToString::to_string).collect();
    Failure::refused(format!(
        "this design cannot show what it is made for with a chance of 80 % or more. {}",
        texts.join(". ")
    ))
    .at(format!("experiment {}", plan.id))
    .hint(
        "raise [design] rounds or blocks_per_round, or the margin; `runner plan` shows the chances \
         of every outcome",
    )
}

fn shown(path: &Path, project: &Project) -> String {
    path.strip_prefix(&project.root).unwrap_or(path).display().to_string()
}
